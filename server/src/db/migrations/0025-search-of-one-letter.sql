-- A single letter of a script without blanks begins a pair. The letter was compared with the text '\u0dff' instead of that character, so that a
-- single Latin letter found every word that it begins.
create or replace function search_query(term text, mark text, weight text, is_prefix boolean) returns tsquery language plpgsql immutable parallel safe
as $$
declare
  words text[] := string_to_array(search_words(term, true), ' ');
  is_short_pair boolean := cardinality(words) = 1 and length(words[1]) = 1 and words[1] collate "C" > e'\u0dff' collate "C";
begin
  words := array_remove(words, '');
  if cardinality(words) = 0 then return null; end if;
  return (select string_agg('''' || mark || left(word, 60) || '''' ||
      case when (is_prefix or is_short_pair) and n = cardinality(words) then ':*' || weight when weight <> '' then ':' || weight else '' end, ' <-> ' order by n)
    from unnest(words) with ordinality as w (word, n))::tsquery;
end $$;
