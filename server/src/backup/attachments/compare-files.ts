import type pg from 'pg'
import { NotAsWritten } from '../archive-form.ts'
import type { Manifest } from '../write-backup.ts'
import { listAttachments, listedAttachments } from './rows.ts'

/**
 * Compares the files of an archive, as they come, with the restored rows: both are in the order of the rows' keys, and each row has its file or is
 * named as lost. Throws NotAsWritten at the first difference; in format 1, which names lost files only in the manifest, at the end.
 */
export async function compareFiles(client: pg.Client, format: number) {
  await listAttachments(client)
  const rows = listedAttachments(client)
  /** Files that do not fit: of format 1. */
  const unfit = new Set<string>()
  let fitting = 0
  /** The latest file, which the next entry may name as lost. */
  let latest: { key: string; fits: boolean } | undefined

  function refuse(key: string) {
    if (format > 1) throw isWrong(key)
    unfit.add(key)
  }
  /** A damaged file was not named as lost. */
  function refuseDamaged() {
    if (latest?.fits === false) refuse(latest.key)
    latest = undefined
  }
  async function rowOf(key: string) {
    refuseDamaged()
    for (;;) {
      const { value: row, done } = await rows.next()
      if (done) throw new NotAsWritten(`its file ${key} belongs to no attachment`)
      if (row.storage_key === key) return row
      refuse(row.storage_key)
    }
  }

  return {
    async addFile(key: string, digest: () => Promise<Buffer>) {
      const { sha256 } = await rowOf(key)
      latest = { key, fits: (await digest()).equals(sha256) }
      if (latest.fits) fitting++
    },
    async addLost(key: string) {
      if (latest?.key !== key) return void (await rowOf(key))
      // It fits if the file has grown: the archive has as many bytes of it as its row says.
      if (latest.fits) fitting--
      latest = undefined
    },
    async end({ files, lostKeys = [] }: Manifest) {
      refuseDamaged()
      for await (const { storage_key: key } of rows) refuse(key)
      const found = fitting + unfit.size - lostKeys.length
      for (const key of lostKeys) unfit.delete(key)
      const [first] = unfit
      if (first !== undefined) throw isWrong(first)
      if (found !== files.count) throw new NotAsWritten(`it has ${found} files of attachments instead of ${files.count}`)
    },
  }
}

function isWrong(key: string) {
  return new NotAsWritten(`its file ${key} is missing or damaged`)
}
