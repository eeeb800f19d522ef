-- Whatever the database's collation is, the clean-up reads rows in the order in which storages list their files.
create unique index attachment_by_key on attachment (storage_key collate "C", organization_id);
drop index attachment_storage_key;
