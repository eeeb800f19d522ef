-- Changes that nobody is mailed, also where a notice of the ticket's other changes is pending.
alter table change add column quiet boolean not null default false;
