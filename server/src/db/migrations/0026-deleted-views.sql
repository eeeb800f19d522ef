-- A deleted view can be taken back for a day; its name is free at once.
alter table ticket_view add deleted_at timestamptz;
drop index ticket_view_shared;
drop index ticket_view_own;
create unique index ticket_view_shared on ticket_view (organization_id, project_id, lower(name)) where shared and deleted_at is null;
create unique index ticket_view_own on ticket_view (organization_id, project_id, owner_id, lower(name)) where not shared and deleted_at is null;
