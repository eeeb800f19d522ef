-- How many tickets a column of the board should have at most; null is no limit.
alter table state add column board_limit int check (board_limit between 1 and 99999);
