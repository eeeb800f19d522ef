import { text as readText } from 'node:stream/consumers'
import { limits } from '@tessera/contract/limits'
import { problemOfLogin } from '@tessera/contract/names'
import { LoginName, OptionalEmail, PersonName } from '@tessera/contract/scalars'
import { sql } from 'kysely'
import { type Db, queryRows } from '../db/db.ts'
import { bool, int8, text } from '../db/shape.ts'
import { accept } from '../http/schemas/accept.ts'
import { anyDevice, digest, newToken } from '../http/session-cookie.ts'
import { recordChanges } from '../lib/changes.ts'
import { requireGoodPassword } from '../lib/passwords/password-policy.ts'
import { hashPassword } from '../lib/passwords/passwords.ts'
import { inTransaction } from '../lib/transaction.ts'
import { OperatorError, UsageError } from '../operator-error.ts'
import { parseArguments } from '../process/arguments.ts'
import { type CommandContext, chosenOrganizations, noOrganization, onDatabase } from '../process/command.ts'
import { requireUsableOrganization } from '../process/first-run.ts'

const minutes = 15
export const help = `tessera user create LOGIN [--email ADDRESS] [--full-name NAME] [--given-name NAME] [--organization ID]… [--admin] [--manager] [--super]
                           [--password-stdin]
    Creates a user. Without --password-stdin it prints a link with which they set their password.
    --organization  the id; not needed if there is only one organization; --admin and --manager apply there
    --super         may see all organizations and create new ones; the first one also gets the first organization (TESSERA_ORGANIZATION)
tessera user reset-link LOGIN
    Prints a link with which the user sets a new password: once, within ${minutes} minutes, in any browser.`

export async function run(argv: string[]) {
  const { values, positionals } = parseArguments({
    args: argv,
    allowPositionals: true,
    options: {
      email: { type: 'string', default: '' },
      'full-name': { type: 'string', default: '' },
      'given-name': { type: 'string', default: '' },
      organization: { type: 'string', multiple: true, default: [] },
      admin: { type: 'boolean', default: false },
      manager: { type: 'boolean', default: false },
      super: { type: 'boolean', default: false },
      'password-stdin': { type: 'boolean', default: false },
    },
  })
  const [action, login, ...rest] = positionals
  if ((action !== 'create' && action !== 'reset-link') || login === undefined || rest.length > 0)
    throw new UsageError('Usage: tessera user create LOGIN, or tessera user reset-link LOGIN (--help says more).')
  if (action === 'reset-link') {
    if (argv.some(argument => argument.startsWith('-'))) throw new UsageError('tessera user reset-link takes no options.')
    return onDatabase(context => printResetLink(context, login))
  }
  const user: NewUser = {
    ...checkedNames(login, values.email, { 'full-name': values['full-name'], 'given-name': values['given-name'] }),
    organizations: values.organization,
    isAdmin: values.admin,
    isManager: values.manager,
    isSuper: values.super,
  }
  const password = values['password-stdin'] ? (await readText(process.stdin)).replace(/\r?\n$/, '') : null
  // The first super user may be made before the first start.
  return onDatabase(context => createUser(context, user, password), { mayInstall: user.isSuper })
}

interface NewUser {
  login: string
  email: string
  fullName: string
  givenName: string
  /** Ids; without any, the only organization. */
  organizations: string[]
  isAdmin: boolean
  isManager: boolean
  isSuper: boolean
}

/** Throws UsageError for what a user cannot have. */
function checkedNames(given: string, givenEmail: string, names: Record<'full-name' | 'given-name', string>) {
  const login = accept(LoginName, given)
  if (login === undefined) throw new UsageError(`The login "${given}" must be 1 to ${limits.login} characters without blanks.`)
  const problem = problemOfLogin(login)
  if (problem !== undefined) throw new UsageError(`The login "${login}" ${problem}.`)
  const email = accept(OptionalEmail, givenEmail)
  if (email === undefined) throw new UsageError(`--email: "${givenEmail}" is not an e-mail address.`)
  return { login, email, fullName: nameOf('full-name', names['full-name']), givenName: nameOf('given-name', names['given-name']) }
}

async function createUser(context: CommandContext, user: NewUser, password: string | null) {
  const { login, email, fullName } = user
  if (password !== null) checkPassword(context, password, [login, email, fullName])
  const passwordHash = password === null ? null : await hashPassword(password)
  const titles = await inTransaction(context.db, db => storeUser(db, context, user, passwordHash))
  console.log(`Created the user "${login}" in ${titles.map(title => `"${title}"`).join(', ')}${user.isSuper ? ', a super user' : ''}.`)
  if (passwordHash === null) await printResetLink(context, login)
}

/** Returns the titles of the user's organizations. */
async function storeUser(db: Db, context: CommandContext, user: NewUser, passwordHash: string | null) {
  const { login, email, fullName, givenName, isAdmin, isManager, isSuper } = user
  const { organizations, isFirst } = isSuper
    ? await organizationsOfSuperUser(db, context, user.organizations)
    : { organizations: await chosenOrganizations(db, user.organizations), isFirst: false }
  if (organizations.length === 0) throw noOrganization()
  const rows = await queryRows(db, { id: int8 })`
    insert into user_account (login, email, full_name, given_name, super, password_hash)
    values (${login}, ${email}, ${fullName}, ${givenName}, ${isSuper}, ${passwordHash})
    on conflict (lower(login)) do nothing returning id`
  const userId = rows[0]?.id
  if (userId === undefined) throw new OperatorError(`The login "${login}" is taken: choose another.`)
  for (const { id } of organizations) {
    await sql`
      insert into organization_member (organization_id, user_id, admin, manager)
      values (${id}, ${userId}, ${isFirst || isAdmin}, ${isManager})`.execute(db)
    await recordChanges(db, { organizationId: id, userId: null }, [
      { subject: 'user', subjectId: userId, field: 'User', before: null, after: login },
    ])
  }
  return organizations.map(({ title }) => title)
}

/** The first super user administers the first organization, as after the set-up: without one nobody could sign in, not even to create it. */
async function organizationsOfSuperUser(db: Db, { config }: CommandContext, ids: string[]) {
  // The set-up, which may run at the same time, takes the same lock.
  await sql`select 1 from installation for update`.execute(db)
  const organizations = await chosenOrganizations(db, ids)
  if (organizations.length > 0) return { organizations, isFirst: false }
  const title = config.firstOrganization
  requireUsableOrganization(title)
  return {
    organizations: [await db.insertInto('organization').values({ title }).returning(['id', 'title']).executeTakeFirstOrThrow()],
    isFirst: true,
  }
}

function nameOf(option: string, given: string) {
  const name = accept(PersonName, given)
  if (name === undefined)
    throw new UsageError(`--${option} must be one line of at most ${limits.personName} characters that people can see.`)
  return name
}

function checkPassword({ config }: CommandContext, password: string, words: string[]) {
  try {
    requireGoodPassword(config, password, words)
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}.`)
  }
}

async function printResetLink({ db, config }: CommandContext, login: string) {
  const code = newToken()
  const rows = await queryRows(db, { login: text, disabled: bool })`
    with person as (select id, login, disabled from user_account where lower(login) = lower(${login})),
    made as (
      insert into reset_code (code_hash, user_id, device_hash, expires_at)
      select ${digest(code)}, id, ${anyDevice}, now() + make_interval(mins => ${minutes}) from person where not disabled)
    select login, disabled from person`
  const [person] = rows
  if (!person) throw new OperatorError(`There is no user "${login}": tessera user create ${login} creates one.`)
  if (person.disabled) throw new OperatorError(`The user "${person.login}" is disabled.`)
  if (!process.env.PUBLIC_URL) console.error('PUBLIC_URL is not set, so the link leads to this machine: set it as for the server.')
  console.log(
    `"${person.login}" sets a password here, once, within ${minutes} minutes:\n  ${config.publicUrl}/reset-password-verify/${code}`,
  )
}
