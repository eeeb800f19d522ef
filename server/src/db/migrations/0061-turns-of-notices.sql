-- Organizations take turns: the oldest notices of the next one are found without those of the others.
create index ticket_notice_turn on ticket_notice (organization_id, first_change_at);
create index change_set_notice_turn on change_set_notice (organization_id, changed_at);
drop index ticket_notice_age;
drop index change_set_notice_age;
