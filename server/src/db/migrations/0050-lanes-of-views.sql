-- Whether a saved board has lanes by parent.
alter table ticket_view add column lanes boolean not null default false;
