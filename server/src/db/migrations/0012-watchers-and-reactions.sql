-- Whether the person set the toggle, or somebody else for them: who mutes a ticket is not added again by others.
alter table subscription add column own boolean not null default true;

create table comment_reaction (
  organization_id bigint not null,
  comment_id bigint not null,
  reaction text not null check (reaction in ('+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes')),
  user_id bigint not null references user_account on delete cascade,
  created_at timestamptz not null default now(),
  primary key (organization_id, comment_id, reaction, user_id),
  foreign key (organization_id, comment_id) references comment on delete cascade
);
