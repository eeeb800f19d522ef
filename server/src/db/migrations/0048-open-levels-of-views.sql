-- The tickets of a tree whose children a saved view shows.
alter table ticket_view add column open jsonb not null default '[]';
