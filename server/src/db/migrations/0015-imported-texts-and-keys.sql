-- Texts of an import as they were before they became Markdown. Of the two ids, the one that it is not is 0.
create table original_text (
  organization_id bigint not null,
  ticket_id bigint not null,
  comment_id bigint not null,
  field_id bigint not null,
  text text not null,
  primary key (organization_id, ticket_id, comment_id, field_id),
  foreign key (organization_id, ticket_id) references ticket on delete cascade,
  check ((comment_id = 0) <> (field_id = 0))
);

-- Finds tickets of any project by the key that they had in another tracker.
create index ticket_original_key on ticket (organization_id, lower(external_id)) where external_id is not null;
