-- A bulk change, or what takes a change set back, is carried out in steps: how far it has come.
alter table bulk_preview
  -- The change set that is taken back; null for a bulk change.
  add column reverts bigint,
  -- Tickets that go to the trash although they were changed since.
  add column also jsonb not null default '[]',
  -- The change set that the steps write.
  add column change_set_id bigint,
  -- How many of the tickets are done, and how many of them were changed.
  add column done int not null default 0,
  add column changed int not null default 0,
  add column skipped jsonb not null default '[]';
create index bulk_preview_reverts on bulk_preview (organization_id, reverts) where reverts is not null;

-- A change set of many tickets that is still to be mailed: one mail for each person.
create table change_set_notice (
  organization_id bigint not null,
  change_set_id bigint not null,
  project_id bigint not null,
  first_change_id bigint not null,
  -- Whether the last step has been written.
  finished boolean not null,
  changed_at timestamptz not null default now(),
  primary key (organization_id, change_set_id),
  foreign key (organization_id, project_id) references project on delete cascade
);
create index change_set_notice_age on change_set_notice (changed_at);
