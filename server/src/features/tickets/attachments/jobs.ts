import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { acrossOrganizations } from '../../../db/across-organizations.ts'
import type { Db } from '../../../db/db.ts'
import type { Job } from '../../../lib/jobs.ts'
import type { Storage } from '../../../lib/storage.ts'

export interface StorageReport {
  /** Files whose row never came or is gone; with `remove` they are gone too now. */
  orphans: string[]
  /** Rows whose file is not there: lost data, for a person to look at. */
  missing: { organizationId: number; id: number; name: string; storageKey: string }[]
  files: number
}

export const removeFiles: Job<'remove-files'> = async ({ storage }, { keys }) => {
  for (const key of keys) await storage.remove(key)
}

/** Hourly: files without a row go; rows without a file are data loss, and fail the job so that somebody sees it. */
export const cleanUpFiles: Job<'clean-up-files'> = async ({ db, storage }) => {
  // A backup may still be on its way to files whose rows went after it began.
  const { rows } = await sql`select 1 from backup_run where finished_at is null and started_at > now() - interval '12 hours'`.execute(db)
  const { missing } = await reconcileStorage(db, storage, { remove: rows.length === 0 })
  if (missing.length > 0) {
    const names = missing
      .slice(0, 20)
      .map(({ organizationId, id, storageKey }) => `${id} of organization ${organizationId} (${storageKey})`)
    throw new Error(`${missing.length} attachments have lost their files: ${names.join(', ')}`)
  }
}

/** Nightly: reads one file in a hundred and compares it with the digest of its row; a difference fails the job. */
export const scrubFiles: Job<'scrub-files'> = async ({ db, storage }) => {
  const damaged = await damagedFiles(db, storage, 1)
  if (damaged.length > 0) throw new Error(`${damaged.length} attachments are not as they were stored: ${damaged.slice(0, 20).join(', ')}`)
}

/** Of so many percent of all files, drawn anew each time, the keys of those that are missing or changed. */
export async function damagedFiles(db: Db, storage: Storage, percent: number) {
  const { rows } = await sql<{ storage_key: string; sha256: Buffer }>`
    ${acrossOrganizations('job')} select storage_key, sha256 from attachment tablesample bernoulli (${sql.lit(percent)})`.execute(db)
  const damaged: string[] = []
  for (const { storage_key, sha256 } of rows) {
    const hash = createHash('sha256')
    for await (const chunk of (await storage.read(storage_key)) ?? []) hash.update(chunk as Buffer)
    if (!hash.digest().equals(sha256)) damaged.push(storage_key)
  }
  return damaged
}

const batch = 1000
/** A younger file may be waiting for its row. */
const orphanAgeHours = 24

/** Compares the storage with the rows. Removes orphans when asked to; never touches a row. */
export async function reconcileStorage(db: Db, storage: Storage, { remove }: { remove: boolean }): Promise<StorageReport> {
  const report: StorageReport = { orphans: [], missing: [], files: 0 }
  const found = new Set<string>()
  // Rows first: one written meanwhile is not looked for among files listed before it.
  const rows = await rowsOf(db)
  let pending: string[] = []
  const before = Date.now() - orphanAgeHours * 3_600_000
  for await (const { key, modifiedAt } of storage.list()) {
    report.files++
    found.add(key)
    if (modifiedAt.getTime() < before) pending.push(key)
    if (pending.length === batch) {
      report.orphans.push(...(await withoutRow(db, pending)))
      pending = []
    }
  }
  report.orphans.push(...(await withoutRow(db, pending)))
  if (remove) for (const key of report.orphans) await storage.remove(key)
  const missing = rows.filter(({ storageKey }) => !found.has(storageKey))
  if (missing.length > 0) {
    // Purged meanwhile is not missing.
    const present = new Set((await rowsOf(db)).map(({ id }) => id))
    report.missing = missing.filter(({ id }) => present.has(id))
  }
  return report
}

async function rowsOf(db: Db) {
  const { rows } = await sql<StorageReport['missing'][number]>`
    ${acrossOrganizations('job')} select organization_id as "organizationId", id, name, storage_key as "storageKey" from attachment
    order by organization_id, id`.execute(db)
  return rows
}

async function withoutRow(db: Db, keys: string[]) {
  if (keys.length === 0) return []
  const { rows } = await sql<{ storage_key: string }>`
    ${acrossOrganizations('job')} select storage_key from attachment where storage_key = any(${keys})`.execute(db)
  const known = new Set(rows.map(row => row.storage_key))
  return keys.filter(key => !known.has(key))
}
