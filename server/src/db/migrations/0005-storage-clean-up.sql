-- What the last clean-up of the attachment storage found and did: see server/src/storage/clean-up.ts.
alter table installation add column storage_clean_up jsonb;
