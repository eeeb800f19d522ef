-- A new ticket and a text cost the search less: a trigger for each row needs no query over the new rows, and what a text adds is compared with the
-- whole row at once, as the words of its other parts are known too.

drop trigger search_insert on ticket;
create or replace function search_ticket_made() returns trigger language plpgsql as $$
declare
  title_words text := search_words(new.title, false);
begin
  insert into ticket_search (organization_id, project_id, ticket_id, words, grams)
  values (new.organization_id, new.project_id, new.id, search_title_words(new.project_id, title_words)::tsvector,
    search_grams(new.title, new.id, new.project_id));
  perform search_learn(new.organization_id, new.project_id, string_to_array(title_words, ' '));
  return null;
end $$;
create trigger search_insert after insert on ticket for each row execute function search_ticket_made();

create or replace function search_replace(organization bigint, tickets bigint[], part text) returns void language plpgsql
as $$
declare
  ticket record;
  written text;
  result tsvector;
  others "char"[] := array_remove(array['a', 'b', 'c', 'd'], lower(part))::"char"[];
  position_from integer := case when part = 'D' then 1000 when part = 'B' then 4000 else 10000 end;
  position_to integer := case when part = 'D' then 3999 when part = 'B' then 9999 else 16383 end;
begin
  for ticket in
    select s.ticket_id, s.project_id, s.words from ticket_search s
    where s.organization_id = organization and s.ticket_id = any(tickets) order by s.ticket_id for no key update
  loop
    if part = 'B' then
      written := coalesce(search_fields(organization, ticket.ticket_id), '');
    elsif part = 'C' then
      written := coalesce(search_comments(organization, ticket.ticket_id), '');
    else
      written := coalesce(search_names(organization, ticket.ticket_id), '');
    end if;
    result := (ts_filter(ticket.words, others)::text || ' ' || search_lexemes(written, part, '', position_from, position_to))::tsvector;
    continue when result = ticket.words and part <> 'C';
    update ticket_search s set words = result,
      comment_words = case when part = 'C' then cardinality(string_to_array(written, ' ')) else s.comment_words end,
      comment_bytes = case when part = 'C' then octet_length(written) else s.comment_bytes end
    where s.organization_id = organization and s.ticket_id = ticket.ticket_id;
    -- What the row had is known already.
    perform search_learn(organization, ticket.project_id, tsvector_to_array(ts_delete(result, tsvector_to_array(ticket.words))));
  end loop;
end $$;
