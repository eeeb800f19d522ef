-- What the search reads: one row per ticket, kept by the triggers below in the transaction of every change
-- (docs/decisions/080-search-inside-the-database.md).

create extension if not exists unaccent;
create extension if not exists fuzzystrmatch;

-- Without differences of case, accents and widths. Immutable as long as the rules of unaccent are, which ship with PostgreSQL.
create function search_fold(input text) returns text language sql immutable strict parallel safe
as $$ select lower(unaccent(normalize(input, NFKC))) $$;

-- The words of a text, separated by blanks. Prepared here, so that nothing depends on a parser or a locale:
-- * whatever is no letter, digit or mark separates words; ops-42 gives ops, 42 and, in what is searched, ops42;
-- * scripts that are written without blanks are cut into pairs of letters: abc gives ab, bc and, in what is searched, c.
create function search_words(input text, is_query boolean) returns text language plpgsql immutable strict parallel safe
as $$
declare
  words text := search_fold(input);
begin
  if not is_query and words ~ '[a-z][a-z0-9]*-[0-9]' then
    words := regexp_replace(words, '([a-z][a-z0-9]*)-([0-9]+)', '\1 \2 \1\2', 'g');
  end if;
  words := regexp_replace(words, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u02b0-\u02ff\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e2f\u0e3f\u0e4f\u0e5a\u0e5b\u2000-\u206f\u20a0-\u20cf\u2190-\u23ff\u2500-\u25ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\ufe00-\ufe0f\ufe30-\ufe4f\ufffc\ufffd]+', ' ', 'g');
  if words ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]' then
    words := regexp_replace((
      select string_agg(case
        when not letter.paired then letter.c
        when letter.follows then ' ' || letter.c || letter.next || ' '
        when is_query and letter.followed then ' '
        else ' ' || letter.c || ' ' end, '' order by letter.n)
      from (
        select each.c, each.n, each.paired, lead(each.c) over (order by each.n) as next,
          coalesce(lead(each.paired) over (order by each.n), false) as follows, coalesce(lag(each.paired) over (order by each.n), false) as followed
        from (
          select c, n, c ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]' as paired
          from string_to_table(words, null) with ordinality as letters (c, n)
        ) each
      ) letter), ' +', ' ', 'g');
  end if;
  return trim(words);
end $$;

-- Words as the text of a tsvector. The weight says where they stand: A title, B fields, C comments, D labels and names of attachments;
-- each has a range of positions of its own, so that one part can be replaced without the others.
create function search_lexemes(words text, weight text, mark text, position_from integer, position_to integer)
returns text language sql immutable parallel safe
as $$
  select coalesce(string_agg('''' || mark || left(word, 60) || ''':' || least(position_from + n, position_to) || weight, ' '), '')
  from string_to_table(words, ' ') with ordinality as parts (word, n) where word <> ''
$$;

-- What finds a part of a title: every three letters that follow each other, and the last two and one; so that any part of it
-- is the beginning of an entry, in any script. The id likewise, after a '#'. Replaces pg_trgm, which knows ASCII alone in the bundled database.
create function search_grams(title text, id bigint, project_id bigint) returns tsvector language plpgsql immutable parallel safe
as $$
declare
  small text := lower(title);
  digits text := id::text;
begin
  return array_to_tsvector(array(select substr(small, n, 3) from generate_series(1, length(small)) n)
    || array(select '#' || substr(digits, n, 3) from generate_series(1, length(digits)) n) || ('@project' || project_id));
end $$;

-- Finds the rows of these projects, in `words` and in `grams`.
create function search_projects(project_ids bigint[]) returns tsquery language sql immutable parallel safe
as $$ select coalesce(string_agg('''@project' || id || '''', ' | '), '''@none''')::tsquery from unnest(project_ids) id $$;

-- Finds what search_grams made of a text that contains the needle; more than that, so the text itself is compared as well.
create function search_gram_query(needle text, mark text) returns tsquery language sql immutable parallel safe
as $$
  select string_agg('''' || replace(replace(mark || substr(lower(needle), n, 3), '\', '\\'), '''', '''''') || '''' ||
    case when length(lower(needle)) < 3 then ':*' else '' end, ' & ')::tsquery
  from generate_series(1, greatest(1, length(lower(needle)) - 2)) n
$$;

-- The words of one term, one after the other. Mark '=' looks in titles alone; a weight in that part. Null when it has no words.
create function search_query(term text, mark text, weight text, is_prefix boolean) returns tsquery language plpgsql immutable parallel safe
as $$
declare
  words text[] := string_to_array(search_words(term, true), ' ');
  is_short_pair boolean := cardinality(words) = 1 and length(words[1]) = 1 and words[1] > '\u0dff';
begin
  words := array_remove(words, '');
  if cardinality(words) = 0 then return null; end if;
  return (select string_agg('''' || mark || left(word, 60) || '''' ||
      case when (is_prefix or is_short_pair) and n = cardinality(words) then ':*' || weight when weight <> '' then ':' || weight else '' end, ' <-> ' order by n)
    from unnest(words) with ordinality as w (word, n))::tsquery;
end $$;

create table ticket_search (
  organization_id bigint not null,
  project_id bigint not null,
  ticket_id bigint not null,
  words tsvector not null,
  grams tsvector not null,
  -- How many words of comments are in `words`: the next comment's positions follow.
  comment_words integer not null default 0,
  comment_bytes integer not null default 0,
  primary key (organization_id, ticket_id),
  foreign key (organization_id, project_id, ticket_id) references ticket (organization_id, project_id, id) on delete cascade
) with (fillfactor = 85);

-- The words of a project, for typing errors: an error is looked for among them, never among the tickets. A word may be there twice when two
-- people wrote it first at the same time: without a unique key neither waits for the other.
create table search_word (
  organization_id bigint not null,
  id bigint generated by default as identity,
  project_id bigint not null,
  word text not null,
  -- Each with the organization in front: three letters that follow each other, and two at both ends.
  grams text[] not null,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references project on delete cascade
);

create function search_word_grams(organization_id bigint, word text, with_ends boolean) returns text[] language sql immutable parallel safe
as $$
  select array(select distinct organization_id || ':' || substr('^' || word || '$', n, 3) from generate_series(1, length(word)) n)
    || case when with_ends then array[organization_id || ':^' || left(word, 1), organization_id || ':' || right(word, 1) || '$'] else '{}' end
$$;

-- Adds words that the project did not know. Only those that could be a typing error of each other.
create function search_learn(organization bigint, project bigint, words text) returns void language plpgsql
as $$
begin
  insert into search_word (organization_id, project_id, word, grams)
  select organization, project, new.word, search_word_grams(organization, new.word, true)
  from (select distinct word from string_to_table(words, ' ') as parts (word)) new
  where length(new.word) between 4 and 40 and new.word !~ '[0-9\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af\uf900-\ufaff]'
    and not exists (select 1 from search_word known where known.organization_id = organization and known.project_id = project and known.word = new.word);
end $$;

-- ── The parts of a ticket's row ─────────────────────────────────────────────

-- The beginning of the words, about so many bytes. A tsvector holds 1 MB, and a byte of words takes two or three there: 96 kB of fields,
-- 128 kB of comments and 32 kB of names stay below, whatever they say.
create function search_cut(words text, bytes integer) returns text language sql immutable parallel safe
as $$
  select case when octet_length(words) <= bytes then words else left(words, (bytes::bigint * length(words) / octet_length(words))::integer) end
$$;

create function search_title(project bigint, title text) returns text language plpgsql immutable parallel safe
as $$
declare
  words text := search_words(title, false);
begin
  return '''@project' || project || ''':1A ' || search_lexemes(words, 'A', '', 0, 999) || ' ' || search_lexemes(words, 'A', '=', 0, 999);
end $$;

-- TEXTMULTILINE, TEXT and URL: what a person wrote.
create function search_fields(organization bigint, ticket bigint) returns text language plpgsql stable
as $$
begin
  return (
  select search_cut(search_words(left(string_agg(left(v.value, 98304), ' . ' order by f.position, f.id), 98304), false), 98304)
  from ticket_value v join field f on f.organization_id = organization and f.id = v.field_id and f.type_id in (1, 3, 9)
  where v.organization_id = organization and v.ticket_id = ticket and v.value <> ''
  );
end $$;
create function search_comments(organization bigint, ticket bigint) returns text language plpgsql stable
as $$
begin
  return (
  select search_cut(search_words(string_agg(c.text, ' . ' order by c.id), false), 131072) from (
    select id, text, sum(octet_length(text)) over (order by id) as bytes from comment
    where organization_id = organization and ticket_id = ticket and deleted_at is null) c where c.bytes <= 131072
  );
end $$;
create function search_names(organization bigint, ticket bigint) returns text language plpgsql stable
as $$
begin
  return (
  select search_cut(search_words(string_agg(n.name, ' . '), false), 32768) from (
    (select l.name from ticket_label tl join label l on l.organization_id = organization and l.id = tl.label_id
      where tl.organization_id = organization and tl.ticket_id = ticket order by l.id)
    union all (select a.name from attachment a where a.organization_id = organization and a.ticket_id = ticket order by a.id limit 100)) n
  );
end $$;

-- Replaces one part of these tickets' rows. The rows are locked first, so that the part is read as the last writer left it.
create function search_replace(organization bigint, tickets bigint[], part text) returns void language plpgsql
as $$
declare
  ticket record;
  written text;
begin
  for ticket in
    select s.ticket_id, s.project_id from ticket_search s
    where s.organization_id = organization and s.ticket_id = any(tickets) order by s.ticket_id for no key update
  loop
    written := coalesce(case part when 'B' then search_fields(organization, ticket.ticket_id)
      when 'C' then search_comments(organization, ticket.ticket_id) else search_names(organization, ticket.ticket_id) end, '');
    update ticket_search s set
      words = (ts_filter(s.words, case part when 'B' then '{a,c,d}' when 'C' then '{a,b,d}' else '{a,b,c}' end::"char"[])::text || ' ' ||
        search_lexemes(written, part, '', case part when 'D' then 1000 when 'B' then 4000 else 10000 end,
          case part when 'D' then 3999 when 'B' then 9999 else 16383 end))::tsvector,
      comment_words = case part when 'C' then cardinality(string_to_array(written, ' ')) else s.comment_words end,
      comment_bytes = case part when 'C' then octet_length(written) else s.comment_bytes end
    where s.organization_id = organization and s.ticket_id = ticket.ticket_id;
    perform search_learn(organization, ticket.project_id, written);
  end loop;
end $$;

-- ── The triggers ────────────────────────────────────────────────────────────

-- Each takes what it needs from the rows of the statement before it asks other tables: a statement that Citus spreads cannot read both.

create function search_ticket_made() returns trigger language plpgsql as $$
declare
  tickets record;
begin
  for tickets in
    select organization_id, project_id, array_agg(id) as ids, array_agg(title) as titles, string_agg(search_words(title, true), ' ') as words
    from made group by organization_id, project_id
  loop
    insert into ticket_search (organization_id, project_id, ticket_id, words, grams)
    select tickets.organization_id, tickets.project_id, id, search_title(tickets.project_id, title)::tsvector, search_grams(title, id, tickets.project_id)
    from unnest(tickets.ids, tickets.titles) as each (id, title);
    perform search_learn(tickets.organization_id, tickets.project_id, tickets.words);
  end loop;
  return null;
end $$;
create trigger search_insert after insert on ticket referencing new table as made for each statement execute function search_ticket_made();

create function search_ticket_titled() returns trigger language plpgsql as $$
begin
  update ticket_search s set grams = search_grams(new.title, new.id, new.project_id),
    words = (ts_filter(s.words, '{b,c,d}')::text || ' ' || search_title(new.project_id, new.title))::tsvector
  where s.organization_id = new.organization_id and s.ticket_id = new.id;
  perform search_learn(new.organization_id, new.project_id, search_words(new.title, true));
  return null;
end $$;
create trigger search_title after update of title on ticket for each row when (old.title <> new.title) execute function search_ticket_titled();

create function search_values_written() returns trigger language plpgsql as $$
declare
  vals record;
begin
  for vals in select organization_id, array_agg(ticket_id) as ticket_ids, array_agg(field_id) as field_ids from written group by organization_id loop
    perform search_replace(vals.organization_id, array(
      select distinct w.ticket_id from unnest(vals.ticket_ids, vals.field_ids) as w (ticket_id, field_id)
      join field f on f.organization_id = vals.organization_id and f.id = w.field_id and f.type_id in (1, 3, 9)), 'B');
  end loop;
  return null;
end $$;
create trigger search_insert after insert on ticket_value referencing new table as written for each statement execute function search_values_written();
create trigger search_update after update on ticket_value referencing new table as written for each statement execute function search_values_written();

create function search_names_written() returns trigger language plpgsql as $$
declare
  ticket record;
begin
  for ticket in select organization_id, array_agg(distinct ticket_id) as ids from written group by organization_id loop
    perform search_replace(ticket.organization_id, ticket.ids, 'D');
  end loop;
  return null;
end $$;
create trigger search_insert after insert on ticket_label referencing new table as written for each statement execute function search_names_written();
create trigger search_delete after delete on ticket_label referencing old table as written for each statement execute function search_names_written();
create trigger search_insert after insert on attachment referencing new table as written for each statement execute function search_names_written();
create trigger search_delete after delete on attachment referencing old table as written for each statement execute function search_names_written();

create function search_label_named() returns trigger language plpgsql as $$
begin
  perform search_replace(new.organization_id, array(
    select tl.ticket_id from ticket_label tl where tl.organization_id = new.organization_id and tl.label_id = new.id), 'D');
  return null;
end $$;
create trigger search_name after update of name on label for each row when (old.name <> new.name) execute function search_label_named();

-- A new comment is appended: the others are not read again.
create function search_comments_made() returns trigger language plpgsql as $$
declare
  ticket record;
begin
  for ticket in
    select organization_id, ticket_id, search_words(string_agg(text, ' . ' order by id), false) as words
    from made group by organization_id, ticket_id order by organization_id, ticket_id
  loop
    update ticket_search s set
      words = (s.words::text || ' ' || search_lexemes(ticket.words, 'C', '', 10000 + s.comment_words, 16383))::tsvector,
      comment_words = s.comment_words + cardinality(string_to_array(ticket.words, ' ')),
      comment_bytes = s.comment_bytes + octet_length(ticket.words)
    where s.organization_id = ticket.organization_id and s.ticket_id = ticket.ticket_id
      and s.comment_bytes + octet_length(ticket.words) <= 131072;
    perform search_learn(ticket.organization_id, s.project_id, ticket.words) from ticket_search s
    where s.organization_id = ticket.organization_id and s.ticket_id = ticket.ticket_id;
  end loop;
  return null;
end $$;
create trigger search_insert after insert on comment referencing new table as made for each statement execute function search_comments_made();

create function search_comment_rewritten() returns trigger language plpgsql as $$
begin
  perform search_replace(new.organization_id, array[new.ticket_id], 'C');
  return null;
end $$;
create trigger search_text after update of text, deleted_at on comment for each row
  when (old.text <> new.text or old.deleted_at is distinct from new.deleted_at) execute function search_comment_rewritten();

-- ── What is there already ───────────────────────────────────────────────────

insert into ticket_search (organization_id, project_id, ticket_id, words, grams, comment_words, comment_bytes)
select t.organization_id, t.project_id, t.id, (search_title(t.project_id, t.title) || ' ' || search_lexemes(names.words, 'D', '', 1000, 3999) || ' ' ||
    search_lexemes(fields.words, 'B', '', 4000, 9999) || ' ' || search_lexemes(comments.words, 'C', '', 10000, 16383))::tsvector,
  search_grams(t.title, t.id, t.project_id), coalesce(cardinality(string_to_array(comments.words, ' ')), 0), coalesce(octet_length(comments.words), 0)
from ticket t
cross join lateral (select search_fields(t.organization_id, t.id) as words) fields
cross join lateral (select search_comments(t.organization_id, t.id) as words) comments
cross join lateral (select search_names(t.organization_id, t.id) as words) names;

insert into search_word (organization_id, project_id, word, grams)
select known.organization_id, known.project_id, known.word, search_word_grams(known.organization_id, known.word, true)
from (select distinct s.organization_id, s.project_id, w.word
  from ticket_search s cross join lateral (select w.lexeme as word from unnest(s.words) w) w
  where length(w.word) between 4 and 40 and w.word !~ '[@=0-9\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af\uf900-\ufaff]') known;

create index ticket_search_words on ticket_search using gin (words, grams) with (gin_pending_list_limit = 1024);
create index search_word_word on search_word (organization_id, project_id, word);
create index search_word_grams on search_word using gin (grams) with (gin_pending_list_limit = 1024);
analyze ticket_search;
analyze search_word;

-- In their place: the title and the id are found by ticket_search.grams. Every save of a ticket wrote both.
drop index ticket_title;
drop index ticket_id_text;
drop extension pg_trgm;

-- Tickets that have a child in a phase.
create index ticket_subordinate_proposed on ticket_subordinate (organization_id, ticket_id) where proposed > 0;
create index ticket_subordinate_active on ticket_subordinate (organization_id, ticket_id) where active > 0;
create index ticket_subordinate_inactive on ticket_subordinate (organization_id, ticket_id) where inactive > 0;

-- The value of a NUMBER field; null for one that is none.
create function search_number(value text) returns double precision language sql immutable strict parallel safe
as $$ select case when length(value) <= 100 and value ~* '^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d{1,2})?$' then value::double precision end $$;

-- The DATE field that says when a ticket is due, by its database key. Without one it is the field with the key `due`.
alter table project add column due_field_key text;

-- Which tickets changed since a moment, and what a project's charts add up.
create index change_project on change (organization_id, project_id, changed_at) where ticket_id is not null;
