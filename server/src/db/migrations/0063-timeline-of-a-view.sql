-- A fifth layout of saved views.
alter table ticket_view drop constraint ticket_view_layout_check;
alter table ticket_view add constraint ticket_view_layout_check check (layout in ('tree', 'list', 'board', 'calendar', 'timeline'));
