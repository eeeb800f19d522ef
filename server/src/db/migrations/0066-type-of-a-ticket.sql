-- In which version of a ticket its type last changed, as title_version and state_version say it of those.
alter table ticket add column template_version integer not null default 1;
