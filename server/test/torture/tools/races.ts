import { limits } from '@tessera/contract/limits'
import {
  createNewState,
  getTicketStateList,
  setStateTransitions,
  setTicketStateOrder,
  setUserPermission,
} from '@tessera/contract/projects/project-config'
import { createProject } from '@tessera/contract/projects/projects'
import { moveTicket } from '@tessera/contract/tickets/moving'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { type MadeProject, makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../../fixtures/factories.ts'
import type { Caller, Db, TestServer } from '../../servers/server.ts'

/** Two lines of this length are as deep as a tree may be. */
export const half = limits.depth / 2

/** A chain of tickets, each the child of the one before; returns the first and the last. */
export async function makeLine(db: Db, organization: number, project: MadeProject, length: number): Promise<[number, number]> {
  const first = await makeTicket(db, organization, project)
  let last = first
  for (let made = 1; made < length; made++) last = await makeTicket(db, organization, project, { parentId: last })
  return [first, last]
}

type App = TestServer['app']
export interface Race {
  name: string
  /** Prepares one race and gives its two sides and what must hold afterwards. */
  prepare(): Promise<{
    first: (app: App) => Promise<Reply>
    second: (app: App) => Promise<Reply>
    check: (a: Reply, b: Reply) => Promise<void> | void
  }>
}
interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: each call answers something else.
  body: any
}

export async function races(server: TestServer): Promise<{ list: Race[]; organization: number }> {
  const { db } = server
  const organization = await makeOrganization(db)
  const project = await makeProject(db, organization)
  const idProject = project.projectId
  const { open, doing, done } = project.states
  const person = async (options = {}) => {
    const id = await makeUser(db, organization, options)
    const member = await makeMember(db, organization, idProject, id, 'all')
    return { id, member, caller: await server.signedIn(id, organization) }
  }
  const [ann, bob] = [await person({ admin: true }), await person({ admin: true })]
  const as = (who: { caller: Caller }, call: Parameters<TestServer['as']>[1], input: unknown) => (app: App) =>
    server.as(who.caller, call, input, {}, app) as Promise<Reply>
  const titleOf = async (id: number) =>
    await db
      .selectFrom('ticket')
      .select(['title', 'state_id'])
      .where('organization_id', '=', organization)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  let count = 0
  const [, deep] = await makeLine(db, organization, project, half)
  const Transitions = [
    { from: open, to: doing },
    { from: doing, to: done },
  ]
  expect((await as(ann, setStateTransitions, { idProject, Transitions })(server.app)).status).toBe(200)

  return {
    organization,
    list: [
      {
        name: 'save/save of one field',
        async prepare() {
          const idTicket = await makeTicket(db, organization, project)
          return {
            first: as(ann, setTicketData, { idTicket, Title: 'Ann', Version: 1 }),
            second: as(bob, setTicketData, { idTicket, Title: 'Bob', Version: 1 }),
            async check(a, b) {
              expect([a.status, b.status].sort()).toEqual([200, 409])
              expect((await titleOf(idTicket)).title).toBe(a.status === 200 ? 'Ann' : 'Bob')
            },
          }
        },
      },
      {
        name: 'save/state along a workflow',
        async prepare() {
          const idTicket = await makeTicket(db, organization, project)
          return {
            first: as(ann, setTicketData, { idTicket, State: doing, Title: 'With the state' }),
            second: as(bob, setTicketData, { idTicket, State: done }),
            // There is no transition from Open to Done: Bob succeeds only after Ann.
            async check(a, b) {
              expect([a.status, [200, 409].includes(b.status)]).toEqual([200, true])
              expect((await titleOf(idTicket)).state_id).toBe(b.status === 200 ? done : doing)
            },
          }
        },
      },
      {
        name: 'toggle/toggle',
        async prepare() {
          const { member } = await person()
          const toggle = { idProject, idProjectMember: member, idPermission: 6 }
          return {
            first: as(ann, setUserPermission, toggle),
            second: as(bob, setUserPermission, toggle),
            check(a, b) {
              expect([a.status, b.status]).toEqual([200, 200])
              expect([a.body.Enabled, b.body.Enabled].sort()).toEqual([0, 1])
            },
          }
        },
      },
      {
        name: 'reorder/create state',
        async prepare() {
          const before = ((await as(ann, getTicketStateList, { idProject })(server.app)).body as { id: number }[]).map(({ id }) => id)
          const SortOrder = [...before].reverse()
          return {
            first: as(ann, setTicketStateOrder, { idProject, SortOrder }),
            second: as(bob, createNewState, { idProject, State: `State ${count++}`, idPhase: 1 }),
            async check(a, b) {
              expect([a.status, b.status]).toEqual([200, 200])
              const after = ((await as(ann, getTicketStateList, { idProject })(server.app)).body as { id: number }[]).map(({ id }) => id)
              expect(after).toEqual([...SortOrder, b.body.idState])
            },
          }
        },
      },
      {
        name: 'create/create with one short code',
        async prepare() {
          const ShortCode = `C${count++}`
          return {
            first: as(ann, createProject, { Title: 'One', ShortCode }),
            second: as(bob, createProject, { Title: 'Two', ShortCode: ShortCode.toLowerCase() }),
            check: (a, b) => expect([a.status, b.status].sort()).toEqual([200, 422]),
          }
        },
      },
      {
        name: 'revoke/save',
        async prepare() {
          const { caller, member } = await person()
          const idTicket = await makeTicket(db, organization, project, { title: 'Before' })
          return {
            first: as(ann, setUserPermission, { idProject, idProjectMember: member, idPermission: 3, Enabled: 0 }),
            second: as({ caller }, setTicketData, { idTicket, Title: 'After' }),
            async check(a, b) {
              expect([a.status, [200, 422].includes(b.status)]).toEqual([200, true])
              expect((await titleOf(idTicket)).title).toBe(b.status === 200 ? 'After' : 'Before')
              expect((await as({ caller }, setTicketData, { idTicket, Title: 'Later' })(server.app)).status).toBe(422)
            },
          }
        },
      },
      {
        name: 'move deeper/create below',
        async prepare() {
          const [idTicket, deepest] = await makeLine(db, organization, project, half + 1)
          return {
            first: as(ann, moveTicket, { idTicket, idParent: deep }),
            second: as(bob, createNewTicket, { idProject, idTemplate: project.templates.bug, idParent: deepest, Title: 'Below' }),
            // One level is left: the second one is refused.
            async check(a, b) {
              expect([a.status, b.status].sort(), JSON.stringify([a.body, b.body])).toEqual([200, 422])
              expect(await deepestLevel(db, organization)).toBeLessThanOrEqual(limits.depth)
            },
          }
        },
      },
    ],
  }
}

/** The depth of the deepest ticket. */
export async function deepestLevel(db: Db, organization: number) {
  const { rows } = await sql<{ level: number }>`
    with recursive below (id, level) as (
      select id, 0 from ticket where organization_id = ${organization} and parent_id is null
      union all
      select t.id, below.level + 1 from below join ticket t on t.organization_id = ${organization} and t.parent_id = below.id
    )
    select max(level) as level from below`.execute(db)
  return rows[0]?.level
}
