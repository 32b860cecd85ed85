"""Mail 留言箱 (platform P-9): threads between two people, and what the hall itself writes to somebody."""
