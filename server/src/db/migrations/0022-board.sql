-- Where a ticket stands among the project's, once somebody has moved it on the board. Without a row it stands at minus its id: the newest
-- first. One rank for the whole project orders every column, however the board is grouped.
create table board_rank (
  organization_id bigint not null,
  project_id bigint not null,
  ticket_id bigint not null,
  rank numeric not null,
  primary key (organization_id, ticket_id),
  unique (organization_id, project_id, rank),
  foreign key (organization_id, project_id, ticket_id) references ticket (organization_id, project_id, id) on delete cascade
);
