import { counted } from '../counted.ts'
import { OperatorError, UsageError } from '../operator-error.ts'
import { parseArguments } from '../process/arguments.ts'
import { type CommandContext, onDatabase } from '../process/command.ts'
import { belongingOf, claimStorage, requireAnswer, requireOwnStorage } from '../storage/belonging.ts'
import { cleanUpStorage, inspectStorage, lastCleanUp } from '../storage/clean-up.ts'
import { openStorage } from '../storage/open-storage.ts'

export const help = `tessera storage
    Says whether the storage of attachments (TESSERA_STORAGE) belongs to the database, what it contains and what the last clean-up did.
tessera storage claim
    Makes this storage belong to this database, whatever was recorded before: for use after the database was moved by its own tools, or after one of
    the two was replaced. First stop every other server that uses the storage: it will no longer be ready.
tessera storage clean-up [--all]
    What the server does every hour: moves files without an attachment to the bin, for 30 days, and moves back files that an attachment needs.
    --all  even if they are more than 5 % of all files or more than 100`

export async function run(argv: string[]) {
  const { values, positionals } = parseArguments({
    args: argv,
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false } },
  })
  const [action = 'show', ...rest] = positionals
  if (!['show', 'claim', 'clean-up'].includes(action) || rest.length > 0 || (values.all && action !== 'clean-up'))
    throw new UsageError('Usage: tessera storage, tessera storage claim, or tessera storage clean-up [--all].')
  return onDatabase(async context => {
    if (action === 'claim') return claim(context)
    if (action === 'clean-up') return cleanUp(context, values.all)
    return show(context)
  })
}

async function show({ db, config }: CommandContext) {
  const storage = openStorage(config)
  await requireAnswer(storage)
  const { state, id, advice } = await belongingOf(db, storage)
  console.log(`Storage ${id ?? 'without an id'}: ${advice}.`)
  const { files, orphans, missing } = await inspectStorage(db, storage)
  console.log(`It holds ${counted(files, 'file')}; ${orphans} without an attachment, ${counted(missing, 'attachment')} without a file.`)
  const last = await lastCleanUp(db)
  console.log(
    last ? `Last clean-up ${last.at}: ${last.moved} moved to the bin, ${last.bin} in it, ${last.refused} refused.` : 'No clean-up yet.',
  )
  return state === 'own' ? 0 : 1
}

async function claim({ db, config }: CommandContext) {
  const storage = openStorage(config)
  await requireAnswer(storage)
  if ((await belongingOf(db, storage)).state === 'own') {
    console.log('The storage already belongs to this database.')
    return 0
  }
  await claimStorage(db, storage)
  const { files, missing } = await inspectStorage(db, storage)
  console.log(`The storage belongs to this database from now on: ${counted(files, 'file')}, ${counted(missing, 'attachment')} without one.`)
  return 0
}

async function cleanUp({ db, config }: CommandContext, all: boolean) {
  const storage = openStorage(config)
  await requireOwnStorage(db, storage)
  const { moved, refused, putBack, removed, files } = await cleanUpStorage(db, storage, { all })
  if (refused > 0)
    throw new OperatorError(
      `${refused} of ${files} files belong to no attachment, too many for a clean-up: make sure that this is the newest state of the database, then add --all.`,
    )
  console.log(`Moved ${counted(moved, 'file')} to the bin, took ${putBack} back, deleted ${removed} that had been there for 30 days.`)
  return 0
}
