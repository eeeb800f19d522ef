import { parseArgs } from 'node:util'
import { migrate } from '../db/migrate.ts'
import { onDatabase } from '../process/command.ts'

const help = `tessera migrate
    Brings the database to the schema of this program, as the start of the server does.`

export async function run(argv: string[]) {
  const { values } = parseArgs({ args: argv, options: { help: { type: 'boolean', short: 'h', default: false } } })
  if (values.help) return console.log(help)
  await onDatabase(
    async ({ db }) => {
      const { applied } = await migrate(db)
      console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`)
    },
    { schema: 'any' },
  )
}
