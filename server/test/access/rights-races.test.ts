import type { Call } from '@tessera/contract/call'
import { removeOrganizationMember, setOrganizationMember } from '@tessera/contract/people/organizations'
import { setUserDataAdmin } from '@tessera/contract/people/users'
import { setUserPermission } from '@tessera/contract/projects/project-config'
import { copyProjectSetUp } from '@tessera/contract/projects/project-set-up'
import { removeProjectMember } from '@tessera/contract/projects/projects'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handlers } from '../../src/handlers/handlers.ts'
import { makeMember, makeUser } from '../fixtures/factories.ts'
import { type Caller, startServer, type TestServer } from '../servers/server.ts'
import { rounds } from '../torture/tools/product.ts'
import { inputs } from './inputs.ts'
import { makeWorld, type World } from './world.ts'
import { watchRows } from './written-rows.ts'

let server: TestServer
let world: World
let races = 0
let attempts = 0

beforeAll(async () => {
  server = await startServer()
  world = await makeWorld(server)
})
afterAll(async () => {
  console.log(`rights-races: ${races} races, ${attempts} attempts to use a right while it was taken away, 0 late`)
  await server[Symbol.asyncDispose]()
})

const mutations = Object.values(handlers)
  .map(({ call }) => call as Call)
  .filter(({ kind }) => kind === 'mutation')
const changing = mutations.filter(({ changesRights }) => changesRights)

test('every call that writes members, roles, permissions, people, projects or organizations is marked', async () => {
  const rights = new Set(['organization', 'organization_member', 'project', 'project_member', 'role', 'user_account'])
  // They write such a table, but nothing that anybody's rights depend on.
  const others: Record<string, string> = {
    'accept-invitation': 'takes its turn by itself: no session says whose',
    'set-user-data': 'the own profile',
    'set-state-transitions': 'the version of the workflow',
  }
  await using watched = await watchRows(server.db)
  const found: string[] = []
  for (const call of mutations) {
    const name = call.name.replace('public/', '')
    const make = inputs[name]
    if (!make || name === 'logout' || name === 'simulate-timeout') continue
    const input = await make(world.home, server)
    const { written } = await watched.during(() => server.as(world.callers['super in this org'], call, input))
    if (written.some(({ table }) => rights.has(table))) found.push(name)
  }
  // The input of this one changes nothing.
  found.push('set-organization-member', 'set-user-permission')
  // It writes none of these tables, but its mail lets a person in.
  found.push('send-welcome-mail')
  expect([...new Set(found)].sort()).toEqual([...changing.map(({ name }) => name), ...Object.keys(others)].sort())
})

type Standing = 'member' | 'admin' | 'manager'
interface Person extends Caller {
  idProjectMember: number
}

/** What takes the right away, called by somebody who may. */
const takers: Record<Standing, Record<string, (person: Person, call: Call) => [Call, object]>> = {
  member: {
    'the permission': ({ idProjectMember }, { permission }) => [
      setUserPermission,
      { ...project(), idProjectMember, idPermission: permission, Enabled: 0 },
    ],
    'View tickets': ({ idProjectMember }) => [setUserPermission, { ...project(), idProjectMember, idPermission: 1, Enabled: 0 }],
    'the project': ({ idProjectMember }) => [removeProjectMember, { ...project(), idProjectMember }],
    'all projects': ({ idUser }) => [setUserDataAdmin, { idUser, ProjectMembership: [] }],
    'the organization': ({ idUser }) => [removeOrganizationMember, { ...organization(), idUser }],
  },
  admin: {
    'Organisation Admin': ({ idUser }) => [setOrganizationMember, { ...organization(), idUser, Admin: 0 }],
    'the organization': ({ idUser }) => [removeOrganizationMember, { ...organization(), idUser }],
  },
  manager: {
    managing: ({ idUser }) => [setOrganizationMember, { ...organization(), idUser, Manager: 0 }],
    'the organization': ({ idUser }) => [removeOrganizationMember, { ...organization(), idUser }],
  },
}
const project = () => ({ idProject: world.home.project.projectId })
const organization = () => ({ idOrganization: world.home.organizationId })

/** Who may make the call, other than by being a super user, which no call takes away. */
function standingsFor({ access, rank }: Call): Standing[] {
  if (rank === 'super') return []
  if (rank === 'manager') return ['admin', 'manager']
  return access === 'project' ? ['member', 'admin'] : ['admin']
}

let turn = 0
/** Inputs that change something each time, where the usual one does not. */
const varied: Record<string, () => object> = {
  'set-user-permission': () => ({ ...project(), idProjectMember: world.home.memberId, idPermission: 2 }),
  'set-organization-member': () => ({ ...organization(), idUser: world.home.userId, Admin: turn++ % 2 }),
}
/** What gives the person back what is taken. */
const forSelf: Record<string, (person: Person) => object> = {
  'add-project-member': ({ idUser }) => ({ ...project(), idUser }),
  'restore-project-member': ({ idUser }) => ({ ...project(), idUser }),
  'set-user-permission': ({ idProjectMember }) => ({ ...project(), idProjectMember, idPermission: 11, Enabled: 1 }),
  'set-user-data-admin': ({ idUser }) => ({ idUser, ProjectMembership: [project().idProject] }),
  'set-organization-member': ({ idUser }) => ({ ...organization(), idUser, Admin: 1 }),
  'restore-organization-member': ({ idUser }) => ({ ...organization(), idUser }),
}

async function someone(standing: Standing): Promise<Person> {
  const { organizationId } = world.home
  const idUser = await makeUser(server.db, organizationId, { admin: standing === 'admin', manager: standing === 'manager' })
  const idProjectMember = await makeMember(server.db, organizationId, project().idProject, idUser, standing === 'member' ? 'all' : [])
  return { ...(await server.signedIn(idUser, organizationId)), idProjectMember }
}

const pairs = changing
  .flatMap(call =>
    standingsFor(call).flatMap(standing => Object.entries(takers[standing]).map(([taken, take]) => ({ call, standing, taken, take }))),
  )
  // It changes another project, where the permission stays; in this one it needs View tickets alone.
  .filter(({ call, taken }) => call.name !== copyProjectSetUp.name || taken !== 'the permission')

test('only the creation of organizations needs a right that no call revokes', () => {
  const raced = new Set(pairs.map(({ call }) => call))
  expect(changing.filter(call => !raced.has(call)).map(({ name }) => name)).toEqual(['create-organization'])
})

/**
 * The person calls over and over while an administrator takes the right away. History is written in the order in which the calls had their turn: a
 * row of the person behind the administrator's shows a right that was used after it was gone.
 */
test.each(pairs)('$call.name as $standing, while $taken is taken away', async ({ call, standing, take }) => {
  for (let round = 0; round < rounds(1); round++) {
    const person = await someone(standing)
    // A manager outranks an administrator.
    const admin = world.callers[standing === 'manager' ? 'super in this org' : 'org admin'] as Caller
    let isTaken = false
    const lane = async (make: () => object | Promise<object>) => {
      for (let first = true; first || !isTaken; first = false) {
        await server.as(person, call, await make())
        attempts++
      }
    }
    const usual = () => varied[call.name]?.() ?? inputs[call.name]?.(world.home, server) ?? {}
    const own = () => forSelf[call.name]?.(person) ?? usual()
    const lanes = [usual, own, own].map(lane)
    const [taker, input] = take(person, call)
    const taken = await server.as(admin, taker, input)
    isTaken = true
    await Promise.all(lanes)
    expect(taken).toMatchObject({ status: 200 })
    const late = await server.sql<{ field: string }>`
      with taken as (
        select max(change_set_id) as id from change where organization_id = ${world.home.organizationId} and user_id = ${admin.idUser})
      select c.subject, c.subject_id, c.field, c.before, c.after from change c, taken
      where c.organization_id = ${world.home.organizationId} and c.user_id = ${person.idUser} and c.change_set_id > taken.id`
    expect(late).toEqual([])
    expect((await server.as(person, call, await own())).status).not.toBe(200)
    races++
  }
})
