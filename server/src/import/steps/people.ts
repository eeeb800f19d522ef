import { hash } from 'node:crypto'
import { limits } from '@tessera/contract/limits'
import { problemOfLogin } from '@tessera/contract/names'
import { contributorPermissions } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { int4, int8 } from '../../db/shape.ts'
import { permissionMask } from '../../lib/authorize.ts'
import { beginning } from '../../lib/excerpt.ts'
import type { Plan } from '../export/plan.ts'
import { oneLine } from '../export/text.ts'
import type { ImportContext } from './context.ts'

/**
 * The people of the export, by their name in it: existing members of this organization, and new ones without a sign-in. Logins are
 * unique in the installation; a user of another organization is never matched with a person in the file, who gets another login instead.
 * Assignees become members of the project.
 */
export async function importPeople(context: ImportContext, plan: Plan) {
  const { db, organizationId, projectId, problems } = context
  const nameOfLogin = new Map([...plan.people].map(([name, { login }]) => [login, name]))
  const spellings = Map.groupBy(plan.people.values(), ({ login }) => login)
  const idOfLogin = new Map<string, number>()
  const used = new Set<number>()
  let made = 0
  const invented = await inventedLogins(context, [...nameOfLogin.keys()])
  // Invented logins come last: who has such a login in the file is that person.
  let open = [...nameOfLogin.keys()].sort((a, b) => Number(invented.has(a)) - Number(invented.has(b)))
  for (let attempt = 0; open.length > 0; attempt++) {
    const candidates = open.map(login => candidate(invented.get(login)?.login ?? login, organizationId, attempt))
    const fullNames = open.map(login => fullName(nameOfLogin.get(login), login, attempt > 0 || invented.has(login)))
    made += await makeMembers(context, candidates, fullNames)
    for (const { place, id } of await membersWith(context, candidates)) {
      // Two spellings may be one person only in this first step: later, a generated login could match somebody else in the file.
      const login = open[place] as string
      const odd = invented.get(login)
      if ((attempt > 0 || odd) && used.has(id)) continue
      idOfLogin.set(login, id)
      used.add(id)
      if (attempt === 0 && !odd) continue
      const reason = odd?.problem ?? 'is the login of somebody outside the organization'
      const text = `'${login}' ${reason}: is imported as '${candidates[place]}', without a sign-in`
      const rows = new Set(spellings.get(login)?.flatMap(({ rows }) => rows))
      problems.push({ rows: [...rows].sort((a, b) => a - b), column: 'people', text })
    }
    open = open.filter(login => !idOfLogin.has(login))
  }
  const ids = new Map([...plan.people].map(([name, { login }]) => [name, idOfLogin.get(login) as number]))
  const assignees = [...new Set([...plan.assignees].map(name => ids.get(name) as number))]
  await sql`
    insert into project_member (organization_id, project_id, user_id, permissions)
    select ${organizationId}::bigint, ${projectId}::bigint, id, ${permissionMask(contributorPermissions)}::int from unnest(${assignees}::bigint[]) as id
    on conflict (organization_id, project_id, user_id) do nothing`.execute(db)
  return { ids, made }
}

/** Adds a person without a sign-in for each of the logins that nobody in the installation has. Returns how many. */
async function makeMembers({ db, organizationId }: ImportContext, logins: string[], fullNames: string[]) {
  const fresh = await queryRows(db, { id: int8 })`
    insert into user_account (login, full_name)
    select login, full_name from unnest(${logins}::text[], ${fullNames}::text[]) as given (login, full_name)
    on conflict (lower(login)) do nothing returning id`
  await sql`
    insert into organization_member (organization_id, user_id)
    select ${organizationId}::bigint, id from unnest(${fresh.map(({ id }) => id)}::bigint[]) as id`.execute(db)
  return fresh.length
}

/** The members of the organization with these logins: the place of the login in the list, from 0, and the person's id. */
function membersWith({ db, organizationId }: ImportContext, logins: string[]) {
  return queryRows(db, { place: int4, id: int8 })`
    select given.place::int - 1 as place, u.id from organization_member m join user_account u on u.id = m.user_id
    join unnest(${logins}::text[]) with ordinality as given (login, place) on lower(given.login) = lower(u.login)
    where m.organization_id = ${organizationId} order by given.place`
}

/**
 * The logins that could be taken for another's, as 'r\u043eot' with a Cyrillic letter, unless a member already has it: each with the reason and the
 * login that its person gets instead, the same in every run.
 */
async function inventedLogins(context: ImportContext, logins: string[]) {
  const odd = logins.flatMap(login => {
    const problem = problemOfLogin(login)
    return problem === undefined ? [] : [{ login, problem }]
  })
  const members = await membersWith(
    context,
    odd.map(({ login }) => login),
  )
  const known = new Set(members.map(({ place }) => odd[place]?.login))
  const shortHash = (login: string) => hash('sha256', login.toLowerCase()).slice(0, 12)
  const strangers = odd.filter(({ login }) => !known.has(login))
  return new Map(strangers.map(({ login, problem }) => [login, { login: `imported_${shortHash(login)}`, problem }]))
}

/** The login itself, then with the organization's number: the same in the next import of this organization. */
function candidate(login: string, organizationId: number, attempt: number) {
  if (attempt === 0) return login
  const suffix = `_${organizationId}${attempt === 1 ? '' : `_${attempt}`}`
  return beginning(login, limits.login - suffix.length) + suffix
}

/** The name in the export without invisible characters; nothing if it is the login. */
function fullName(name: string | undefined, login: string, hasOtherLogin: boolean) {
  const seen = oneLine((name ?? login).replaceAll(/\p{Cf}+/gu, ''))
  return seen === login && !hasOtherLogin ? '' : beginning(seen, limits.personName)
}
