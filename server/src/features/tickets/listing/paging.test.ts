import type { Request } from '@tessera/contract/call'
import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { type Caller, serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

type Input = Request<typeof queryTickets>

/** 30 roots in three states, each with nothing below it, all with a title that a filter finds. */
async function setUp() {
  const made = await peopledProject(server, { shortCode: 'PAG' })
  const ann = await made.someone('all')
  const states = Object.values(made.project.states)
  const templates = Object.values(made.project.templates)
  const ids: number[] = []
  for (let index = 0; index < 30; index++) {
    const options = { stateId: states[index % 3] as number, templateId: templates[index % 2] as number, title: `Page ${index}` }
    ids.push(await makeTicket(server.db, made.organization, made.project, options))
  }
  return { ...made, ann, states, ids }
}

/** The ids of all pages; `between` is called after each with the page's last ticket. */
async function readPages(caller: Caller, input: Input, between?: (last: number) => Promise<unknown>) {
  const seen: number[] = []
  let Cursor: string | undefined
  for (let pages = 0; pages < 100; pages++) {
    const { status, body } = await server.as(caller, queryTickets, { ...input, ...(Cursor && { Cursor }) })
    expect(status).toBe(200)
    seen.push(...body.Tickets.map(({ id }) => id))
    if (body.NextCursor === null) return seen
    Cursor = body.NextCursor
    await between?.(seen.at(-1) as number)
  }
  throw new Error('the pages do not end')
}

const orders = (['State', 'Phase', 'Type'] as const).flatMap(Column =>
  (['asc', 'desc'] as const).flatMap(Direction => (['asc', 'desc'] as const).map(id => [Column, Direction, id] as const)),
)
function sorted([Column, Direction, id]: (typeof orders)[number]): NonNullable<Input['Sort']> {
  return [
    { Column, Direction },
    { Column: 'ID', Direction: id },
  ]
}

test('paging continues although tickets leave the groups of a page after they were counted', async () => {
  const { organization, idProject, ann, ids } = await setUp()
  // A list whose tickets move between its two statements sees the old count.
  await server.sql`update ticket_tally set tickets = tickets + 100 where organization_id = ${organization}`
  for (const order of orders) {
    const seen = await readPages(ann, { idProject, Limit: 20, Sort: sorted(order) })
    expect(seen.toSorted(), order.join()).toEqual(ids.toSorted())
  }
})

test('a ticket that does not change is on exactly one page, though the last one of every page changes its state', async () => {
  const { idProject, ann, ids, states } = await setUp()
  for (const [index, order] of orders.entries()) {
    const changed = new Set<number>()
    const between = async (idTicket: number) => {
      const { status } = await server.as(ann, setTicketData, { idTicket, State: states[(index + changed.size) % 3] as number })
      expect(status).toBe(200)
      changed.add(idTicket)
    }
    const filter = index % 2 === 0 ? {} : { Title: 'page' }
    const seen = await readPages(ann, { idProject, Limit: 4, Sort: sorted(order), ...filter }, between)
    const still = ids.filter(id => !changed.has(id))
    expect(seen.filter(id => !changed.has(id)).toSorted(), order.join()).toEqual(still.toSorted())
  }
})

test('many concurrent changes neither hide nor repeat an unchanged ticket', async () => {
  const { idProject, ann, ids, states } = await setUp()
  const [restless, still] = [ids.filter((_, index) => index % 2 === 0), ids.filter((_, index) => index % 2 === 1)]
  let isOver = false
  const storm = Array.from({ length: 3 }, async (_, worker) => {
    for (let step = worker; !isOver; step += 3) {
      const idTicket = restless[step % restless.length] as number
      await server.as(ann, setTicketData, { idTicket, State: states[Math.floor(step / restless.length) % 3] as number })
    }
  })
  try {
    for (const order of orders) {
      for (const filter of [{}, { Title: 'page' }]) {
        const seen = await readPages(ann, { idProject, Limit: 9, Sort: sorted(order), ...filter })
        expect(seen.filter(id => still.includes(id)).toSorted(), JSON.stringify([order, filter])).toEqual(still.toSorted())
      }
    }
  } finally {
    isOver = true
    await Promise.all(storm)
  }
})
