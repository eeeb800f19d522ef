-- Somebody of the installation who is asked to join an organization. They become a member with these permissions once they accept.
create table invitation (
  organization_id bigint not null references organization on delete cascade,
  user_id bigint not null references user_account on delete cascade,
  admin boolean not null default false,
  manager boolean not null default false,
  invited_by bigint not null references user_account on delete cascade,
  invited_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
