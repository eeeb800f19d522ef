-- A burst of a ticket's changes that has ended: its mails are queued without a lock of the ticket, so that nobody's save waits for them.
create table ticket_burst (
  organization_id bigint not null,
  ticket_id bigint not null,
  first_change_id bigint not null,
  last_change_id bigint not null,
  ended_at timestamptz not null default now(),
  primary key (organization_id, first_change_id)
);
create index ticket_burst_turn on ticket_burst (organization_id, ended_at);
