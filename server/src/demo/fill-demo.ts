import { sql } from 'kysely'
import { queryRows } from '../db/db.ts'
import { as, int8, text } from '../db/shape.ts'
import { storeAttachment } from '../features/tickets/attachments/store-attachment.ts'
import { repairCounters } from '../features/tickets/counting/recount.ts'
import { newToken } from '../http/session-cookie.ts'
import { hashPassword } from '../lib/passwords/passwords.ts'
import { OperatorError } from '../operator-error.ts'
import type { System } from '../process/system.ts'
import { requireOwnStorage } from '../storage/belonging.ts'
import { type Login, type Person, type Project, people } from './content.ts'
import { projects, secondOrganization, secondProject } from './content-of-projects.ts'
import { organizationLabels } from './content-of-teamwork.ts'
import { makeBugs, makeEpics } from './epics-and-bugs.ts'
import { stationPicture } from './picture.ts'
import { type Making, makeLabels, makeShape } from './project-shape.ts'
import { addTeamwork } from './teamwork.ts'
import { makeTicket, type NewTicket } from './tickets.ts'

export interface DemoPerson {
  login: string
  password: string
  role: string
}

/** Pseudo-random numbers that are the same in every demo. */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Fills an empty installation with a believable organization. Texts and dates depend on the day only; the passwords are random. */
export async function fillDemo({ db, storage }: System): Promise<DemoPerson[]> {
  const { bytes, least } = await storage.free()
  if (bytes < least) {
    const gigabytes = (least / 1e9).toFixed(1)
    throw new OperatorError(
      `The demo has attachments, and they need ${gigabytes} GB of free disk space: make room, or set TESSERA_DATA to another disk.`,
    )
  }
  await requireOwnStorage(db, storage)
  const signIns = people.map(({ login, role }) => ({ login, password: newToken().replaceAll(/[-_]/g, '').slice(0, 12), role }))
  const digests = await Promise.all(signIns.map(({ password }) => hashPassword(password)))
  const pictures = [0, 1, 2, 3, 4, 5].map(stationPicture)
  await db.transaction().execute(async transaction => {
    const rows = await queryRows(transaction, { id: int8, login: as<Login>(text) })`
      insert into user_account (login, full_name, given_name, email, super, password_hash)
      select p.login, p.full_name, p.given_name, p.login || '@larkfield.example', p.super, p.digest
      from jsonb_to_recordset(${JSON.stringify(
        people.map((person: Person, index) => ({
          login: person.login,
          full_name: person.fullName,
          given_name: person.givenName,
          super: person.super ?? false,
          digest: digests[index],
        })),
      )}::jsonb) as p (login text, full_name text, given_name text, super boolean, digest text)
      returning id, login`
    const ids = Object.fromEntries(rows.map(({ id, login }) => [login, id])) as Record<Login, number>
    const roll = dice(20_261)
    const common = { db: transaction, storage, ids, roll, pictures, pick: <T>(from: readonly T[]) => from[roll(from.length)] as T }
    const founders = people.filter(({ login }) => login === 'mara' || login === 'priya')
    await makeOrganization(common, 'Larkfield', people, projects)
    await makeOrganization(common, secondOrganization, founders, [secondProject])
  })
  return signIns
}

type Common = Pick<Making, 'db' | 'storage' | 'ids' | 'roll' | 'pictures' | 'pick'>

async function makeOrganization(common: Common, title: string, members: readonly Person[], projects: Project[]) {
  const { db, storage, ids } = common
  const { id } = await db.insertInto('organization').values({ title }).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('organization_member')
    .values(
      members.map(({ login, admin, manager }) => ({
        organization_id: id,
        user_id: ids[login as Login],
        admin: admin ?? false,
        manager: manager ?? false,
      })),
    )
    .execute()
  const making: Making = {
    ...common,
    organizationId: id,
    organizationLabels: await makeLabels(db, id, null, organizationLabels),
    ...{ tickets: [], comments: [], mentions: [], history: [], attachments: [] },
  }
  for (const project of projects) {
    const shape = await makeShape(making, project)
    const make = (ticket: NewTicket) => makeTicket(making, project, shape, ticket)
    await makeEpics(making, project, make)
    await makeBugs(making, project, make)
  }
  await addTeamwork(making)
  for (const attachment of making.attachments) await storeAttachment(db, storage, attachment)
  await repairCounters(db, id)
  // Nobody wants mail about the demo's past.
  await sql`delete from ticket_notice where organization_id = ${id}`.execute(db)
}
