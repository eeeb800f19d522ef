import { migrate, nameMigrations } from '../db/schema/migrate.ts'
import { parseArguments } from '../process/arguments.ts'
import { onDatabase } from '../process/command.ts'

export const help = `tessera migrate
    Migrates the database to the schema of this program, as the server does when it starts.`

export async function run(argv: string[]) {
  parseArguments({ args: argv })
  await onDatabase(
    async ({ db }) => {
      const { applied } = await migrate(db)
      console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${nameMigrations(applied)}.`)
    },
    { schema: 'any', mayInstall: true },
  )
}
