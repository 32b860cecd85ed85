"""The tip of the day 每日提示: those that come with the hall, and this hall's own (platform P-86)."""
