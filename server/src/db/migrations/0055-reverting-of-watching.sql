-- What a change of many tickets did to what its author watches, so that it can be reverted. Watching has no history of its own.

create table change_set_watching (
  organization_id bigint not null,
  change_set_id bigint not null,
  ticket_id bigint not null,
  user_id bigint not null references user_account on delete cascade,
  -- Whether the person watched the ticket before.
  watched boolean not null,
  -- The columns of the person's row in subscription before; null if there was none.
  enabled boolean,
  own boolean,
  primary key (organization_id, change_set_id, ticket_id),
  foreign key (organization_id, ticket_id) references ticket on delete cascade
);
create index change_set_watching_ticket on change_set_watching (organization_id, ticket_id);
