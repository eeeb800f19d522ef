import { sql } from 'kysely'
import { counted } from '../counted.ts'
import { acrossOrganizations } from '../db/guard/across-organizations.ts'
import { OperatorError, UsageError } from '../operator-error.ts'
import { parseArguments } from '../process/arguments.ts'
import { onDatabase } from '../process/command.ts'

export const help = `tessera sessions revoke (--user LOGIN | --all)
    Ends the sessions at once, with effect from the next request.`

export async function run(argv: string[]) {
  const { values, positionals } = parseArguments({
    args: argv,
    allowPositionals: true,
    options: { user: { type: 'string' }, all: { type: 'boolean', default: false } },
  })
  if (positionals.length !== 1 || positionals[0] !== 'revoke' || (values.user === undefined) === !values.all)
    throw new UsageError('Usage: tessera sessions revoke --user LOGIN, or tessera sessions revoke --all.')
  await onDatabase(async ({ db }) => {
    const { user = null } = values
    if (user !== null) {
      const { rows } = await sql`select 1 from user_account where lower(login) = lower(${user})`.execute(db)
      if (rows.length === 0) throw new OperatorError(`There is no user "${user}".`)
    }
    const { rows } = await sql`${acrossOrganizations('operator')}
      update session set ended_at = now(), end_reason = 'revoked' where ended_at is null
        and (${user}::text is null or user_id in (select id from user_account where lower(login) = lower(${user})))
      returning 1`.execute(db)
    console.log(`Ended ${counted(rows.length, 'session')}${user === null ? '' : ` of "${user}"`}.`)
  })
}
