-- Whether a column that has reached its limit takes no more tickets.
alter table state add column limit_holds boolean not null default false;
