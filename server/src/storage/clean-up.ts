import { sql } from 'kysely'
import { type Db, queryRows } from '../db/db.ts'
import { acrossOrganizations } from '../db/guard/across-organizations.ts'
import { int4, int8, jsonb, nullable, text, timestamptz } from '../db/shape.ts'
import { OperatorError } from '../operator-error.ts'
import { belongingOf } from './belonging.ts'
import { organizationOf, stampOf, timeOfStamp } from './names.ts'
import type { Storage } from './storage.ts'

interface MissingFile {
  organizationId: number
  id: number
  name: string
  storageKey: string
}

interface StorageReport {
  files: number
  /** Files without a row. */
  orphans: number
  /** Rows without a file: lost data, for a person to examine. */
  missing: number
  /** The first of these rows. */
  lost: MissingFile[]
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

/** Files and rows that are held in memory at once. */
const batch = 1000
const mostNamed = 20
/** A younger file may still get its row. */
const orphanAgeHours = 24
const binDays = 30
/** More orphans than this cannot come from failed uploads: most likely this is another database, or an older state of it. */
const most = { files: 100, share: 0.05 }

const hour = 3_600_000

/** Compares the storage with the rows, and changes nothing. */
export async function inspectStorage(db: Db, storage: Storage): Promise<StorageReport> {
  const report: StorageReport = { files: 0, orphans: 0, missing: 0, lost: [] }
  for await (const { files, orphans, missing } of comparedPages(db, storage)) {
    report.files += files
    report.orphans += orphans.length
    report.missing += missing.length
    report.lost.push(...missing.slice(0, mostNamed - report.lost.length))
  }
  return report
}

export function areTooMany({ orphans, files }: Pick<StorageReport, 'orphans' | 'files'>) {
  return orphans > most.files || orphans > files * most.share
}

/**
 * Moves files that a row names back from the bin, deletes others that have been there for 30 days, and moves files without a row to the bin. Never touches a
 * row. Throws when the storage is another database's; moves nothing to the bin when there is too much to move, unless `all`.
 */
export async function cleanUpStorage(db: Db, storage: Storage, { all = false } = {}): Promise<CleanUpResult & Pick<StorageReport, 'lost'>> {
  await requireChangeable(db, storage)
  const now = await nowOf(db)
  const { putBack, removed, kept } = await goThroughBin(db, storage, now)
  const { lost, ...report } = await inspectStorage(db, storage)
  const isRefused = !all && areTooMany(report)
  // Again, because much may have happened since.
  await requireChangeable(db, storage)
  const moved = isRefused ? 0 : await moveOrphans(db, storage, report.orphans, stampOf(now))
  const abandoned = await storage.removeAbandoned(new Date(now.getTime() - orphanAgeHours * hour))
  const result: CleanUpResult = {
    at: now.toISOString(),
    files: report.files,
    moved,
    refused: isRefused ? report.orphans : 0,
    putBack,
    removed,
    abandoned,
    bin: kept + moved,
    missing: report.missing,
  }
  await sql`update installation set storage_clean_up = ${JSON.stringify(result)}::jsonb`.execute(db)
  return { ...result, lost }
}

async function requireChangeable(db: Db, storage: Storage) {
  const { state, advice } = await belongingOf(db, storage)
  if (state !== 'own') throw new OperatorError(`The storage is not cleaned up: ${advice}.`)
  if (await isBackupRunning(db)) throw new OperatorError('A backup is being written: clean up when it is done.')
}

/**
 * Compares files and rows in the order of their keys. The rows of a page are read before its files are listed: a file is stored before its row, so what is not
 * listed then is missing.
 */
async function* comparedPages(db: Db, storage: Storage) {
  const before = (await nowOf(db)).getTime() - orphanAgeHours * hour
  for (let after = ''; ; ) {
    const rows = await rowsAfter(db, after)
    const missing = new Map(rows.map(row => [row.storageKey, row]))
    const unknown: string[] = []
    /** The last key of the page; undefined when neither a row nor a file follows. */
    let end = rows[batch - 1]?.storageKey
    let [files, latest] = [0, after]
    for await (const { key, modifiedAt } of storage.list(after)) {
      if (key <= latest) throw new Error(`The storage lists its files in no order: ${key} after ${latest}`)
      latest = key
      if (end !== undefined && key > end) break
      files++
      if (!missing.delete(key) && modifiedAt.getTime() < before) unknown.push(key)
      if (files === batch) end = key
      if (key === end) break
    }
    const absent = [...missing.values()].filter(({ storageKey }) => end === undefined || storageKey <= end)
    yield { files, orphans: await withoutUse(db, unknown), missing: await stillThere(db, absent) }
    if (end === undefined) return
    after = end
  }
}

/** Moves at most so many files without a row to the bin. Returns how many. */
async function moveOrphans(db: Db, storage: Storage, most: number, stamp: string) {
  let moved = 0
  if (most === 0) return moved
  for await (const { orphans } of comparedPages(db, storage)) {
    for (const key of orphans.slice(0, most - moved)) {
      await storage.moveToBin(key, stamp)
      moved++
    }
    if (moved === most) break
  }
  return moved
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

/** A copy of the database may have moved files there that a row names. */
async function goThroughBin(db: Db, storage: Storage, now: Date) {
  let [putBack, removed, kept] = [0, 0, 0]
  for await (const page of inPages(storage.listBin())) {
    const keys = page.map(({ key }) => key)
    const unnamed = new Set(await withoutRow(db, keys))
    for (const file of page) {
      if (!unnamed.has(file.key)) {
        await storage.putBack(file)
        putBack++
      } else if (now.getTime() - timeOfStamp(file.stamp).getTime() > binDays * 24 * hour) {
        await storage.removeFromBin(file)
        removed++
      } else kept++
    }
  }
  return { putBack, removed, kept }
}

async function* inPages<T>(items: AsyncIterable<T>) {
  let page: T[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length < batch) continue
    yield page
    page = []
  }
  yield page
}

async function nowOf(db: Db) {
  const rows = await queryRows(db, { now: timestamptz })`select now()`
  return rows[0]?.now as Date
}

/** Some rows of all organizations, in the order of their keys. */
function rowsAfter(db: Db, key: string) {
  return queryRows(db, { organizationId: int8, id: int8, name: text, storageKey: text })`
    ${acrossOrganizations('job')} select organization_id as "organizationId", id, name, storage_key as "storageKey" from attachment
    where storage_key collate "C" > ${key} order by storage_key collate "C" limit ${batch}`
}

/** Those of these rows that are not purged yet. */
async function stillThere(db: Db, rows: MissingFile[]) {
  const keys = rows.map(({ storageKey }) => storageKey)
  const gone = new Set(await withoutRow(db, keys))
  return rows.filter(({ storageKey }) => !gone.has(storageKey))
}

/** Those of these keys that no row names, and no job that removes files and has not failed for good. */
async function withoutUse(db: Db, keys: string[]) {
  const unnamed = await withoutRow(db, keys)
  if (unnamed.length === 0) return []
  const rows = await queryRows(db, { key: text })`
    select named.key from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    cross join json_array_elements_text(j.payload -> 'keys') as named (key)
    where t.identifier = 'remove-files' and (j.attempts < j.max_attempts or j.locked_at is not null) and named.key = any(${unnamed}::text[])`
  const queued = new Set(rows.map(({ key }) => key))
  return unnamed.filter(key => !queued.has(key))
}

/** Those of these keys that no row names. */
export async function withoutRow(db: Db, keys: string[]) {
  if (keys.length === 0) return []
  const rows = await queryRows(db, { key: text })`
    ${acrossOrganizations('job')} select a.storage_key as key
    from unnest(${keys.map(organizationOf)}::bigint[], ${keys}::text[]) as named (organization_id, key)
    join attachment a on a.organization_id = named.organization_id and a.storage_key collate "C" = named.key`
  const known = new Set(rows.map(({ key }) => key))
  return keys.filter(key => !known.has(key))
}
