-- A ticket's rank moves from a table of its own to the ticket, so that an index can have the tickets of each state in the order of the board.
-- Null until somebody has moved the ticket on a board: it then stands at minus its id, the newest first. One rank for the whole project orders
-- every column, however the board is grouped.
alter table ticket add column rank numeric;
update ticket t set rank = r.rank from board_rank r where r.organization_id = t.organization_id and r.ticket_id = t.id;
drop table board_rank;
create unique index ticket_rank on ticket (organization_id, project_id, rank) where rank is not null;
create index ticket_board on ticket (organization_id, project_id, state_id, (coalesce(rank, -id))) where trashed_at is null;
