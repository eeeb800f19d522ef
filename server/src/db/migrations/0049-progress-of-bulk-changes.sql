-- How many tickets the steps go through. Counting them reads the whole list, which may have a megabyte.
alter table bulk_preview add column total int;
update bulk_preview set total = jsonb_array_length(tickets);
alter table bulk_preview alter column total set not null;
