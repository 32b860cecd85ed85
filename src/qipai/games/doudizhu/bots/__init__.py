"""The players of doudizhu."""
