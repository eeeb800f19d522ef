import type { Call } from '@tessera/contract/call'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketStateUsage, getTicketTemplateUsage } from '@tessera/contract/projects/project-config'
import { getProjectList } from '@tessera/contract/projects/projects'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { findTickets } from '@tessera/contract/tickets/links'
import { getTicketTrash } from '@tessera/contract/tickets/moving'
import { searchTickets } from '@tessera/contract/tickets/search'
import { createNewTicket, getTicketData, getTicketList, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { CompiledQuery, sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect, poolOf } from '../src/db/connections/connect.ts'
import type { Db } from '../src/db/db.ts'
import { statementGuardOf } from '../src/db/guard/statement-guard.ts'
import { type MadeProject, makeMember, makeOrganization, makeProject, makeUser } from './fixtures/factories.ts'
import { executeUnlimited, startServer } from './servers/server.ts'
import { explain, type PlanNode, pagesRead, rowsRead } from './statements/explain.ts'
import { fill } from './statements/fill-project.ts'
import type { Sent } from './statements/record-statements.ts'
import { recordedApplication } from './statements/recorded-application.ts'

// Guards speed by figures that do not vary: the number of statements a call sends, the rows they read, and that these do not grow with the project.

/** Tables that grow with a project. Tables of its configuration are small, and PostgreSQL may read them in any way. */
const large = ['ticket', 'ticket_search', 'ticket_subordinate', 'ticket_value', 'assignment', 'comment', 'change', 'ticket_notice']

function isTicketRead(node: PlanNode) {
  return node['Relation Name'] === 'ticket' && node['Node Type'] !== 'Index Only Scan'
}

const setting = /^\s*\/\*.*\*\/ (select set_config|set local (?!statement_timeout))/

/** Rows that a statement reads from large tables, and the tables it scans. Its writes are rolled back. */
async function readsOf(db: Db, { text, values }: Sent, settings: readonly Sent[]) {
  return db.connection().execute(async held => {
    await sql`begin`.execute(held)
    try {
      for (const each of settings) await held.executeQuery(CompiledQuery.raw(each.text))
      const nodes = await explain(held, { text, values })
      const scans = nodes.filter(node => /Scan$/.test(node['Node Type']) && large.includes(node['Relation Name'] ?? ''))
      const read = scans.map(rowsRead)
      return {
        rows: read.reduce((sum, each) => sum + each, 0),
        pages: pagesRead(nodes),
        // An index-only scan reads no ticket.
        tickets: scans.reduce((sum, node, index) => (isTicketRead(node) ? sum + (read[index] ?? 0) : sum), 0),
        sorted: nodes.reduce((sum, node) => sum + (node['Node Type'] === 'Sort' ? (node.Plans?.[0]?.['Actual Rows'] ?? 0) : 0), 0),
        whole: scans.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name']),
      }
    } finally {
      await sql`rollback`.execute(held)
    }
  })
}

test('a hot call takes one or two statements, which read as many rows in a project of 30,000 tickets as in one of 600', async () => {
  await using server = await startServer()
  const organizationId = await makeOrganization(server.db)
  const user = await makeUser(server.db, organizationId)
  const caller = await server.signedIn(user, organizationId)
  const reader = await makeUser(server.db, organizationId)
  const projects: { project: MadeProject; root: number }[] = []
  // No time limit: on a busy machine filling takes longer than a request may.
  const { host, port, user: role, database } = poolOf(server.db).options
  const filler = connect({ host, port, user: role, database }, { poolSize: 1, noTimeLimits: true })
  for (const tickets of [600, 30_000]) {
    const project = await makeProject(server.db, organizationId)
    for (const member of [user, reader]) await makeMember(server.db, organizationId, project.projectId, member, 'all')
    projects.push({ project, ...(await fill(filler, organizationId, project, user, tickets)) })
  }
  // As autovacuum does after a while. It makes index-only scans possible.
  await sql`vacuum (analyze)`.execute(filler)
  await filler.destroy()

  const guard = await statementGuardOf(server.db)
  await using recorded = await recordedApplication(server.system)
  const { app, recorder } = recorded

  async function measure(call: Call, input: unknown, by = caller) {
    recorder.start()
    const answer = await server.as(by, call, input, {}, app)
    // Once a minute a call also notes that the session was used.
    const all = recorder.stop()
    const settings = all.filter(({ text }) => setting.test(text))
    const sent = all.filter(
      ({ text }) =>
        !/^\s*(select pg_notify|begin|commit|\/\*.*\*\/ (set local|select set_config)|update session set last_seen_at)/.test(text),
    )
    expect(answer.status).toBe(200)
    // Each is bound to one organization, so it goes to one shard: none is on the list of exceptions.
    for (const { text } of sent) {
      expect(text).not.toContain('all organizations:')
      guard(text)
    }
    const reads: Awaited<ReturnType<typeof readsOf>>[] = []
    for (const statement of sent) reads.push(await readsOf(server.db, statement, settings))
    const add = (of: 'rows' | 'pages' | 'tickets' | 'sorted') => reads.reduce((sum, read) => sum + read[of], 0)
    const whole = reads.flatMap(read => read.whole)
    return { statements: sent.length, rows: add('rows'), pages: add('pages'), tickets: add('tickets'), sorted: add('sorted'), whole }
  }

  const of = (index: 0 | 1, input: object) => ({ idProject: projects[index]?.project.projectId, Columns: ['Assignees'], ...input })
  const calls: [Call, number, (of: MadeProject & { root: number }) => unknown][] = [
    [queryTickets, 1, ({ projectId }) => ({ idProject: projectId })],
    [queryTickets, 1, ({ projectId }) => ({ idProject: projectId, Columns: ['Assignees', 'Labels', 'Updated', 'note'] })],
    [getTicketList, 1, ({ projectId, root }) => ({ idProject: projectId, idParent: root })],
    [getTicketData, 1, ({ root }) => ({ idTicket: root })],
    [setTicketData, 2, ({ root }) => ({ idTicket: root, Title: 'Another title' })],
    [setTicketData, 2, ({ root, templates }) => ({ idTicket: root, idTemplate: templates.task })],
    // The session, what the caller may see, the search, the rows of the page.
    [searchTickets, 4, ({ projectId }) => ({ idProject: projectId, Query: '"ticket 599"' })],
    [searchTickets, 4, ({ projectId }) => ({ idProject: projectId, Query: '"ticket 599"', Columns: ['Assignees', 'Parent', 'note'] })],
    [searchTickets, 3, ({ root }) => ({ Query: `id:OLD-${root}` })],
    [searchTickets, 4, ({ projectId, root }) => ({ idProject: projectId, Query: `parent:${root}` })],
    // The session, the rows of the configuration, what uses them.
    [getTicketStateUsage, 4, ({ projectId, states }) => ({ idProject: projectId, ids: [states.doing] })],
    [getTicketTemplateUsage, 2, ({ projectId, templates }) => ({ idProject: projectId, ids: [templates.bug] })],
    // The session; the locks of board and ticket, the ticket, the save, where it may go on from there, its place.
    [moveOnBoard, 8, ({ root, states }) => ({ idTicket: root, State: states.doing, After: root + 10 })],
    [queryBoard, 1, ({ projectId }) => ({ idProject: projectId, Group: 'State', Columns: ['Assignees'] })],
    [queryBoard, 1, ({ projectId }) => ({ idProject: projectId, Group: 'State', Columns: ['Assignees'], Phases: [1, 2] })],
    [queryBoard, 1, ({ projectId, root }) => ({ idProject: projectId, Group: 'State', Columns: ['Assignees'], Tickets: [root] })],
    // The query of most views is answered by counters and indexes, as the filter of phases is.
    [queryTickets, 3, ({ projectId }) => ({ idProject: projectId, Query: 'is:open' })],
    [queryBoard, 1, ({ projectId }) => ({ idProject: projectId, Group: 'State', Query: 'is:open' })],
    [createNewTicket, 2, ({ projectId, templates }) => ({ idProject: projectId, idTemplate: templates.bug, Title: 'New' })],
  ]
  for (const [call, statements, inputOf] of calls) {
    const [small, big] = projects.map(({ project, root }) => inputOf({ ...project, root }))
    const [inSmall, inBig] = [await measure(call, small), await measure(call, big)]
    expect.soft([call.path, inSmall.statements, inBig.statements]).toEqual([call.path, statements, statements])
    expect.soft([call.path, inBig.whole]).toEqual([call.path, []])
    expect.soft(inBig.rows, `${call.path} in the large project, against ${inSmall.rows} in the small one`).toBe(inSmall.rows)
    const isPage = call === queryTickets || (call === queryBoard && !Object.hasOwn(big as object, 'Tickets'))
    expect.soft(inBig.rows, call.path).toBeLessThan(isPage ? 900 : 30)
  }
  const columns = ['Assignees']
  // A board by assignee or by a field counts assignments or values and the entries of an index, and hardly more tickets than it shows: session,
  // project, board, rows.
  for (const input of [{ Group: 'Assignee' }, { Group: 'size' }, { Group: 'size', Value: 'l' }, { Group: 'Assignee', Value: user }]) {
    for (const index of [0, 1] as const) {
      const { statements, rows, tickets } = await measure(queryBoard, of(index, input))
      expect.soft([input, statements]).toEqual([input, 4])
      // Half of them have the value: to find the first fifty with it and without it, twice as many are read.
      expect.soft(tickets, JSON.stringify(input)).toBeLessThan(400)
      // Two tickets have nobody: to find them, the ids of all tickets are compared with those of all assignments.
      if (index === 1) expect.soft(rows / 30_000, JSON.stringify(input)).toBeLessThan(4.1)
    }
  }
  // In a small project, its tickets of a type are read and sorted.
  const ofType = await measure(queryBoard, of(1, { Group: 'State', Types: [projects[1]?.project.templates.bug] }))
  expect.soft([ofType.statements, ofType.whole]).toEqual([1, []])
  expect.soft(ofType.rows).toBeLessThan(900)
  // Any other board counts all of its tickets, so that it reads more in a larger project. Its statements are the same.
  for (const [input, statements] of [
    [{ Group: 'Assignee', Columns: columns, Types: [projects[0]?.project.templates.bug] }, 4],
    [{ Group: 'size', Columns: columns, Lanes: 'Parent', Mine: 1 }, 4],
    [{ Group: 'State', Lanes: 'Assignee' }, 4],
    [{ Group: 'size', Lanes: 'Label' }, 4],
    [{ Group: 'State', Query: 'phase:proposed' }, 5],
  ] as const) {
    const { statements: sent, rows } = await measure(queryBoard, { idProject: projects[0]?.project.projectId, ...input })
    expect.soft([input, sent]).toEqual([input, statements])
    expect.soft(rows / 600, JSON.stringify(input)).toBeLessThan(4)
  }
  // Without a query, only tickets with a parent, three of ten, are read for lanes. Only those of the first lanes are sorted, and the lanes.
  for (const input of [{ Group: 'State' }, { Group: 'Assignee' }, { Group: 'size' }, { Group: 'State', Query: 'is:open' }]) {
    const { tickets, sorted } = await measure(queryBoard, of(1, { ...input, Lanes: 'Parent' }))
    expect.soft(tickets / 30_000, `read for lanes: ${JSON.stringify(input)}`).toBeLessThan('Query' in input ? 1.1 : 0.35)
    expect.soft(sorted / 30_000, `sorted for lanes: ${JSON.stringify(input)}`).toBeLessThan(0.2)
  }
  // Lanes by assignee or label read every ticket once, and sort those of the first lanes: here one person has nearly all, and no ticket has a label.
  for (const Lanes of ['Assignee', 'Label']) {
    const { tickets, sorted } = await measure(queryBoard, of(1, { Group: 'State', Lanes }))
    expect.soft(tickets / 30_000, `read for lanes by ${Lanes}`).toBeLessThan(1.1)
    expect.soft(sorted / 30_000, `sorted for lanes by ${Lanes}`).toBeLessThan(1.1)
  }
  // Charts add up the history of all tickets as well. A word of all tickets is counted up to a limit.
  const period = { From: '2026-01-01', To: '2026-12-31', Zone: 'UTC' }
  for (const [call, input, statements, rowsOfTicket] of [
    [getProjectStatistics, period, 3, 3],
    [getProjectStatistics, { ...period, Query: 'phase:proposed' }, 3, 3],
    [searchTickets, { Query: 'ticket' }, 4, 6],
  ] as const) {
    for (const [index, tickets] of [600, 30_000].entries()) {
      const { statements: sent, rows } = await measure(call, { idProject: projects[index]?.project.projectId, ...input })
      expect.soft([call.path, input, sent]).toEqual([call.path, input, statements])
      expect.soft(rows / tickets, `${call.path} of ${tickets}`).toBeLessThan(rowsOfTicket)
    }
  }
  // A list grouped by people reads each ticket to count it and to sort it, and each assignment once.
  const grouped = await measure(queryTickets, of(1, { Group: 'Assignee' }))
  expect.soft(grouped.rows / 21_000, 'grouped by people').toBeLessThan(3.1)
  // Grouped by states, counters have the numbers: only the tickets of the first groups and their last changes are read.
  const Sort = [{ Column: 'Updated', Direction: 'desc' }]
  const byState = await measure(queryTickets, of(1, { Group: 'State', Sort }))
  expect.soft(byState.rows / 21_000, 'grouped by states').toBeLessThan(2.1)
  // Two words of many tickets that are in no title together: the newest 1,000 titles and their search rows, then those that the index has for both.
  expect.soft((await measure(findTickets, { idTicket: projects[1]?.root, Text: '12 13' })).rows, 'find-tickets').toBeLessThan(3000)
  // In a project that counts as a large one, a sample shows that the word is frequent: nothing is counted.
  const big = projects[1]?.project.projectId
  await server.sql`update root_tally set tickets = 100000 where organization_id = ${organizationId} and project_id = ${big}`
  const frequent = await measure(searchTickets, { idProject: big, Query: 'ticket' })
  expect.soft([frequent.statements, frequent.whole]).toEqual([4, []])
  expect.soft(frequent.rows).toBeLessThan(6000)
  // Of every third title, the index would look up 10,000 tickets with their words: all titles have fewer pages. A rare title is looked up.
  for (const [call, input] of [
    [queryTickets, {}],
    [queryBoard, { Group: 'State' }],
  ] as const) {
    for (const [filter, most] of [
      [{ Title: 'third' }, 3000],
      [{ Query: 'title:*third*' }, 3000],
      [{ Title: '29998' }, 1500],
      // Of each twentieth number, the index of tickets has all in one pass.
      [{ Id: '12' }, 2500],
    ] as const)
      expect.soft((await measure(call, of(1, { ...input, ...filter }))).pages, `${call.path} ${JSON.stringify(filter)}`).toBeLessThan(most)
  }
  // A label of the oldest three tickets: these are read, and not all from the newest backwards. Of a word of all titles, 20,000 are counted, then the newest thousand are read.
  await server.sql`
    with made as (insert into label (organization_id, name, color) values (${organizationId}, 'rare', '#336699') returning id)
    insert into ticket_label (organization_id, ticket_id, label_id)
    select ${organizationId}, t.id, made.id from made, (select id from ticket where organization_id = ${organizationId} order by id limit 3) t`
  expect.soft((await measure(searchTickets, { Query: 'label:rare is:open' })).rows, 'a rare label').toBeLessThan(60)
  expect.soft((await measure(searchTickets, { Query: 'title:ticket' })).rows, 'a word of all titles').toBeLessThan(25_000)
  // A frequent word or label beside other conditions: counted up to a limit, then the newest tickets are read until a thousand have it. Trash is read first.
  await executeUnlimited(server, sql`alter table ticket_label disable trigger user`)
  await executeUnlimited(
    server,
    sql`
    with made as (
      insert into label (organization_id, name, color) select ${organizationId}, 'often ' || n, '#336699' from generate_series(1, 1000) n returning id, name)
    insert into ticket_label (organization_id, ticket_id, label_id)
    select t.organization_id, t.id, made.id from made join ticket t on t.organization_id = ${organizationId} and t.id % 1000 = made.id % 1000
    union
    select t.organization_id, t.id, made.id from made join ticket t on t.organization_id = ${organizationId} and t.id % 3 > 0
    where made.name = 'often 1'`,
  )
  await executeUnlimited(server, sql`analyze label, ticket_label`)
  for (const [Query, most] of [
    ['ticket is:open', 50_000],
    ['title:ticket type:bug', 25_000],
    ['label:"often 1" is:open', 25_000],
    ['ticket is:trashed', 300],
    ['ticket -third', 55_000],
  ] as const)
    expect.soft((await measure(searchTickets, { Query })).rows, Query).toBeLessThan(most)
  // A project reads its own trash, and of that only the page that is shown.
  await executeUnlimited(
    server,
    sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organizationId} and project_id = ${big} and id % 10 = 6`,
  )
  await executeUnlimited(server, sql`vacuum (analyze) ticket`)
  const trash = async (index: 0 | 1, Before?: number) =>
    (await measure(getTicketTrash, { idProject: projects[index]?.project.projectId, ...(Before !== undefined && { Before }) })).rows
  expect.soft(await trash(0), 'the trash of a project that has none').toBe(0)
  expect.soft(await trash(1), 'the first of 3,000 in the trash').toBeLessThan(500)
  expect.soft(await trash(1, (big ?? 0) * 1_000_000 + 15_006), 'the trash from its middle').toBeLessThan(500)
  expect
    .soft((await measure(getLabelList, { idProject: projects[0]?.project.projectId })).rows / 600, 'labels of a project without trash')
    .toBeLessThan(4)
  // The organization has one label, on 20,000 tickets, and the project has many on few tickets. One pass through an index finds those of the project.
  await server.sql`update label set project_id = ${big} where organization_id = ${organizationId} and name like 'often %' and name <> 'often 1'`
  await executeUnlimited(server, sql`vacuum (analyze) label, ticket_label`)
  expect.soft((await measure(getLabelList, { idProject: big })).pages, 'labels of a large project').toBeLessThan(50_000)
  // The session is proved first, as for the plain list. What somebody is assigned to is counted ticket by ticket; what a project has is not.
  const home = await measure(getProjectList, { Counts: 1 }, await server.signedIn(reader, organizationId))
  expect.soft(home).toMatchObject({ statements: 2, rows: 0, tickets: 0, whole: [] })
  // For each 25th ticket, not all tickets are read, nor an index from its root for each.
  await server.sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select organization_id, project_id, id, ${reader}, ${projects[1]?.project.roles.assignee} from ticket
    where organization_id = ${organizationId} and project_id = ${big} and id % 25 = 0`
  await executeUnlimited(server, sql`vacuum (analyze) assignment`)
  const busy = await measure(getProjectList, { Counts: 1 }, await server.signedIn(reader, organizationId))
  expect.soft(busy.rows / 1200, 'what somebody is assigned to').toBeLessThan(2.1)
}, 120_000) // 30,000 tickets with what the search knows of them take a while on a busy machine
