-- An attachment that was deleted keeps its row and its file for a while, so that it can be restored.
alter table attachment add column deleted_at timestamptz, add column deleted_by bigint;
-- Apart from its column: Citus refuses both in one statement.
alter table attachment add constraint attachment_deleted_by_fkey foreign key (deleted_by) references user_account on delete set null;
create index attachment_deleted on attachment (organization_id, deleted_at) where deleted_at is not null;

create or replace function search_names(organization bigint, ticket bigint) returns text language plpgsql stable
as $$
begin
  return (
  select search_cut(search_words(string_agg(n.name, ' . '), false), 32768) from (
    (select l.name from ticket_label tl join label l on l.organization_id = organization and l.id = tl.label_id
      where tl.organization_id = organization and tl.ticket_id = ticket order by l.id)
    union all (select a.name from attachment a where a.organization_id = organization and a.ticket_id = ticket and a.deleted_at is null
      order by a.id limit 100)) n
  );
end $$;

create function search_attachment_deleted() returns trigger language plpgsql as $$
begin
  perform search_replace(new.organization_id, array[new.ticket_id], 'D');
  return null;
end $$;
create trigger search_deleted after update of deleted_at on attachment for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function search_attachment_deleted();
