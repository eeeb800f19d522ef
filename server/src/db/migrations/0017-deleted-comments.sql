-- A deleted comment keeps its place, and its text for UNDO.
alter table comment add column deleted_at timestamptz;
alter table comment add column deleted_by bigint references user_account on delete set null;
