-- Who was told that a text names them: once for each person and text, however often it is edited. Of the two ids, the one that it is not is 0.
create table mention (
  organization_id bigint not null,
  ticket_id bigint not null,
  comment_id bigint not null,
  field_id bigint not null,
  user_id bigint not null references user_account on delete cascade,
  primary key (organization_id, ticket_id, comment_id, field_id, user_id),
  foreign key (organization_id, ticket_id) references ticket on delete cascade,
  check ((comment_id = 0) <> (field_id = 0))
);

-- What a new ticket of the template begins with: {Title, data, Labels, Children}. What it names may be gone by then, and is left out.
alter table template add column defaults jsonb;
