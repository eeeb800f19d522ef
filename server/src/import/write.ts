import type { Db } from '../db/db.ts'
import type { Storage } from '../storage/storage.ts'
import { type ExportRow, readExport } from './export/jira-csv.ts'
import type { Plan } from './export/plan.ts'
import { type Imported, ImportWriter } from './import-writer.ts'
import { openProject, type Target } from './steps/project.ts'

// Small enough that no statement comes near the time limit, including what the search index stores of every text.
const batchRows = 50
const batchCharacters = 200_000

interface Import {
  /** Where attached files go. */
  storage: Storage
  /** The path of the export. */
  file: string
  plan: Plan
  target: Target
  /** Writes nothing in the end. */
  isDry?: boolean
  /** Called from time to time with the number of rows that are done. */
  progress?: (rows: number) => void
}

/** Imports in one transaction. A dry run does the same and rolls it back, so that it finds everything a run would. */
export async function importExport(db: Db, given: Import): Promise<Imported> {
  let imported: Imported | undefined
  try {
    await db.transaction().execute(async transaction => {
      imported = await writeImport(transaction, given)
      if (given.isDry) throw new DryRunEnd()
    })
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error
  }
  return imported as Imported
}
/** Ends the transaction of a dry run. */
class DryRunEnd extends Error {}

/**
 * Reads the export a second time and writes it in the caller's transaction, as one change set. Files are stored as they are read, and removed again
 * if the transaction fails.
 */
async function writeImport(db: Db, { storage, file, plan, target, isDry, progress }: Import): Promise<Imported> {
  const kept: string[] = []
  try {
    const context = await openProject(db, target)
    const writer = new ImportWriter(context, isDry ? undefined : storage, plan, kept)
    await writer.prepare()
    let batch: ExportRow[] = []
    let characters = 0
    let rows = -1
    for await (const row of readExport(file)) {
      if (++rows === 0) continue
      batch.push(row)
      characters += row.cells.reduce((sum, cell) => sum + cell.length, 0)
      if (batch.length === batchRows || characters > batchCharacters) {
        await writer.write(batch)
        progress?.(rows)
        batch = []
        characters = 0
      }
    }
    await writer.write(batch)
    progress?.(rows)
    return await writer.finish()
  } catch (error) {
    await Promise.all(kept.map(key => storage.remove(key).catch(() => undefined)))
    throw error
  }
}
