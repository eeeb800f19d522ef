-- A text is found by each piece of it that is typed back (docs/decisions/080-search-inside-the-database.md): keys and numbers, scripts without
-- blanks, vowel points, invisible letters, emoji.

-- Without differences of case, accents and widths. Nobody types soft hyphens, joiners of letters, and the points of Arabic and Hebrew; marks of
-- other scripts may be vowels and stay. Immutable as long as the rules of unaccent are, which ship with PostgreSQL.
create or replace function search_fold(input text) returns text language plpgsql immutable strict parallel safe
as $$
begin
  if octet_length(input) = length(input) then return lower(input); end if;
  return lower(unaccent(regexp_replace(normalize(input, NFKC),
    '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U000e0100-\U000e01ef]+', '', 'g')));
end $$;

-- The words of a text in small letters, separated by blanks. Prepared here, so that nothing depends on a parser or a locale:
-- * whatever is no letter, digit or mark separates words; an emoji is a word;
-- * scripts that are written without blanks are cut into pairs of letters: abc gives ab and bc.
-- What is searched has further words. A capital A puts one where another stands, so that the words around them keep their distance:
-- * ops-42 gives ops and ops42A42;
-- * abc gives ab and bcAc.
create or replace function search_words(input text, is_query boolean) returns text language plpgsql immutable strict parallel safe
as $$
declare
  emoji constant text := '\u2600-\u27ff\u2900-\u2bff\U0001f000-\U0001fbff';
  paired constant text := '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff';
  words text := search_fold(input);
begin
  if not is_query and words ~ '[a-z][a-z0-9]*-[0-9]' then
    words := regexp_replace(words, '([a-z][a-z0-9]*)-([0-9]+)', '\1 \1\2A\2', 'g');
  end if;
  if octet_length(words) = length(words) then return trim(regexp_replace(words, '[^a-z0-9A]+', ' ', 'g')); end if;
  words := regexp_replace(words, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u02b0-\u02ff\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e2f\u0e3f\u0e4f\u0e5a\u0e5b\u2000-\u206f\u20a0-\u20cf\u2190-\u23ff\u2500-\u25ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\ufe30-\ufe4f\ufffc\ufffd]+', ' ', 'g');
  if words ~ ('[' || emoji || paired || ']') then
    words := regexp_replace(words, '([' || emoji || '])', ' \1 ', 'g');
    -- abc, <abc>, <a ab bc c>, <a ab bcAc, ab bcAc
    words := regexp_replace(words, '([' || paired || ']+)', ' <\1> ', 'g');
    words := regexp_replace(words, '([' || paired || '])', '\1 \1', 'g');
    words := regexp_replace(words, ' (.)>', 'A\1', 'g');
    words := regexp_replace(words, '<.[ A]', '', 'g');
    if is_query then words := regexp_replace(words, 'A.', '', 'g'); end if;
    words := regexp_replace(words, '  +', ' ', 'g');
  end if;
  return trim(words);
end $$;

-- The beginning of the words, about so many bytes. A tsvector holds 1 MB, and a byte of words takes two or three there: 96 kB of fields,
-- 128 kB of comments and 32 kB of names stay below, whatever they say.
create or replace function search_cut(words text, bytes integer) returns text language sql immutable parallel safe
as $$
  select case when octet_length(words) <= bytes then words else rtrim(left(words, (bytes::bigint * length(words) / octet_length(words))::integer), ' A') end
$$;

-- Words as the text of a tsvector. The weight says where they stand: A title, B fields, C comments, D labels and names of attachments;
-- each has a range of positions of its own, so that one part can be replaced without the others.
create or replace function search_lexemes(words text, weight text, mark text, position_from integer, position_to integer)
returns text language sql immutable parallel safe
as $$
  select coalesce(string_agg('''' || mark || case
      when each_alone or strpos(word, 'A') = 0 then left(word, 60)
      else left(split_part(word, 'A', 1), 60) || ''':' || least(position_from + n, position_to) || weight || ' ''' || mark || left(split_part(word, 'A', 2), 60)
    end || ''':' || least(position_from + n, position_to) || weight, ' '), '')
  from (select strpos(words, 'A') = 0 as each_alone offset 0) shared, string_to_table(words, ' ') with ordinality as parts (word, n)
$$;

create or replace function search_title_words(project bigint, words text) returns text language plpgsql immutable parallel safe
as $$
declare
  result text := '''@project' || project || ''':1A';
  place integer := 0;
  word text;
begin
  foreach word in array string_to_array(replace(words, 'A', ' A'), ' ') loop
    if starts_with(word, 'A') then word := substr(word, 2);
    else place := least(place + 1, 999);
    end if;
    word := left(word, 60) || ''':' || place || 'A';
    result := result || ' ''' || word || ' ''=' || word;
  end loop;
  return result;
end $$;

-- The words of one term, one after the other. Mark '=' looks in titles alone; a weight in that part. Null when it has no words.
-- A single letter of a script without blanks begins a pair.
create or replace function search_query(term text, mark text, weight text, is_prefix boolean) returns tsquery language plpgsql immutable parallel safe
as $$
declare
  words text[] := array_remove(string_to_array(search_words(term, true), ' '), '');
  last text := words[cardinality(words)];
  is_beginning boolean := is_prefix or length(last) = 1 and last collate "C" > e'\u0dff' collate "C";
begin
  if cardinality(words) = 0 then return null; end if;
  return (select string_agg('''' || mark || left(word, 60) || '''' ||
      case when is_beginning and n = cardinality(words) then ':*' || weight when weight <> '' then ':' || weight else '' end, ' <-> ' order by n)
    from unnest(words) with ordinality as w (word, n))::tsquery;
end $$;

-- The rows of tickets with a key, or with a letter that is cut or dropped differently now. Organization by organization: a cluster takes no other
-- statements here.
do $$
declare
  changed constant text := '[A-Za-z\u0080-\U0010ffff][A-Za-z0-9\u0080-\U0010ffff]*[-\u02d7\u2010-\u2015\u207b\u208b\u2212][0-9\u00b2-\u00be\u2070-\u24ff]'
    || '|[\u00ad\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u0670\u06d6-\u06ed\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\u2600-\u27ff\u2900-\u2bff\u2e80-\U0010ffff]';
  organization bigint;
  ticket record;
  before tsvector;
  title_words text;
  names text;
  fields text;
  comments text;
  result tsvector;
begin
  for organization in select id from organization order by id loop
    for ticket in
      select t.id, t.project_id from ticket t where t.organization_id = organization and t.id in (
        select id from ticket where organization_id = organization and title ~ changed
        union all select v.ticket_id from ticket_value v join field f on f.organization_id = organization and f.id = v.field_id and f.type_id in (1, 3, 9)
        where v.organization_id = organization and v.value ~ changed
        union all select ticket_id from comment where organization_id = organization and deleted_at is null and text ~ changed
        union all select tl.ticket_id from ticket_label tl join label l on l.organization_id = organization and l.id = tl.label_id
        where tl.organization_id = organization and l.name ~ changed
        union all select ticket_id from attachment where organization_id = organization and name ~ changed)
      order by t.id
    loop
      -- The row is locked first, so that its parts are read as the last writer left them.
      select s.words into before from ticket_search s where s.organization_id = organization and s.ticket_id = ticket.id for no key update;
      select search_title(t.project_id, t.title) into title_words from ticket t where t.organization_id = organization and t.id = ticket.id;
      names := search_names(organization, ticket.id);
      fields := search_fields(organization, ticket.id);
      comments := search_comments(organization, ticket.id);
      result := (title_words || ' ' || search_lexemes(names, 'D', '', 1000, 3999) || ' ' ||
        search_lexemes(fields, 'B', '', 4000, 9999) || ' ' || search_lexemes(comments, 'C', '', 10000, 16383))::tsvector;
      continue when result = before;
      update ticket_search s set words = result, comment_words = coalesce(cardinality(string_to_array(comments, ' ')), 0),
        comment_bytes = coalesce(octet_length(comments), 0)
      where s.organization_id = organization and s.ticket_id = ticket.id;
      perform search_learn(organization, ticket.project_id, array(
        select word from unnest(tsvector_to_array(ts_delete(result, tsvector_to_array(before)))) as parts (word) where word !~ '^[=@]'));
    end loop;
  end loop;
end $$;
