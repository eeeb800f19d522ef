-- Each word is looked up by the index: as an anti-join, PostgreSQL read the whole vocabulary with every save.
create or replace function search_learn(organization bigint, project bigint, words text) returns void language plpgsql
as $$
begin
  insert into search_word (organization_id, project_id, word, grams)
  select organization, project, new.word, search_word_grams(organization, new.word, true)
  from (select distinct word from string_to_table(words, ' ') as parts (word) where length(word) between 4 and 40) new
  where new.word !~ '[0-9\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af\uf900-\ufaff]'
    and (select 1 from search_word known
      where known.organization_id = organization and known.project_id = project and known.word = new.word limit 1) is null;
end $$;
