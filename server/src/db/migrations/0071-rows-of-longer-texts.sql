-- PostgreSQL moves the longest columns of a row of more than 2 kB to another table. A ticket's text of 1,000 characters and its history are just
-- beyond that, and writing the ticket's row of the search took 60 % longer. Rows of up to 4 kB stay whole.
alter table ticket_search set (toast_tuple_target = 4080);
alter table change set (toast_tuple_target = 4080);
