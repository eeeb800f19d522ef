import { sql } from 'kysely'
import { inject } from 'vitest'
import { connect, poolOf } from '../../src/db/connections/connect.ts'
import type { Db } from '../servers/server.ts'

interface WrittenRow {
  table: string
  operation: string
  /** Null for what belongs to no organization, and for a table that was emptied. */
  organization: number | null
  row: string
}

const jobs = `to_regclass('graphile_worker._private_jobs')`
const tables = `
  select c.oid, c.relname::text from pg_class c
  where c.relkind in ('r', 'p') and (c.relnamespace = 'public'::regnamespace or c.oid = ${jobs})`
/**
 * On a server of a Citus cluster: the shards of distributed tables. On the coordinator, whose group is 0, also its own tables and its copy of
 * the tables that every server has.
 */
const tablesOfCluster = `
  select c.oid, coalesce(d.logicalrelid::regclass::text, c.relname::text) from pg_class c
  left join pg_dist_shard s on c.relname::text = s.logicalrelid::regclass::text || '_' || s.shardid
  left join pg_dist_partition d on d.logicalrelid = s.logicalrelid
  where c.relkind in ('r', 'p') and (c.relnamespace = 'public'::regnamespace or c.oid = ${jobs})
    and (d.partmethod = 'h' or exists (select from pg_dist_local_group where groupid = 0))
    and c.oid not in (select logicalrelid from pg_dist_partition)
    and not exists (select from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')`
/** Citus hides the shards from pg_class and protects them from being changed by hand. */
const settingsOfCluster = `
  set citus.override_table_visibility to off;
  set citus.enable_manual_changes_to_shards to on;
  set citus.enable_ddl_propagation to off;`

/**
 * Not watched, because a refusal may well write it: `throttle` counts the very attempts that are refused, and `session.last_seen_at` records that
 * somebody was there, whatever they were answered. Everything else, jobs included, must be as it was.
 */
const install = (watchedTables: string) => `
create schema watch;
create unlogged table watch.written (
  id bigint generated always as identity primary key, "table" text not null, operation text not null, organization bigint, "row" text
);

create function watch.note() returns trigger language plpgsql as $$
declare content jsonb;
begin
  if tg_op <> 'TRUNCATE' then content := to_jsonb(case when tg_op = 'DELETE' then old else new end); end if;
  insert into watch.written ("table", operation, organization, "row") values (tg_argv[0], tg_op,
    coalesce(content->>'organization_id', case when tg_argv[0] = 'organization' then content->>'id' end)::bigint, left(content::text, 200));
  return null;
end $$;

do $$
declare
  watched regclass;
  name text; -- the product's table, of which a shard is a part
begin
  for watched, name in select * from (${watchedTables}) t (watched, name) where t.name <> 'throttle'
  loop
    execute format('create trigger watch after insert or delete on %s for each row execute function watch.note(%L)', watched, name);
    execute format('create trigger watch_update after update on %s for each row when (%s) execute function watch.note(%L)', watched,
      case when name = 'session' then 'to_jsonb(old) - ''last_seen_at'' <> to_jsonb(new) - ''last_seen_at'''
        else 'old.* is distinct from new.*' end, name);
    execute format('create trigger watch_truncate after truncate on %s for each statement execute function watch.note(%L)', watched, name);
  end loop;
end $$`

/**
 * From now on a trigger records each written row, in the writer's own transaction: a rollback removes the records too, so what remains was committed
 * despite a refusal. The cost does not depend on the number of rows. On a cluster each server records its own writes.
 */
export async function watchRows(db: Db) {
  const { database = '' } = poolOf(db).options
  const servers = inject('servers').map(server => connect({ ...server, database }, { poolSize: 1, prepare: false }))
  const isCluster = servers.length > 1
  for (const server of servers) {
    if (isCluster) await sql.raw(settingsOfCluster).execute(server)
    await sql.raw(install(isCluster ? tablesOfCluster : tables)).execute(server)
  }
  const written = async (after: readonly number[]) => {
    const rows: (WrittenRow & { id: number })[][] = []
    for (const [index, server] of servers.entries()) {
      const noted = await sql<WrittenRow & { id: number }>`
        select id, "table", operation, organization, "row" from watch.written where id > ${after[index] ?? 0} order by id`.execute(server)
      rows.push(noted.rows)
    }
    return rows
  }
  const last = async () => {
    const marks: number[] = []
    for (const server of servers) {
      const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from watch.written`.execute(server)
      marks.push(rows[0]?.id ?? 0)
    }
    return marks
  }
  return {
    /** The result of `work`, and the rows written meanwhile. */
    async during<T>(work: () => Promise<T>): Promise<{ result: T; written: WrittenRow[] }> {
      const marks = await last()
      const result = await work()
      return { result, written: (await written(marks)).flat().map(({ id: _, ...row }) => row) }
    },
    async forget() {
      for (const server of servers) await sql`delete from watch.written`.execute(server)
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.destroy()
    },
  }
}
export type WatchedRows = Awaited<ReturnType<typeof watchRows>>
