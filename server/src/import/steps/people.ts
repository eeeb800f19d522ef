import { limits } from '@tessera/contract/limits'
import { contributorPermissions } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { int4, int8 } from '../../db/shape.ts'
import { permissionMask } from '../../lib/authorize.ts'
import type { Plan } from '../export/plan.ts'
import { cut } from '../export/text.ts'
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
  let open = [...nameOfLogin.keys()]
  for (let attempt = 0; open.length > 0; attempt++) {
    const candidates = open.map(login => candidate(login, organizationId, attempt))
    const fresh = await queryRows(db, { id: int8 })`
      insert into user_account (login, full_name)
      select login, full_name from unnest(${candidates}::text[], ${open.map(login => fullName(nameOfLogin.get(login), login, attempt))}::text[]) as given (login, full_name)
      on conflict (lower(login)) do nothing returning id`
    made += fresh.length
    await sql`
      insert into organization_member (organization_id, user_id)
      select ${organizationId}::bigint, id from unnest(${fresh.map(({ id }) => id)}::bigint[]) as id`.execute(db)
    const found = await queryRows(db, { place: int4, id: int8 })`
      select given.place::int as place, u.id from organization_member m join user_account u on u.id = m.user_id
      join unnest(${candidates}::text[]) with ordinality as given (login, place) on lower(given.login) = lower(u.login)
      where m.organization_id = ${organizationId} order by given.place`
    for (const { place, id } of found) {
      // Two spellings may be one person only in this first step: later, a generated login could match somebody else in the file.
      if (attempt > 0 && used.has(id)) continue
      const login = open[place - 1] as string
      idOfLogin.set(login, id)
      used.add(id)
      if (attempt === 0) continue
      const text = `'${login}' is the login of somebody outside the organization: comes in as '${candidates[place - 1]}', without a sign-in`
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

/** The login itself, then with the organization's number: the same in the next import of this organization. */
function candidate(login: string, organizationId: number, attempt: number) {
  if (attempt === 0) return login
  const suffix = `_${organizationId}${attempt === 1 ? '' : `_${attempt}`}`
  return cut(login, limits.login - suffix.length) + suffix
}

/** The name in the export, if it differs from the login. */
function fullName(name: string | undefined, login: string, attempt: number) {
  return attempt === 0 && name === login ? '' : cut(name ?? login, limits.personName)
}
