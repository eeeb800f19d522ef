import { existsSync } from 'node:fs'
import path from 'node:path'
import { whileLocked } from '../backup/backup-lock.ts'
import { runBackup } from '../backup/run-backup.ts'
import { counted } from '../counted.ts'
import { OperatorError } from '../operator-error.ts'
import { parseArguments } from '../process/arguments.ts'
import { onDatabase } from '../process/command.ts'
import { openStorage } from '../storage/open-storage.ts'

export const help = `tessera backup [--to FILE.tar.gz] [--no-proof]
    Writes the database and the attachments to one file, also while the server runs, then restores it into a scratch database and compares.
    --to        the file; by default in TESSERA_BACKUP_DIRECTORY (backups in the data directory), of which the newest TESSERA_BACKUP_KEEP are kept
    --no-proof  skips the restore
    Ends with code 1 also when the backup was written, but lacks files of attachments, or could not be proven for want of space.
    The file contains password digests and the installation's secret: protect it like the database.`

export async function run(argv: string[]) {
  const { values } = parseArguments({
    args: argv,
    options: {
      to: { type: 'string' },
      'no-proof': { type: 'boolean', default: false },
    },
  })
  const to = destination(values.to)
  const interruption = new AbortController()
  let interruptedAt = Number.POSITIVE_INFINITY
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      // One Ctrl-C comes from the terminal and from npm. A second one ends at once.
      if (performance.now() - interruptedAt > 1000) process.exit(130)
      interruptedAt = Math.min(interruptedAt, performance.now())
      interruption.abort(new OperatorError('The backup was interrupted.'))
    })
  return onDatabase(async context => {
    const storage = openStorage(context.config)
    const options = { ...(to === undefined ? {} : { to }), prove: !values['no-proof'], signal: interruption.signal }
    const result = await whileLocked(context.connection, () => runBackup({ ...context, storage }, options))
    if (!result) throw new OperatorError('Another backup or proof is running: wait until it is done.')
    const { file, bytes, rows, files, writeMs, proof, removed, warning } = result
    console.log(
      `Wrote ${file}: ${size(bytes)}, ${counted(rows, 'row')} and ${counted(files.count, 'file')} (${size(files.bytes)}) in ${seconds(writeMs)}.`,
    )
    if (proof)
      console.log(
        `Restored it and compared: ${counted(proof.tables, 'table')}, ${counted(proof.rows, 'row')}, ${counted(proof.files, 'file')} agree (${seconds(proof.ms)}).`,
      )
    for (const old of removed) console.log(`Removed ${old}.`)
    if (warning === null) return 0
    console.error(warning)
    return 1
  })
}

/** The file that --to names; undefined without it. */
function destination(given: string | undefined) {
  if (given === undefined) return undefined
  const file = path.resolve(given)
  if (existsSync(file)) throw new OperatorError(`--to: ${file} already exists: choose another name.`)
  // With a separator at the end, a file does not exist.
  if (!existsSync(path.dirname(file) + path.sep)) throw new OperatorError(`--to: there is no folder ${path.dirname(file)}.`)
  return file
}

function size(bytes: number) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
function seconds(milliseconds: number) {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
