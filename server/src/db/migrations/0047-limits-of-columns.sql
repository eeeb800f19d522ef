-- How many tickets a column of the board should have at most; null is no limit.
alter table state add column board_limit int;
-- A statement of its own: a cluster adds no column together with its constraint.
alter table state add constraint state_board_limit_check check (board_limit between 1 and 99999);
