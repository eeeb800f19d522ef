-- A merged label is updated in place on its tickets. Deleting and inserting it called two triggers, and the second computed each search row again.
create trigger search_update after update on ticket_label referencing new table as written for each statement execute function search_names_written();
