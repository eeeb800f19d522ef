-- Σ is σ within a Greek word and ς at its end: all three are one letter to the search, so that words in capitals find those in small letters.

create or replace function search_fold(input text) returns text language plpgsql immutable strict parallel safe
as $$
begin
  if octet_length(input) = length(input) then return lower(input); end if;
  return translate(lower(unaccent(regexp_replace(normalize(input, NFKC),
    '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U000e0100-\U000e01ef]+', '', 'g'))), 'ς', 'σ');
end $$;

-- The rows of tickets with such a letter. Organization by organization: a cluster takes no other statements here.
do $$
declare
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
        select id from ticket where organization_id = organization and strpos(title, 'ς') > 0
        union all select v.ticket_id from ticket_value v join field f on f.organization_id = organization and f.id = v.field_id and f.type_id in (1, 3, 9)
        where v.organization_id = organization and strpos(v.value, 'ς') > 0
        union all select ticket_id from comment where organization_id = organization and deleted_at is null and strpos(text, 'ς') > 0
        union all select tl.ticket_id from ticket_label tl join label l on l.organization_id = organization and l.id = tl.label_id
        where tl.organization_id = organization and strpos(l.name, 'ς') > 0
        union all select ticket_id from attachment where organization_id = organization and strpos(name, 'ς') > 0)
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
      update ticket_search s set words = result where s.organization_id = organization and s.ticket_id = ticket.id;
      perform search_learn(organization, ticket.project_id, array(
        select word from unnest(tsvector_to_array(ts_delete(result, tsvector_to_array(before)))) as parts (word) where word !~ '^[=@]'));
    end loop;
  end loop;
end $$;
