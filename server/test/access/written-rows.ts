import { sql } from 'kysely'
import { type Db, unguarded } from '../server.ts'

export interface WrittenRow {
  table: string
  operation: string
  /** Null for what belongs to no organization, and for a table that was emptied. */
  organization: number | null
  row: string
}

/**
 * Not watched, because a refusal may well write it: `throttle` counts the very attempts that are refused, and `session.last_seen_at` says that
 * somebody was there, whatever they were answered. Everything else, jobs included, must be as it was.
 */
const install = `
create schema watch;
create unlogged table watch.written (
  id bigint generated always as identity primary key, "table" text not null, operation text not null, organization bigint, "row" text
);

create function watch.note() returns trigger language plpgsql as $$
declare content jsonb;
begin
  if tg_op <> 'TRUNCATE' then content := to_jsonb(case when tg_op = 'DELETE' then old else new end); end if;
  insert into watch.written ("table", operation, organization, "row") values (tg_table_name, tg_op,
    coalesce(content->>'organization_id', case when tg_table_name = 'organization' then content->>'id' end)::bigint, left(content::text, 200));
  return null;
end $$;

do $$
declare watched regclass;
begin
  for watched in
    select c.oid from pg_class c where c.relkind in ('r', 'p') and (c.relnamespace = 'public'::regnamespace and c.relname <> 'throttle'
      or c.oid = 'graphile_worker._private_jobs'::regclass)
  loop
    execute format('create trigger watch after insert or delete on %s for each row execute function watch.note()', watched);
    execute format('create trigger watch_update after update on %s for each row when (%s) execute function watch.note()', watched,
      case when watched = 'session'::regclass then 'to_jsonb(old) - ''last_seen_at'' <> to_jsonb(new) - ''last_seen_at'''
        else 'old.* is distinct from new.*' end);
    execute format('create trigger watch_truncate after truncate on %s for each statement execute function watch.note()', watched);
  end loop;
end $$`

/**
 * From now on each row that is written is noted by a trigger, in the writer's own transaction: what a refused one wrote is forgotten with it, and
 * what is left is what a refusal left behind. Costs the same however many rows there are.
 */
export async function watchRows(db: Db) {
  await using own = unguarded(db)
  await sql.raw(install).execute(own)
  return {
    /** What `work` gives, and the rows that were written meanwhile. */
    async during<T>(work: () => Promise<T>): Promise<{ result: T; written: WrittenRow[] }> {
      const { rows: marks } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from watch.written`.execute(db)
      const result = await work()
      const { rows: written } = await sql<WrittenRow>`
        select "table", operation, organization, "row" from watch.written where id > ${marks[0]?.id} order by id`.execute(db)
      return { result, written }
    },
    async forget() {
      await sql`delete from watch.written`.execute(db)
    },
  }
}
export type WatchedRows = Awaited<ReturnType<typeof watchRows>>
