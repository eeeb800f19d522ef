-- Searching costs less (docs/decisions/098-words-that-are-near.md).

-- Text of ASCII letters alone, which most is, needs no tables of Unicode: that takes a tenth of the time.
create or replace function search_fold(input text) returns text language plpgsql immutable strict parallel safe
as $$
begin
  if octet_length(input) = length(input) then return lower(input); end if;
  return lower(unaccent(normalize(input, NFKC)));
end $$;

create or replace function search_words(input text, is_query boolean) returns text language plpgsql immutable strict parallel safe
as $$
declare
  words text := search_fold(input);
begin
  if not is_query and words ~ '[a-z][a-z0-9]*-[0-9]' then
    words := regexp_replace(words, '([a-z][a-z0-9]*)-([0-9]+)', '\1 \2 \1\2', 'g');
  end if;
  if octet_length(words) = length(words) then return trim(regexp_replace(words, '[^a-z0-9]+', ' ', 'g')); end if;
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

-- What search_near_query finds a word by, with the organization in front: the four letters of its beginning and of its end, each as they are
-- and with one of them left out; its length; and the project. An index calls this: it uses nothing but what PostgreSQL has.
create function search_near(organization bigint, project bigint, word text) returns tsvector language plpgsql immutable parallel safe
as $$
declare
  first_four text := left(word, 4);
  last_four text := right(word, 4);
  entries text[] := array['@project' || project, organization || ':' || length(word), organization || ':^' || first_four, organization || ':' || last_four || '$'];
begin
  for n in 1..4 loop
    entries := entries || (organization || ':^' || left(first_four, n - 1) || substr(first_four, n + 1))
      || (organization || ':' || left(last_four, n - 1) || substr(last_four, n + 1) || '$');
  end loop;
  return array_to_tsvector(entries);
end $$;

-- Finds what has any of these entries.
create function search_any(entries text[]) returns tsquery language sql immutable parallel safe
as $$ select string_agg('''' || replace(replace(entry, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery from unnest(entries) entry $$;

-- Finds every word that one edit leads to, or two from eight letters on, and few others. One edit at an end leaves what both words have there
-- without a letter. Of two edits, one end has none, or each end has one.
create function search_near_query(organization bigint, projects bigint[], word text) returns tsquery language plpgsql immutable parallel safe
as $$
declare
  entries text[] := tsvector_to_array(search_near(organization, 0, word));
  edits integer := case when length(word) < 8 then 1 else 2 end;
  lengths text[] := array(select organization || ':' || n from generate_series(length(word) - edits, length(word) + edits) n);
  ends tsquery := search_any(array(select entry from unnest(entries) entry where entry like '%:^%'))
    && search_any(array(select entry from unnest(entries) entry where entry like '%$'));
begin
  if edits = 2 then ends := ends || search_any(array[organization || ':^' || left(word, 4), organization || ':' || right(word, 4) || '$']); end if;
  return ends && search_any(lengths) && search_projects(projects);
end $$;

drop index search_word_grams;
alter table search_word drop column grams;
drop function search_word_grams(bigint, text, boolean);
create index search_word_near on search_word using gin (search_near(organization_id, project_id, word)) with (gin_pending_list_limit = 1024);

create or replace function search_learn(organization bigint, project bigint, words text) returns void language plpgsql
as $$
begin
  insert into search_word (organization_id, project_id, word)
  select organization, project, new.word
  from (select distinct word from string_to_table(words, ' ') as parts (word) where length(word) between 4 and 40) new
  where new.word !~ '[0-9\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af\uf900-\ufaff]'
    and (select 1 from search_word known
      where known.organization_id = organization and known.project_id = project and known.word = new.word limit 1) is null;
end $$;
analyze search_word;
