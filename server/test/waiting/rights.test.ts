import { randomUUID } from 'node:crypto'
import type { Call } from '@tessera/contract/call'
import { allPermissions } from '@tessera/contract/permissions'
import { setLabel } from '@tessera/contract/projects/labels'
import { createNewState } from '@tessera/contract/projects/project-config'
import { setSearch } from '@tessera/contract/projects/saved-searches'
import { setView } from '@tessera/contract/projects/views'
import { moveOnBoard } from '@tessera/contract/tickets/board'
import { applyBulkChange, previewBulkChange, revertChangeSet } from '@tessera/contract/tickets/bulk'
import { deleteComment, setTicketComment } from '@tessera/contract/tickets/comments'
import { setTicketLink } from '@tessera/contract/tickets/links'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeProject, makeTicket } from '../fixtures/factories.ts'
import { peopledProject } from '../fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../postgres/lock-waits.ts'
import { serverOfFile } from '../servers/server.ts'

const server = await serverOfFile()

interface Place {
  idProject: number
  idTicket: number
  idOther: number
  idView: number
  /** Of a change that nobody has applied yet. */
  preview: (change: object) => Promise<number>
  apply: (idPreview: number) => Promise<number | null>
}
const calls: [lock: string, Call, input: (place: Place) => object | Promise<object>][] = [
  ['project configuration', createNewState, ({ idProject }) => ({ idProject, State: 'Late', idPhase: 1 })],
  ['labels', setLabel, ({ idProject }) => ({ idProject, Label: 'late' })],
  ['tickets', trashTicket, ({ idTicket }) => ({ idTicket })],
  // These ask for the permission in the handler.
  ['views', setView, ({ idProject, idView }) => ({ idProject, idView, Name: 'Renamed' })],
  ['board', moveOnBoard, ({ idTicket }) => ({ idTicket, After: null })],
  ['tickets', applyBulkChange, async ({ preview }) => ({ idPreview: await preview({ Trash: 1 }) })],
  ['tickets', revertChangeSet, async ({ preview, apply }) => ({ idChangeSet: await apply(await preview({ data: { note: 'New' } })) })],
  ['links', setTicketLink, ({ idTicket, idOther }) => ({ idTicket, idOther, Kind: 'blocks' })],
]

for (const [left, status] of [
  ['View tickets', 422],
  ['nothing', 404],
] as const) {
  test.each(calls)(`a permission is read under the lock: with ${left} left, waiting for the lock of the %s`, async (lock, call, input) => {
    // In another project, both keep their permissions.
    const { organization, someone } = await peopledProject(server)
    const project = await makeProject(server.db, organization)
    const { projectId: idProject } = project
    const [caller, author] = [await someone(allPermissions), await someone(allPermissions)]
    for (const { idUser } of [caller, author]) await makeMember(server.db, organization, idProject, idUser, 'all')
    const [idTicket, idOther] = [await makeTicket(server.db, organization, project), await makeTicket(server.db, organization, project)]
    const preview = async (Change: object) =>
      (await server.as(caller, previewBulkChange, { idProject, Tickets: [idTicket], Change })).body.idPreview
    const apply = async (idPreview: number) => (await server.as(caller, applyBulkChange, { idPreview })).body.idChangeSet
    const { idView } = (await server.as(author, setView, { idProject, Name: 'Late', Scope: 'project' })).body

    const given = await input({ idProject, idTicket, idOther, idView, preview, apply })
    const late = await server.db.transaction().execute(async transaction => {
      const subject = lock === 'labels' || lock === 'links' ? organization : idProject
      await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, ${subject}::bigint))`.execute(transaction)
      const answer = server.as(caller, call, given as never)
      await waiting()
      await sql`
        update project_member set permissions = ${left === 'nothing' ? 0 : 1}
        where organization_id = ${organization} and project_id = ${idProject} and user_id = ${caller.idUser}`.execute(transaction)
      return { answer }
    })
    expect((await late.answer).status).toBe(status)
  })
}

test.each(['labels', 'searches'])('the caller’s rank in the organization is read again under the lock of the %s', async lock => {
  const { organization, project, someone } = await peopledProject(server)
  const [caller, other] = [await someone(allPermissions), await someone(allPermissions)]
  const setAdmin = (db: typeof server.db, admin: boolean) =>
    sql`update organization_member set admin = ${admin} where organization_id = ${organization} and user_id = ${caller.idUser}`.execute(db)
  await setAdmin(server.db, true)
  const { idSearch } = (await server.as(other, setSearch, { Name: 'Late', Query: 'late', Scope: 'organization' })).body

  const late = await server.db.transaction().execute(async transaction => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, ${organization}::bigint))`.execute(transaction)
    const answer =
      lock === 'labels'
        ? server.as(caller, setLabel, { idProject: project.projectId, Label: 'late', Scope: 'organization' })
        : server.as(caller, setSearch, { idSearch, Name: 'Later' })
    await waiting()
    await setAdmin(transaction, false)
    return { answer }
  })
  expect((await late.answer).status).toBe(422)
})

test('a save that has to start over, or waits for a comment, asks for the permissions again', async () => {
  const { organization, project, someone } = await peopledProject(server)
  const [saver, author] = [await someone(allPermissions), await someone(allPermissions)]
  const idTicket = await makeTicket(server.db, organization, project)
  const { idComment } = (await server.as(author, setTicketComment, { idTicket, Comment: 'Early' })).body

  for (const [caller, held, call] of [
    [
      saver,
      sql`update ticket set version = version + 1 where id = ${idTicket}`,
      () => server.as(saver, setTicketData, { idTicket, Title: 'Late' }),
    ],
    [author, sql`update comment set text = text || '!' where id = ${idComment}`, () => server.as(author, deleteComment, { idComment })],
  ] as const) {
    const late = await server.db.transaction().execute(async transaction => {
      await sql`${held} and organization_id = ${organization}`.execute(transaction)
      const answer = call()
      await waiting()
      await sql`
        update project_member set permissions = 1
        where organization_id = ${organization} and project_id = ${project.projectId} and user_id = ${caller.idUser}`.execute(transaction)
      return { answer }
    })
    expect((await late.answer).status).toBe(422)
  }
})

test('whoever waited for a request with the same Idempotency-Key is authorized afterwards', async () => {
  const { organization, project, someone } = await peopledProject(server)
  const caller = await someone(allPermissions)
  const key = randomUUID()
  const idTicket = await makeTicket(server.db, organization, project)

  const late = await server.db.transaction().execute(async transaction => {
    await sql`
      insert into idempotency_key (organization_id, user_id, key, call, request_hash)
      values (${organization}, ${caller.idUser}, ${key}, '', '')`.execute(transaction)
    const answer = server.as(caller, setTicketComment, { idTicket, Comment: 'Late' }, { 'idempotency-key': key })
    await waiting()
    await server.sql`
      delete from project_member
      where organization_id = ${organization} and project_id = ${project.projectId} and user_id = ${caller.idUser}`
    // As if the first request had failed.
    await sql`delete from idempotency_key where organization_id = ${organization} and key = ${key}`.execute(transaction)
    return { answer }
  })
  expect((await late.answer).status).toBe(404)
})

/** Waits until a call waits for a lock. */
async function waiting() {
  await expect.poll(() => lockWaits(server.db)).toBe(1)
}
