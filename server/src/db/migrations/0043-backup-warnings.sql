-- What a finished backup lacks: attachment files that were missing or damaged, or its proof, for want of space.
alter table backup_run add column warning text;
