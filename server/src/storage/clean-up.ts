import { sql } from 'kysely'
import { type Db, queryRows } from '../db/db.ts'
import { acrossOrganizations } from '../db/guard/across-organizations.ts'
import { int4, int8, jsonb, nullable, text, timestamptz } from '../db/shape.ts'
import { OperatorError } from '../operator-error.ts'
import { belongingOf } from './belonging.ts'
import type { BinnedFile } from './names.ts'
import { organizationOf, stampOf, timeOfStamp } from './names.ts'
import type { Storage } from './storage.ts'

interface StorageReport {
  files: number
  /** Keys of files without a row. */
  orphans: string[]
  /** Rows without a file: lost data, for a person to examine. */
  missing: { organizationId: number; id: number; name: string; storageKey: string }[]
}

/** What a clean-up did, in numbers; kept in `installation.storage_clean_up`. */
interface CleanUpResult {
  /** ISO 8601, by the database's clock. */
  at: string
  files: number
  /** Orphans; either all were moved to the bin or, if there were too many, none. */
  moved: number
  refused: number
  /** Files moved back from the bin, because rows name them. */
  putBack: number
  /** Deleted files: expired ones in the bin, and partial uploads. */
  removed: number
  abandoned: number
  /** In the bin now. */
  bin: number
  missing: number
}

/** Rows of a statement. */
const batch = 1000
/** A younger file may still get its row. */
const orphanAgeHours = 24
const binDays = 30
/** More orphans than this cannot come from failed uploads: most likely this is another database, or an older state of it. */
const most = { files: 100, share: 0.05 }

const hour = 3_600_000

/** Compares the storage with the rows, and changes nothing. */
export async function inspectStorage(db: Db, storage: Storage): Promise<StorageReport> {
  const report: StorageReport = { orphans: [], missing: [], files: 0 }
  const expected = new Set<string>()
  // Rows first: a row written in between would be missing among files listed earlier.
  for await (const rows of pagesOfRows(db)) for (const { storageKey } of rows) expected.add(storageKey)
  // Then what a job removes: as an orphan it would stay in the bin for 30 days.
  for (const { key } of await queuedForRemoval(db)) expected.add(key)
  let pending: string[] = []
  const before = (await nowOf(db)).getTime() - orphanAgeHours * hour
  for await (const { key, modifiedAt } of storage.list()) {
    report.files++
    if (expected.delete(key)) continue
    if (modifiedAt.getTime() < before) pending.push(key)
    if (pending.length === batch) {
      report.orphans.push(...(await withoutRow(db, pending)))
      pending = []
    }
  }
  report.orphans.push(...(await withoutRow(db, pending)))
  // A file purged in between is not missing.
  if (expected.size > 0)
    for await (const rows of pagesOfRows(db)) report.missing.push(...rows.filter(({ storageKey }) => expected.has(storageKey)))
  return report
}

export function areTooMany({ orphans, files }: StorageReport) {
  return orphans.length > most.files || orphans.length > files * most.share
}

/**
 * Moves files without a row to the bin, moves files that a row names back, and deletes files that have been in the bin for 30 days. Never touches a
 * row. Throws when the storage is another database's; moves nothing when there are too many, unless `all`.
 */
export async function cleanUpStorage(
  db: Db,
  storage: Storage,
  { all = false } = {},
): Promise<CleanUpResult & { lost: StorageReport['missing'] }> {
  const report = await inspectStorage(db, storage)
  // Checked last, just before anything is changed.
  const { state, advice } = await belongingOf(db, storage)
  if (state !== 'own') throw new OperatorError(`The storage is not cleaned up: ${advice}.`)
  if (await isBackupRunning(db)) throw new OperatorError('A backup is being written: clean up when it is done.')
  const now = await nowOf(db)
  const { lost, putBack } = await putBackMissing(storage, report.missing)
  const isRefused = !all && areTooMany(report)
  const stamp = stampOf(now)
  if (!isRefused) for (const key of report.orphans) await storage.moveToBin(key, stamp)
  const { removed, bin } = await emptyBin(storage, now)
  const abandoned = await storage.removeAbandoned(new Date(now.getTime() - orphanAgeHours * hour))
  const result: CleanUpResult = {
    at: now.toISOString(),
    files: report.files,
    moved: isRefused ? 0 : report.orphans.length,
    refused: isRefused ? report.orphans.length : 0,
    putBack,
    removed,
    abandoned,
    bin,
    missing: lost.length,
  }
  await sql`update installation set storage_clean_up = ${JSON.stringify(result)}::jsonb`.execute(db)
  return { ...result, lost }
}

/** The advisory lock that is held while a backup is written or proved: an arbitrary key, unique in this database. */
export const backupLock = 7_337_004

/** A running backup may still need files whose rows were deleted after it began. */
export async function isBackupRunning(db: Db) {
  const rows = await queryRows(db, { one: int4 })`
    select 1 as one from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${backupLock}::bigint::oid and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())`
  return rows.length > 0
}

/** What the last clean-up did; null before the first. */
export async function lastCleanUp(db: Db) {
  const rows = await queryRows(db, { last: nullable(jsonb<CleanUpResult>()) })`select storage_clean_up as last from installation`
  return rows[0]?.last ?? null
}

/** A copy of the database may have moved them as orphans. */
async function putBackMissing(storage: Storage, missing: StorageReport['missing']) {
  if (missing.length === 0) return { lost: missing, putBack: 0 }
  const binned = new Map<string, BinnedFile>()
  for await (const file of storage.listBin()) binned.set(file.key, file)
  const lost: StorageReport['missing'] = []
  for (const row of missing) {
    const file = binned.get(row.storageKey)
    if (file) await storage.putBack(file)
    else lost.push(row)
  }
  return { lost, putBack: missing.length - lost.length }
}

async function emptyBin(storage: Storage, now: Date) {
  let [removed, bin] = [0, 0]
  for await (const file of storage.listBin()) {
    if (now.getTime() - timeOfStamp(file.stamp).getTime() > binDays * 24 * hour) {
      await storage.removeFromBin(file)
      removed++
    } else bin++
  }
  return { removed, bin }
}

async function nowOf(db: Db) {
  const rows = await queryRows(db, { now: timestamptz })`select now()`
  return rows[0]?.now as Date
}

/** All rows, in several statements: a million rows take longer than one statement may. */
async function* pagesOfRows(db: Db) {
  for (let after = { organizationId: 0, id: 0 }; ; ) {
    const rows = await queryRows(db, { organizationId: int8, id: int8, name: text, storageKey: text })`
      ${acrossOrganizations('job')} select organization_id as "organizationId", id, name, storage_key as "storageKey" from attachment
      where (organization_id, id) > (${after.organizationId}, ${after.id}) order by organization_id, id limit ${batch}`
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last
  }
}

/** The keys of files whose rows are gone, and which a job that has not failed for good removes. */
function queuedForRemoval(db: Db) {
  return queryRows(db, { key: text })`
    select json_array_elements_text(j.payload -> 'keys') as key
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'remove-files' and (j.attempts < j.max_attempts or j.locked_at is not null)`
}

/** Those of these keys that no row names. */
export async function withoutRow(db: Db, keys: string[]) {
  if (keys.length === 0) return []
  // With the organization, by which the index on keys begins.
  const rows = await queryRows(db, { key: text })`
    ${acrossOrganizations('job')} select a.storage_key as key
    from unnest(${keys.map(organizationOf)}::bigint[], ${keys}::text[]) as named (organization_id, key)
    join attachment a on a.organization_id = named.organization_id and a.storage_key = named.key`
  const known = new Set(rows.map(({ key }) => key))
  return keys.filter(key => !known.has(key))
}
