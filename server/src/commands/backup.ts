import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runBackup } from '../backup/run-backup.ts'
import { OperatorError } from '../operator-error.ts'
import { onDatabase } from '../process/command.ts'
import { openStorage } from '../storage/storage.ts'

const help = `tessera backup [--to FILE.tar.gz] [--no-proof]
    Writes the database and the attachments to one file, also while the server runs, then restores it into a scratch database and compares.
    --to        where; otherwise TESSERA_BACKUP_DIRECTORY (backups in the data directory), of which the newest TESSERA_BACKUP_KEEP stay
    --no-proof  leaves the restore out
    The file holds password digests and the installation's secret: keep it as you keep the database.`

export async function run(argv: string[]) {
  const { values } = parseArgs({
    args: argv,
    options: {
      to: { type: 'string' },
      'no-proof': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(help)
  const to = values.to === undefined ? undefined : path.resolve(values.to)
  if (to !== undefined && existsSync(to)) throw new OperatorError(`--to: ${to} is there already: choose another name.`)
  await onDatabase(async context => {
    const storage = openStorage(context.config)
    const result = await runBackup({ ...context, storage }, { ...(to === undefined ? {} : { to }), prove: !values['no-proof'] })
    const { file, bytes, rows, files, fileBytes, writeMs, proof, removed } = result
    console.log(`Wrote ${file}: ${size(bytes)}, ${rows} rows and ${files} files (${size(fileBytes)}) in ${seconds(writeMs)}.`)
    if (proof)
      console.log(
        `Restored it and compared: ${proof.tables} tables, ${proof.rows} rows, ${proof.files} files agree (${seconds(proof.ms)}).`,
      )
    for (const old of removed) console.log(`Removed ${old}.`)
  })
}

function size(bytes: number) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
function seconds(milliseconds: number) {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
