import type { Connection } from '../db/connections/connect.ts'
import { OperatorError } from '../operator-error.ts'
import { requireRoom } from '../process/health/disk-space.ts'
import { type ScratchOptions, scratchDatabase } from './database/scratch.ts'
import { differences, restoreBackup } from './restore-backup.ts'

export interface Proof {
  tables: number
  rows: number
  files: number
}

interface ProofOptions extends Partial<ScratchOptions> {
  signal?: AbortSignal
}

/**
 * Restores the archive into a scratch database, reads everything back and compares: rows, digests, and each attachment's file with its row.
 * Throws NoRoom before it would fill the scratch database's disk.
 */
export async function proveBackup(
  file: string,
  connection: Connection,
  { folder = null, bytes = 0, signal }: ProofOptions = {},
): Promise<Proof> {
  await using scratch = await scratchDatabase(connection, { folder, bytes })
  const { manifest } = await restoreBackup(
    file,
    scratch.connection,
    async (_key, _size, content) => {
      for await (const _ of content) {
        // read to the end for its digest
      }
    },
    async (client, restored) => {
      const wrong = await differences(client, restored)
      if (wrong.length > 0) throw new OperatorError(`The restored database differs: ${wrong.slice(0, 5).join('; ')}.`)
    },
    {
      unlogged: true,
      async beforeEntry() {
        signal?.throwIfAborted()
        if (scratch.folder !== null) await requireRoom(scratch.folder)
      },
    },
  )
  return {
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.files.count,
  }
}
