"""People among themselves: talk at tables and in rooms; later mail, friends, boards, clubs."""
