import type { Call } from '@tessera/contract/call'
import {
  acceptInvitation,
  removeOrganizationMember,
  restoreOrganizationMember,
  setOrganizationMember,
} from '@tessera/contract/people/organizations'
import { deleteLabels, setLabel } from '@tessera/contract/projects/labels'
import { createNewState, deleteTicketTemplates, setTicketFieldType, setTicketTemplate } from '@tessera/contract/projects/project-config'
import { deleteProjectRoles } from '@tessera/contract/projects/projects'
import { setView } from '@tessera/contract/projects/views'
import { moveOnBoard } from '@tessera/contract/tickets/board'
import { applyBulkChange, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { deleteComment, setCommentReaction, setTicketComment } from '@tessera/contract/tickets/comments'
import { removeTicketLink, setTicketLink } from '@tessera/contract/tickets/links'
import { moveTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { searchTickets } from '@tessera/contract/tickets/search'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { moveTicketWatchers } from '@tessera/contract/tickets/watchers'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket, makeUser } from '../fixtures/factories.ts'
import { peopledProject } from '../fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../postgres/lock-waits.ts'
import { serverOfFile } from '../servers/server.ts'

const server = await serverOfFile()

// What a call has read before it waits for a lock may be outdated when it gets the lock.

type Answer = { status: number; body: unknown }

async function setUp() {
  const made = await peopledProject(server)
  const { organization, project, someone } = made
  const [ann, bob] = [await someone('all'), await someone('all')]
  const idTicket = await makeTicket(server.db, organization, project)
  const idOther = await makeTicket(server.db, organization, project)
  /** Starts the calls while the lock is held, each as soon as the one before waits, makes the change, and releases the lock. */
  const whileHeld = async (lock: RawBuilder<unknown>, calls: (() => Promise<Answer>)[], change?: RawBuilder<unknown>) => {
    const { begun } = await server.db.transaction().execute(async holder => {
      await lock.execute(holder)
      const answers: Promise<Answer>[] = []
      for (const call of calls) {
        answers.push(call())
        await expect.poll(() => lockWaits(server.db)).toBe(answers.length)
      }
      await change?.execute(holder)
      return { begun: answers }
    })
    return await Promise.all(begun)
  }
  const history = async () =>
    await server.sql<{ field: string; before: string | null; after: string | null }>`
        select field, before, after from change where organization_id = ${organization} order by id`
  return { ...made, ann, bob, idTicket, idOther, whileHeld, history }
}
const advisory = (name: string, id: number) => sql`select pg_advisory_xact_lock(hashtextextended(${sql.lit(name)}, ${sql.lit(id)}::bigint))`

test('nothing is changed in a project that was archived while the call waited', async () => {
  const { organization, project, idProject, ann, idTicket, idOther, whileHeld, history } = await setUp()
  const { idLink } = (await server.as(ann, setTicketLink, { idTicket, idOther, Kind: 'relates' })).body
  const archive = (at: string) =>
    sql`update project set archived_at = ${sql.raw(at)} where organization_id = ${organization} and id = ${idProject}`
  const ticketRow = sql`select 1 from ticket where organization_id = ${organization} and id = ${idTicket} for update`
  const projectRow = sql`select 1 from project where organization_id = ${organization} and id = ${idProject} for update`
  const fieldRow = sql`select 1 from field where organization_id = ${organization} and id = ${project.fields.note} for update`
  const { bug, task } = project.templates
  const template = { idProject, idTicketTemplate: task, Defaults: { data: { note: 'Steps' } } }
  expect((await server.as(ann, setTicketTemplate, template)).status).toBe(200)
  const Change = { idParent: idOther }
  const { idPreview } = (await server.as(ann, previewBulkChange, { idProject, Tickets: [idTicket], Change })).body
  const cases: [RawBuilder<unknown>, Call, object][] = [
    [projectRow, createNewTicket, { idProject, idTemplate: bug, Title: 'Below', idParent: idOther }],
    [projectRow, createNewTicket, { idProject, idTemplate: task, Title: 'Below', idParent: idOther }],
    [fieldRow, createNewTicket, { idProject, idTemplate: task, Title: 'Alone' }],
    [projectRow, moveTicket, { idTicket, idParent: idOther }],
    [projectRow, applyBulkChange, { idPreview }],
    [advisory('project configuration', idProject), createNewState, { idProject, State: 'New', idPhase: 1 }],
    [advisory('labels', organization), setLabel, { idProject, Label: 'new', Color: '#336699' }],
    [advisory('views', idProject), setView, { idProject, Name: 'Mine', Query: 'is:open' }],
    [advisory('tickets', idProject), moveTicket, { idTicket, idParent: idOther }],
    [advisory('tickets', idProject), trashTicket, { idTicket }],
    [advisory('links', organization), removeTicketLink, { idLink }],
    [ticketRow, moveOnBoard, { idTicket, State: project.states.doing, After: null }],
  ]
  const before = await history()
  for (const [lock, call, input] of cases) {
    const [refused] = await whileHeld(lock, [() => server.as(ann, call, input)], archive('now()'))
    expect([call.path, refused]).toMatchObject([call.path, { status: 422, body: { error: expect.stringContaining('archived') } }])
    await archive('null').execute(server.db)
  }
  expect(await history()).toEqual(before)
})

test('nothing is changed for a person whose account was deactivated while the call waited', async () => {
  const { idProject, ann, whileHeld, history } = await setUp()
  const before = await history()
  const call = () => server.as(ann, createNewState, { idProject, State: 'New', idPhase: 1 })
  const deactivate = sql`update user_account set disabled = true where id = ${ann.idUser}`
  const [refused] = await whileHeld(advisory('project configuration', idProject), [call], deactivate)
  expect(refused).toMatchObject({ status: 404 })
  expect(await history()).toEqual(before)
})

test('nothing is changed of a ticket that went to the trash while the call waited', async () => {
  const { organization, idProject, ann, idTicket, idOther, whileHeld, history } = await setUp()
  const { idLink } = (await server.as(ann, setTicketLink, { idTicket, idOther, Kind: 'relates' })).body
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: 'text' })).body
  const trash = (at: string, root: string) => sql`
    update ticket set trashed_at = ${sql.raw(at)}, trash_root_id = ${sql.raw(root)} where organization_id = ${organization} and id = ${idTicket}`
  const comment = sql`select 1 from comment where organization_id = ${organization} and id = ${idComment} for update`
  const projectRow = sql`select 1 from project where organization_id = ${organization} and id = ${idProject} for update`
  const cases: [RawBuilder<unknown>, Call, object][] = [
    [advisory('links', organization), removeTicketLink, { idLink }],
    [projectRow, setTicketLink, { idTicket, idOther, Kind: 'blocks' }],
    [comment, deleteComment, { idComment }],
    [comment, setCommentReaction, { idComment, Reaction: '+1', Enabled: 1 }],
    [advisory('rights', organization), moveTicketWatchers, { idTicket, idOther }],
  ]
  const before = await history()
  for (const [lock, call, input] of cases) {
    const [refused] = await whileHeld(lock, [() => server.as(ann, call, input)], trash('now()', 'id'))
    expect([call.path, refused]).toMatchObject([call.path, { status: 422, body: { error: expect.stringContaining('trash') } }])
    await trash('null', 'null').execute(server.db)
  }
  expect(await history()).toEqual(before)
})

test('a value that was allowed when the ticket was read is refused by the type that its field has since', async () => {
  const { organization, idProject, ann, bob, idTicket, whileHeld } = await setUp()
  const rows = await server.sql<{ id: number }>`
    select id from field where organization_id = ${organization} and project_id = ${idProject} and key = 'note'`
  const idField = rows[0]?.id as number
  const save = (note: string) => server.as(ann, setTicketData, { idTicket, data: { note } })
  const toNumber = () => server.as(bob, setTicketFieldType, { idProject, idField, idControlType: 4 })
  const ofField = sql`organization_id = ${organization} and id = ${idField}`

  // The type changes first.
  const [refused] = await whileHeld(
    sql`select 1 from field where ${ofField} for update`,
    [() => save('abc')],
    sql`update field set type_id = 4 where ${ofField}`,
  )
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('data.note') } })
  await server.sql`update field set type_id = 1 where ${ofField}`

  // The save came first: the change of the type waits for it.
  const ticketRow = sql`select 1 from ticket where organization_id = ${organization} and id = ${idTicket} for update`
  expect(await whileHeld(ticketRow, [() => save('abc'), toNumber])).toMatchObject([
    { status: 200 },
    { status: 422, body: { code: 'in_use' } },
  ])
})

test('a type that is archived while a ticket waits for it is refused; one that a ticket gets is archived instead of deleted', async () => {
  const { organization, project, idProject, ann, bob, idTicket, idOther, whileHeld, history } = await setUp()
  const { bug, task } = project.templates
  const former = await makeTicket(server.db, organization, project, { templateId: task })
  const save = () => server.as(ann, setTicketData, { idTicket, idTemplate: task })
  const preview = async (ticket: number, idTemplate: number) =>
    (await server.as(ann, previewBulkChange, { idProject, Tickets: [ticket], Change: { idTemplate } })).body
  const apply = (idPreview: number) => server.as(ann, applyBulkChange, { idPreview })
  const { idChangeSet } = (await apply((await preview(former, bug)).idPreview)).body
  const { idPreview } = await preview(idOther, task)
  const ofTask = sql`organization_id = ${organization} and id = ${task}`
  const whileArchived = async (call: () => Promise<Answer>) => {
    const [answer] = await whileHeld(
      sql`select 1 from template where ${ofTask} for update`,
      [call],
      sql`update template set archived_at = now() where ${ofTask}`,
    )
    await server.sql`update template set archived_at = null where ${ofTask}`
    return answer
  }
  const before = await history()
  const Reason = 'This template is archived: choose another ticket type'
  expect(await whileArchived(save)).toMatchObject({ status: 422, body: { error: Reason } })
  expect(await whileArchived(() => apply(idPreview))).toMatchObject({ status: 200, body: { Changed: 0, Skipped: [{ Reason }] } })
  expect(await whileArchived(() => server.as(ann, revertChangeSet, { idChangeSet: idChangeSet as number }))).toMatchObject({
    status: 200,
    body: { Changed: 0, Skipped: [{ Reason: 'Its previous value no longer exists: Type' }] },
  })
  expect(await history()).toEqual(before)

  const ticketRow = sql`select 1 from ticket where organization_id = ${organization} and id = ${idTicket} for update`
  const remove = () => server.as(bob, deleteTicketTemplates, { idProject, ids: [task] })
  expect(await whileHeld(ticketRow, [save, remove])).toMatchObject([
    { status: 200 },
    { status: 200, body: { Deleted: [], Archived: [task] } },
  ])
})

test('whoever is taken off a ticket while their role is replaced, is off', async () => {
  const { organization, project, idProject, ann, bob, idTicket, whileHeld, history } = await setUp()
  const [assignee, reviewer] = Object.values(project.roles) as [number, number]
  const idUser = bob.idUser
  await server.as(ann, setTicketData, { idTicket, TicketAssign: [{ idUser, idRole: reviewer, Enabled: 1 }] })
  const ticketRow = sql`select 1 from ticket where organization_id = ${organization} and id = ${idTicket} for update`
  const answers = await whileHeld(ticketRow, [
    () => server.as(ann, setTicketData, { idTicket, TicketAssign: [{ idUser, idRole: reviewer, Enabled: 0 }] }),
    () => server.as(bob, deleteProjectRoles, { idProject, ids: [reviewer], idReplacement: assignee }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await server.sql`select 1 from assignment where organization_id = ${organization}`).toEqual([])
  expect((await history()).filter(({ field, after }) => field === 'Assignee' && after === null)).toHaveLength(1)
})

test('a label that is renamed or deleted while a ticket gets it is found by its new name, or replaced, there too', async () => {
  const { organization, idProject, ann, idTicket, whileHeld, history } = await setUp()
  const label = async (Label: string) => (await server.as(ann, setLabel, { idProject, Label, Color: '#336699' })).body.idLabel
  const [old, replacement] = [await label('old'), await label('new')]
  // As a save or a bulk change does that has yet to commit.
  const give = sql`insert into ticket_label (organization_id, ticket_id, label_id) values (${organization}, ${idTicket}, ${old})`
  const [renamed] = await whileHeld(give, [() => server.as(ann, setLabel, { idProject, idLabel: old, Label: 'zebra' })])
  expect(renamed?.status).toBe(200)
  expect((await server.as(ann, searchTickets, { Query: 'zebra' })).body.Tickets.map(({ id }) => id)).toEqual([idTicket])

  await server.sql`delete from ticket_label where organization_id = ${organization}`
  const [deleted] = await whileHeld(give, [() => server.as(ann, deleteLabels, { idProject, ids: [old], idReplacement: replacement })])
  expect(deleted?.status).toBe(200)
  const carried = await server.sql<{ label_id: number }>`select label_id from ticket_label where organization_id = ${organization}`
  expect(carried).toEqual([{ label_id: replacement }])
  expect((await history()).filter(({ field }) => field === 'Label')).toHaveLength(1)
})

test('a merge of labels takes turns with whoever gives the replacement or writes texts meanwhile', async () => {
  const { organization, project, idProject, ann, bob, idTicket, idOther, whileHeld } = await setUp()
  const idLast = await makeTicket(server.db, organization, project)
  const label = async (Label: string) => (await server.as(ann, setLabel, { idProject, Label })).body.idLabel
  const give = async (id: number, ...labels: number[]) => {
    const Labels = labels.map(idLabel => ({ idLabel, Enabled: 1 as const }))
    expect((await server.as(ann, setTicketData, { idTicket: id, Labels })).status).toBe(200)
  }
  const [old, other, replacement] = [await label('old'), await label('other'), await label('new')]
  const merge = (id: number) => () => server.as(bob, deleteLabels, { idProject, ids: [id], idReplacement: replacement })
  for (const id of [idTicket, idOther]) await give(id, old)
  const row = sql`select 1 from ticket_label where organization_id = ${organization} and ticket_id = ${idTicket} for update`
  const change = [
    { idLabel: replacement, Enabled: 1 as const },
    { idLabel: old, Enabled: 0 as const },
  ]
  const saving = await whileHeld(row, [merge(old), () => server.as(ann, setTicketData, { idTicket: idOther, Labels: change })])
  // The label that the save was to take off is gone.
  expect(saving.map(({ status }) => status)).toEqual([200, 404])

  const rows = await server.sql<{ deadlocks: number }>`
    select deadlocks::int from pg_stat_database where datname = current_database()`
  expect(rows).toEqual([{ deadlocks: 0 }])

  // The rows of the search are locked in their order, also where a ticket has the replacement already, as by a bulk change of texts.
  for (const id of [idTicket, idOther]) {
    await give(id, other)
    await server.as(ann, setTicketData, { idTicket: id, Labels: [{ idLabel: replacement, Enabled: 0 }] })
  }
  await give(idLast, other, replacement)
  const words = (id: number) =>
    sql`select 1 from ticket_search where organization_id = ${organization} and ticket_id = ${id} for update nowait`
  expect(await whileHeld(words(idOther), [merge(other)], words(idLast))).toMatchObject([{ status: 200 }])
})

test('an invitation that is accepted while the account is deactivated is void', async () => {
  const { organization, elsewhere, whileHeld } = await setUp()
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true }), organization)
  const invited = await makeUser(server.db, elsewhere, { login: 'invited' })
  await server.as(admin, setOrganizationMember, { idOrganization: organization, LoginName: 'invited', Admin: 1 })
  const rows = await server.sql<{ text: string }>`
    select payload -> 'mail' ->> 'text' as text from graphile_worker._private_jobs order by id desc limit 1`
  const Token = /\/invitation\/(\S+)$/m.exec(rows[0]?.text ?? '')?.[1] as string
  // As a call of the other organization does, which has found that the person belongs to none beside it.
  const deactivate = sql`update user_account set disabled = true where id = ${invited}`
  const [refused] = await whileHeld(deactivate, [() => server.as(null, acceptInvitation, { Token })])
  expect(refused).toMatchObject({ status: 422, body: { code: 'rule' } })
  const members = await server.sql`
    select 1 from organization_member where organization_id = ${organization} and user_id = ${invited}`
  expect(members).toEqual([])
})

test('nobody becomes a member again whose account is deactivated meanwhile', async () => {
  const { organization, elsewhere, whileHeld } = await setUp()
  const admin = await server.signedIn(await makeUser(server.db, organization, { admin: true, super: true }), organization)
  const idUser = await makeUser(server.db, organization, { login: 'kim' })
  await server.sql`insert into organization_member (organization_id, user_id) values (${elsewhere}, ${idUser})`
  await server.as(admin, removeOrganizationMember, { idOrganization: organization, idUser })
  for (const [call, input] of [
    [restoreOrganizationMember, { idOrganization: organization, idUser }],
    [setOrganizationMember, { idOrganization: organization, LoginName: 'kim' }],
  ] as [Call, object][]) {
    const deactivate = sql`update user_account set disabled = true where id = ${idUser}`
    const [refused] = await whileHeld(deactivate, [() => server.as(admin, call, input)])
    expect([call.path, refused?.status]).toEqual([call.path, 404])
    await server.sql`update user_account set disabled = false where id = ${idUser}`
  }
  const rows = await server.sql`select 1 from organization_member where organization_id = ${organization} and user_id = ${idUser}`
  expect(rows).toEqual([])
})
