-- A project's trash is read without that of other projects, and page by page, newest first.
create index ticket_trashed on ticket (organization_id, project_id, trashed_at desc, id desc) where trashed_at is not null;
