"""Letters: e-mail with a link to a new password, and with the news of those who want them so (platform P-2, P-5)."""
