-- Citus turns `case part when 'B' then …` into `case 'B' when true then …`, which compares a text with a boolean: what depends on the part is
-- computed before the statement.
create or replace function search_replace(organization bigint, tickets bigint[], part text) returns void language plpgsql
as $$
declare
  ticket record;
  written text;
  others "char"[] := array_remove(array['a', 'b', 'c', 'd'], lower(part))::"char"[];
  position_from integer := case when part = 'D' then 1000 when part = 'B' then 4000 else 10000 end;
  position_to integer := case when part = 'D' then 3999 when part = 'B' then 9999 else 16383 end;
begin
  for ticket in
    select s.ticket_id, s.project_id from ticket_search s
    where s.organization_id = organization and s.ticket_id = any(tickets) order by s.ticket_id for no key update
  loop
    if part = 'B' then
      written := coalesce(search_fields(organization, ticket.ticket_id), '');
    elsif part = 'C' then
      written := coalesce(search_comments(organization, ticket.ticket_id), '');
    else
      written := coalesce(search_names(organization, ticket.ticket_id), '');
    end if;
    update ticket_search s set
      words = (ts_filter(s.words, others)::text || ' ' || search_lexemes(written, part, '', position_from, position_to))::tsvector,
      comment_words = case when part = 'C' then cardinality(string_to_array(written, ' ')) else s.comment_words end,
      comment_bytes = case when part = 'C' then octet_length(written) else s.comment_bytes end
    where s.organization_id = organization and s.ticket_id = ticket.ticket_id;
    perform search_learn(organization, ticket.project_id, written);
  end loop;
end $$;
