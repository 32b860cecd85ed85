"""Plain pages: support, contact, links, questions and answers, help, inviting people (platform P-85)."""
