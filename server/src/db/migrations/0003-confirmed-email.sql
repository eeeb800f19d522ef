-- When somebody else changed the address, until its owner confirmed it: meanwhile no link to reset the password is mailed to it.
alter table user_account add column email_changed_at timestamptz;
