-- What these cost to compute: without it, PostgreSQL reads a small vocabulary row by row and computes both for each of them.
alter function search_near(bigint, bigint, text) cost 2000;
alter function search_near_query(bigint, bigint[], text) cost 20000;
