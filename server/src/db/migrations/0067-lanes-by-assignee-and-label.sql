-- What the lanes of a saved board are by; '' without lanes.
alter table ticket_view alter column lanes drop default;
alter table ticket_view alter column lanes type text using case when lanes then 'Parent' else '' end;
alter table ticket_view alter column lanes set default '';
alter table ticket_view add constraint ticket_view_lanes_check check (lanes in ('', 'Parent', 'Assignee', 'Label'));
