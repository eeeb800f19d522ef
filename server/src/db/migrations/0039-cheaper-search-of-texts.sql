-- A text and a comment cost the search less: only words that the text did not have are looked up in the vocabulary, a row that would stay as it
-- is is not written, and a further comment is added without writing and reading the rest of the row as text.

-- Adds the words that the project does not know and that could be a typing error of each other.
create function search_learn(organization bigint, project bigint, words text[]) returns void language plpgsql
as $$
declare
  unknown text[] := array(
    select word from unnest(words) as parts (word)
    where length(word) between 4 and 40
      and (select 1 from search_word known
        where known.organization_id = organization and known.project_id = project and known.word = parts.word limit 1) is null);
begin
  if cardinality(unknown) > 0 then
    insert into search_word (organization_id, project_id, word)
    select distinct organization, project, word from unnest(unknown) as new (word)
    where word !~ '[0-9\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af\uf900-\ufaff]';
  end if;
end $$;

create or replace function search_replace(organization bigint, tickets bigint[], part text) returns void language plpgsql
as $$
declare
  ticket record;
  written text;
  result tsvector;
  own "char"[] := array[lower(part)]::"char"[];
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
    -- What this part had is known already.
    perform search_learn(organization, ticket.project_id,
      tsvector_to_array(ts_delete(ts_filter(result, own), tsvector_to_array(ts_filter(ticket.words, own)))));
  end loop;
end $$;

create or replace function search_ticket_made() returns trigger language plpgsql as $$
declare
  ticket record;
  words text;
begin
  for ticket in select organization_id, project_id, id, title from made loop
    words := search_words(ticket.title, false);
    insert into ticket_search (organization_id, project_id, ticket_id, words, grams)
    values (ticket.organization_id, ticket.project_id, ticket.id, search_title_words(ticket.project_id, words)::tsvector,
      search_grams(ticket.title, ticket.id, ticket.project_id));
    perform search_learn(ticket.organization_id, ticket.project_id, string_to_array(words, ' '));
  end loop;
  return null;
end $$;

create or replace function search_ticket_titled() returns trigger language plpgsql as $$
declare
  title_words text := search_words(new.title, false);
begin
  update ticket_search s set grams = search_grams(new.title, new.id, new.project_id),
    words = (ts_filter(s.words, '{b,c,d}')::text || ' ' || search_title_words(new.project_id, title_words))::tsvector
  where s.organization_id = new.organization_id and s.ticket_id = new.id;
  perform search_learn(new.organization_id, new.project_id, string_to_array(title_words, ' '));
  return null;
end $$;

-- An INSERT ... ON CONFLICT calls this twice, once without a row; most values are of no text field.
create or replace function search_values_written() returns trigger language plpgsql as $$
declare
  vals record;
  tickets bigint[];
begin
  for vals in select organization_id, array_agg(ticket_id) as ticket_ids, array_agg(field_id) as field_ids from written group by organization_id loop
    tickets := array(
      select distinct w.ticket_id from unnest(vals.ticket_ids, vals.field_ids) as w (ticket_id, field_id)
      join field f on f.organization_id = vals.organization_id and f.id = w.field_id and f.type_id in (1, 3, 9));
    if cardinality(tickets) > 0 then perform search_replace(vals.organization_id, tickets, 'B'); end if;
  end loop;
  return null;
end $$;

create or replace function search_comments_made() returns trigger language plpgsql as $$
declare
  ticket record;
  present record;
  added tsvector;
  result tsvector;
begin
  for ticket in
    select organization_id, ticket_id, search_words(string_agg(text, ' . ' order by id), false) as words
    from made group by organization_id, ticket_id order by organization_id, ticket_id
  loop
    select s.project_id, s.words, s.comment_words, s.comment_bytes into present from ticket_search s
    where s.organization_id = ticket.organization_id and s.ticket_id = ticket.ticket_id for no key update;
    continue when present.comment_bytes + octet_length(ticket.words) > 131072;
    added := search_lexemes(ticket.words, 'C', '', case when present.comment_words > 0 then 0 else 10000 end, 16383)::tsvector;
    if present.comment_words > 0 then
      -- The last comment has the highest position, and || counts on from there.
      result := present.words || added;
    else
      result := (present.words::text || ' ' || added::text)::tsvector;
    end if;
    update ticket_search s set words = result,
      comment_words = s.comment_words + cardinality(string_to_array(ticket.words, ' ')),
      comment_bytes = s.comment_bytes + octet_length(ticket.words)
    where s.organization_id = ticket.organization_id and s.ticket_id = ticket.ticket_id;
    perform search_learn(ticket.organization_id, present.project_id, tsvector_to_array(added));
  end loop;
  return null;
end $$;

drop function search_learn(bigint, bigint, text);
