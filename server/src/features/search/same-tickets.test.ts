import type { Request } from '@tessera/contract/call'
import type { Renderer } from '@tessera/contract/projects/project-config'
import { setProjectData } from '@tessera/contract/projects/projects'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { getViewList, setView } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { previewBulkChange } from '@tessera/contract/tickets/bulk'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { exportTickets, searchTickets } from '@tessera/contract/tickets/search'
import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeAssignment, makeField, makeMember, makeUser } from '../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../test/fixtures/worlds/search-world.ts'
import { serverOfFile, type TestServer } from '../../../test/servers/server.ts'

const server = await serverOfFile()

/** Thirty tickets of all kinds, in a project whose due date is not the field with the key `due`. */
async function makeTickets(of: TestServer) {
  const made = await searchWorld(of)
  const { organization, project, user, caller, make } = made
  const { projectId: idProject, states, templates } = project
  const options = ['x', 'y', ',', 'É'].map(value => ({ value, label: value }))
  const types: [key: string, type: Renderer, values: string[]][] = [
    ['cost', 'NUMBER', ['20', '1e100', '-.5']],
    ['due', 'DATE', ['2026-01-01', '9999-12-31']],
    ['ends', 'DATE', ['2024-02-29', '2999-01-01', '0001-01-01']],
    ['tags', 'MULTISELECT', ['["x","y"]', '["\\u00c9"]', '[","]']],
    ['owner', 'USER', [String(user)]],
  ]
  const existing: typeof types = [
    ['note', 'TEXT', ['red ship', 'boat', '']],
    ['size', 'SELECT', ['s', 'l']],
  ]
  for (const [key, type] of types) await makeField(of.db, organization, project, key, type, { options })
  await of.as(caller, setProjectData, { idProject, DueField: 'ends' })
  await of.sql`
    update template set name = case when id = ${templates.bug} then 'Zebra' else 'Ärger' end
    where organization_id = ${organization} and project_id = ${idProject}`
  const namesake = await makeUser(of.db, organization, { login: `m-${organization}`, fullName: 'me' })
  await makeMember(of.db, organization, idProject, namesake, [1])
  const ids: number[] = []
  for (let n = 0; n < 30; n++) {
    const parentId = n % 3 === 1 ? ids[n >> 1] : undefined
    const stateId = Object.values(states)[n % 3] as number
    const id = await make(['boat', 'red Boat', 'naïve ship', 'OPS-1 λάθος'][n % 4] as string, { stateId, ...(parentId && { parentId }) })
    ids.push(id)
    const own = [...types, ...existing].filter((_, index) => (n + index) % 2 === 0)
    const data = Object.fromEntries(own.map(([key, , values]) => [key, values[n % values.length] ?? '']))
    await of.as(caller, setTicketData, { idTicket: id, data, ...(n % 4 === 0 && { idTemplate: templates.task }) })
    for (const [index, person] of [user, namesake].entries())
      if (n % (index + 3) === 0) await makeAssignment(of.db, organization, project, id, person)
  }
  for (const n of [4, 17, 20]) await of.as(caller, trashTicket, { idTicket: ids[n] as number })
  return { idProject, caller }
}

const term = fc.constantFrom(
  'boat',
  '"red boat"',
  'ship',
  'ops',
  'OPS-1',
  'title:*OA*',
  'text:red',
  'λαθος',
  'state:open',
  'state:done,proposed',
  'type:arger',
  'phase:2',
  'assignee:me',
  'assignee:"me"',
  'assignee:none',
  'creator:none',
  'label:none',
  'parent:none',
  'is:open',
  'is:closed',
  'is:mine',
  'is:leaf',
  'is:trashed',
  'is:watched',
  'has:children',
  'has:active-children',
  'has:assignee',
  'cost:>5',
  'cost:<=20',
  'cost:none',
  'due:<today',
  'due:none',
  'ends:2024-02',
  'tags:x',
  'tags:","',
  'tags:é',
  'tags:empty',
  'owner:me',
  'size:large',
  'note:BOA',
  'created:today',
  'updated:<1d',
  'id:>0',
  'phase:proposed@today',
  'phase:active@2020',
  'watcher:me,nobody',
)
const tree = fc.letrec<{ tree: string }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 2 },
    term,
    fc.tuple(tie('tree'), tie('tree')).map(([one, other]) => `(${one} or ${other})`),
    fc.tuple(tie('tree'), tie('tree')).map(parts => parts.join(' ')),
    tie('tree').map(one => `-(${one})`),
  ),
})).tree
const Column = fc.constantFrom(
  'ID',
  'Type',
  'State',
  'Phase',
  'Assignees',
  'Labels',
  'Parent',
  'Watched',
  'cost',
  'due',
  'ends',
  'tags',
  'owner',
  'size',
)
const sort = fc.uniqueArray(fc.record({ Column, Direction: fc.constantFrom('asc' as const, 'desc' as const) }), {
  selector: slot => slot.Column,
  maxLength: 3,
})
const order = fc.constantFrom('', ' sort:title', ' sort:-due,cost', ' sort:type,-size', ' sort:-assignee,state,id')

const ascending = (ids: readonly number[]) => ids.toSorted((one, other) => one - other)
const idsOf = (tickets: readonly { id: number }[]) => tickets.map(({ id }) => id)

test('lists, searches, exports, views, boards, charts and bulk changes find the same tickets, in the same order', {
  tags: ['long'],
  timeout: 180_000, // twenty calls a round, most of them with statements of their own
}, async () => {
  const { idProject, caller } = await makeTickets(server)
  const list = async (input: Partial<Request<typeof queryTickets>>): Promise<number[]> => {
    const read: number[] = []
    for (let Cursor: string | null | undefined; Cursor !== null; ) {
      const { status, body } = await server.as(caller, queryTickets, { idProject, ...input, ...(Cursor && { Cursor }) })
      expect([input, status]).toEqual([input, 200])
      read.push(...idsOf(body.Tickets))
      Cursor = body.NextCursor
    }
    return read
  }
  const { idView } = (await server.as(caller, setView, { idProject, Name: 'any' })).body
  await fc.assert(
    fc.asyncProperty(tree, order, sort, async (where, inQuery, Sort) => {
      const Query = where + inQuery
      const whole = await list({ Query, Sort })
      const sorted = ascending(whole)
      expect(await list({ Query, Sort, Limit: 7 }), 'page by page').toEqual(whole)
      const found = (await server.as(caller, searchTickets, { idProject, Query, Sort })).body
      const [all, rest] = [await list({ Query: `(${where}) or -(${where})` }), await list({ Query: `-(${where})` })]
      expect(ascending([...whole, ...rest]), 'with the opposite').toEqual(ascending(all))

      // A search ranks unless there is an order; with few results it finds similar words, too.
      const isOrdered = Sort.length > 0 || inQuery !== ''
      if (!found.Also)
        expect(isOrdered ? idsOf(found.Tickets) : ascending(idsOf(found.Tickets)), 'search').toEqual(isOrdered ? whole : sorted)
      const asText = Sort.map(slot => `${slot.Column}.${slot.Direction}`).join()
      const file = await server.as(caller, exportTickets, { idProject: String(idProject), Query, Sort: asText })
      const keys = parse(file.body as unknown as string, { bom: true })
        .slice(1)
        .map(([key]) => Number(key?.slice('OPS-'.length)))
      expect(keys, 'export').toEqual(whole)
      await server.as(caller, setView, { idProject, idView, Query })
      const [view] = (await server.as(caller, getViewList, { idProject, Counts: 1 })).body
      expect(view?.Total, 'view').toBe(whole.length)
      for (const Group of ['State', 'Assignee', 'size']) {
        const { Columns } = (await server.as(caller, queryBoard, { idProject, Query, Group })).body
        for (const { Total, Tickets } of Columns) expect(Tickets, `column by ${Group}`).toHaveLength(Total)
        expect(ascending([...new Set(Columns.flatMap(({ Tickets }) => idsOf(Tickets)))]), `board by ${Group}`).toEqual(sorted)
      }
      const preview = (await server.as(caller, previewBulkChange, { idProject, Query, Change: { Watch: 1 } })).body
      expect(preview.Total, 'bulk change').toBe(whole.length)
      const charts = { idProject, Query, From: '2026-01-01', To: '2026-01-01', Zone: 'UTC' }
      const { Open } = (await server.as(caller, getProjectStatistics, charts)).body
      expect(Open.Tickets, 'charts').toBe((await list({ Query: `(${where}) is:open -is:trashed` })).length)
    }),
    { numRuns: Number(process.env.TORTURE_ROUNDS ?? 30), seed: Number(process.env.SEED ?? 20_261_130) },
  )
})
