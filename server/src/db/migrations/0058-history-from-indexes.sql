-- What lists and charts of a whole project need of its history is read from the indexes alone.

-- When each ticket last changed.
drop index change_ticket;
create index change_ticket on change (organization_id, ticket_id, id desc) include (changed_at) where ticket_id is not null;
-- The newest changes, and the tickets that changed since a moment.
drop index change_project;
create index change_project on change (organization_id, project_id, changed_at) include (ticket_id) where ticket_id is not null;
-- The moves of each ticket, for charts. Only moves write it.
create index change_state on change (organization_id, project_id, ticket_id, id) include (before, after, changed_at) where field = 'State' and ticket_id is not null;
