import { utimesSync } from 'node:fs'
import { deleteAttachment, restoreAttachment } from '@tessera/contract/tickets/attachments'
import { purgeTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { searchTickets } from '@tessera/contract/tickets/search'
import { getTicketData, getTicketHistory, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connectionOf } from '../../../../test/fixtures/backed-up.ts'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { download, picture, storedBytes, ticketWithPeople } from '../../../../test/fixtures/worlds/ticket-with-people.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { startServer, type TestServer } from '../../../../test/servers/server.ts'
import { filesOf, upload } from '../../../../test/servers/upload.ts'
import { whileLocked } from '../../../backup/backup-lock.ts'
import { addJob, jobCounts, quiet } from '../../../lib/background/job-queue.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { inspectStorage, lastCleanUp } from '../../../storage/clean-up.ts'
import { cleanUpFiles, removeDeleted, removeFiles } from './jobs.ts'

/** Runs the jobs that remove files. */
async function removeQueued(server: TestServer) {
  const jobs = await server.sql<{ payload: { keys?: string[] } }>`select payload from graphile_worker._private_jobs`
  for (const { payload } of jobs) if (payload.keys) await removeFiles(server.system, { keys: payload.keys }, quiet)
}

test('a deleted attachment is found nowhere until it is restored, and neither is mailed', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann, viewer } = await ticketWithPeople(server)
  const { body } = await upload(server, ann, idTicket, picture)
  const idAttachment = body.id
  const ticketAs = async (caller: typeof ann) => (await server.as(caller, getTicketData, { idTicket })).body
  const listed = async () => (await ticketAs(viewer)).Attachments
  const found = async (Query: string) => (await server.as(viewer, searchTickets, { Query })).body.Total
  expect((await ticketAs(ann)).OwnAttachments).toEqual([idAttachment])
  expect(await ticketAs(viewer)).not.toHaveProperty('OwnAttachments')
  expect([await found('photo'), await found('has:attachment')]).toEqual([1, 1])
  await server.sql`delete from ticket_notice where organization_id = ${organization}`

  for (const text of [`![a](attachment:${idAttachment})`, `attachment:${idAttachment}`, `![b](attachment:${idAttachment}0)`])
    await server.sql`insert into comment (organization_id, ticket_id, author_id, text) values (${organization}, ${idTicket}, ${ann.idUser}, ${text})`
  await server.sql`
    insert into comment (organization_id, ticket_id, author_id, text, deleted_at) values (${organization}, ${idTicket}, ${ann.idUser}, ${`attachment:${idAttachment}`}, now())`
  for (let time = 0; time < 2; time++)
    expect(await server.as(ann, deleteAttachment, { idTicket, idAttachment })).toEqual(
      expect.objectContaining({ status: 200, body: { Success: 1, Shown: 2 } }),
    )
  expect(await listed()).toEqual([])
  expect([await found('photo'), await found('has:attachment')]).toEqual([0, 0])
  expect((await download(server, ann, idAttachment)).status).toBe(404)

  for (let time = 0; time < 2; time++) expect((await server.as(ann, restoreAttachment, { idTicket, idAttachment })).status).toBe(200)
  expect(await listed()).toMatchObject([{ id: idAttachment, name: picture.name }])
  expect([await found('photo'), await found('has:attachment')]).toEqual([1, 1])
  expect((await download(server, viewer, idAttachment)).status).toBe(200)
  expect(await server.sql`select 1 from ticket_notice where organization_id = ${organization}`).toEqual([])
  const { body: history } = await server.as(viewer, getTicketHistory, { idTicket })
  expect(JSON.stringify(history).match(/"Attachments"/g)).toHaveLength(3)
})

test('attachments are deleted by whoever added them and by project managers, and neither undoes what the other deleted', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann, viewer, someone } = await ticketWithPeople(server)
  const { body } = await upload(server, ann, idTicket, picture)
  const [manager, other] = [await someone([1, 13]), await someone([1, 3, 7])]
  const input = { idTicket, idAttachment: body.id }
  for (const caller of [viewer, other])
    expect(await server.as(caller, deleteAttachment, input)).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  expect((await server.as(manager, deleteAttachment, { ...input, idAttachment: 999_999 })).status).toBe(404)
  const shown = async () => (await server.as(ann, getTicketData, { idTicket })).body.Attachments.map(({ id }) => id)
  expect(await shown()).toHaveLength(1)
  const { body: second } = await upload(server, ann, idTicket, picture)
  await server.as(manager, deleteAttachment, { idTicket, idAttachment: second.id })
  expect(await shown()).toEqual([body.id])

  expect((await server.as(manager, deleteAttachment, input)).status).toBe(200)
  expect(await server.as(ann, restoreAttachment, input)).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  expect((await server.as(manager, restoreAttachment, input)).status).toBe(200)
  expect(await shown()).toEqual([body.id])
  expect((await server.as(ann, deleteAttachment, input)).status).toBe(200)
  expect(await server.as(manager, restoreAttachment, input)).toMatchObject({ status: 422, body: { code: 'rule' } })
  await server.sql`update project_member set permissions = 1 where organization_id = ${organization} and user_id = ${ann.idUser}`
  expect((await server.as(ann, restoreAttachment, input)).status).toBe(422)
})

test('a ticket in the trash keeps its attachments as they are', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann, someone } = await ticketWithPeople(server)
  const { body } = await upload(server, ann, idTicket, picture)
  await server.as(await someone([1, 12]), trashTicket, { idTicket })
  expect((await server.as(ann, deleteAttachment, { idTicket, idAttachment: body.id })).status).toBe(422)
  expect(await server.sql`select 1 from attachment where organization_id = ${organization} and deleted_at is not null`).toEqual([])
})

test('a purged ticket takes a deleted attachment along, and frees its room once', async () => {
  await using server = await startServer()
  const { organization, project, idTicket, ann, someone } = await ticketWithPeople(server)
  const lead = await someone([1, 7, 12])
  const kept = await upload(server, lead, await makeTicket(server.db, organization, project), picture)
  const { body } = await upload(server, ann, idTicket, picture)
  await server.as(ann, deleteAttachment, { idTicket, idAttachment: body.id })
  await server.sql`update attachment set deleted_at = now() - interval '31 days' where organization_id = ${organization} and id = ${body.id}`
  await server.as(lead, trashTicket, { idTicket })
  expect((await server.as(lead, purgeTicket, { idTicket })).status).toBe(200)
  expect(await removeDeleted(server.db)).toBe(0)
  expect(await storedBytes(server, organization)).toBe(picture.content.length)
  await removeQueued(server)
  expect(filesOf(server.system)).toHaveLength(1)
  expect((await download(server, lead, kept.body.id)).status).toBe(200)
})

test('a ticket that has a hundred files again takes no deleted one back', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  await server.sql`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
    select ${organization}::bigint, ${idTicket}::bigint, 'x.jpg', 'image/jpeg', 1, '', 'none/' || i from generate_series(1, 99) i`
  const idAttachment = (await upload(server, ann, idTicket, picture)).body.id
  await server.as(ann, deleteAttachment, { idTicket, idAttachment })
  expect((await upload(server, ann, idTicket, picture)).status).toBe(200)
  expect(await server.as(ann, restoreAttachment, { idTicket, idAttachment })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await server.as(ann, getTicketData, { idTicket })).body.Attachments).toHaveLength(100)
})

test('a save and the deletion of an attachment of the same ticket at once both succeed', async () => {
  await using server = await startServer()
  const { idTicket, someone } = await ticketWithPeople(server)
  const lead = await someone([1, 3, 7, 13])
  const ids = []
  for (let file = 0; file < 6; file++) ids.push((await upload(server, lead, idTicket, picture)).body.id)
  const answers = await Promise.all(
    ids.flatMap(idAttachment => [
      server.as(lead, deleteAttachment, { idTicket, idAttachment }),
      server.as(lead, setTicketData, { idTicket, Title: `Without ${idAttachment}` }),
    ]),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await server.as(lead, getTicketData, { idTicket })).body.Attachments).toEqual([])
})

test('after 30 days a deleted attachment loses its file and frees its room; a younger one keeps both', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  const [old, young] = [(await upload(server, ann, idTicket, picture)).body.id, (await upload(server, ann, idTicket, picture)).body.id]
  for (const idAttachment of [old, young]) await server.as(ann, deleteAttachment, { idTicket, idAttachment })
  expect(await storedBytes(server, organization)).toBe(2 * picture.content.length)
  await server.sql`update attachment set deleted_at = now() - interval '31 days' where organization_id = ${organization} and id = ${old}`
  expect(await removeDeleted(server.db)).toBe(1)
  expect(await storedBytes(server, organization)).toBe(picture.content.length)
  await removeQueued(server)
  expect(filesOf(server.system)).toHaveLength(1)
  expect((await server.as(ann, restoreAttachment, { idTicket, idAttachment: old })).status).toBe(404)
  expect((await server.as(ann, restoreAttachment, { idTicket, idAttachment: young })).status).toBe(200)
  expect((await download(server, ann, young)).status).toBe(200)
})

test('very many deleted attachments are removed some at a time, by two processes at once, and their files while no backup is made', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  const other = await ticketWithPeople(server)
  const kept = (await upload(server, ann, idTicket, picture)).body.id
  const old = (await upload(server, ann, idTicket, picture)).body.id
  await server.as(ann, deleteAttachment, { idTicket, idAttachment: old })
  for (const [id, ticket] of [
    [organization, idTicket],
    [other.organization, other.idTicket],
  ]) {
    await server.sql`
      insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key, deleted_at)
      select ${id}::bigint, ${ticket}::bigint, 'x.jpg', 'image/jpeg', 2, '', ${id} || '/aa/bb/' || gen_random_uuid(), now() - interval '40 days'
      from generate_series(1, 1100)`
    await server.sql`update organization set attachment_bytes = attachment_bytes + 2200 where id = ${id}`
  }
  await server.sql`update attachment set deleted_at = now() - interval '31 days' where organization_id = ${organization} and id = ${old}`
  const removed = await Promise.all([removeDeleted(server.db), removeDeleted(server.db)])
  expect(removed[0] + removed[1]).toBe(2201)
  expect(await storedBytes(server, organization)).toBe(picture.content.length)
  expect(await storedBytes(server, other.organization)).toBe(0)
  const jobs = await server.sql<{ payload: { keys: string[] } }>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'remove-files'`
  expect(new Set(jobs.flatMap(({ payload }) => payload.keys)).size).toBe(2201)
  expect(Math.max(...jobs.map(({ payload }) => payload.keys.length))).toBeLessThanOrEqual(500)

  // The rows in a backup that is being written may still name the files.
  await whileLocked(connectionOf(server), () => removeQueued(server))
  expect(filesOf(server.system)).toHaveLength(2)
  await removeQueued(server)
  expect(filesOf(server.system)).toHaveLength(1)
  expect((await download(server, ann, kept)).status).toBe(200)
})

test('a file that a job is about to remove is not taken for one without an attachment', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  const { id } = (await upload(server, ann, idTicket, picture)).body
  const [file = ''] = filesOf(server.system)
  utimesSync(file, 0, 0)
  await server.as(ann, deleteAttachment, { idTicket, idAttachment: id })
  await server.sql`update attachment set deleted_at = now() - interval '31 days' where organization_id = ${organization}`
  await cleanUpFiles(server.system, {}, quiet)
  expect(await lastCleanUp(server.db)).toMatchObject({ files: 1, moved: 0, refused: 0, bin: 0 })
  // Nor while the last attempt runs.
  await server.sql`update graphile_worker._private_jobs set attempts = max_attempts, locked_at = now()`
  expect(await inspectStorage(server.db, server.system.storage)).toMatchObject({ files: 1, orphans: 0 })
  await server.sql`update graphile_worker._private_jobs set attempts = 0, locked_at = null`
  await removeQueued(server)
  expect(filesOf(server.system)).toEqual([])
})

test('a clean-up of attachments that failed counts as failed until one succeeds', async () => {
  await using server = await startServer()
  const { organization, idTicket } = await ticketWithPeople(server)
  const failed = async () => (await jobCounts(server.db)).find(({ name }) => name === 'clean-up-files')?.failed ?? 0
  await addJob(server.db, 'clean-up-files', {}, { attempts: 1 })
  await server.sql`update graphile_worker._private_jobs set attempts = max_attempts, locked_at = now()`
  // Its last attempt still runs.
  expect(await failed()).toBe(0)
  await server.sql`update graphile_worker._private_jobs set locked_at = null`
  await server.sql`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
    values (${organization}, ${idTicket}, 'x.jpg', 'image/jpeg', 1, '', ${organization} || '/aa/bb/' || gen_random_uuid())`
  await expect(cleanUpFiles(server.system, {}, quiet)).rejects.toThrow('1 attachments have lost their files')
  expect(await failed()).toBe(1)
  await server.sql`delete from attachment where organization_id = ${organization}`
  await cleanUpFiles(server.system, {}, quiet)
  expect(await failed()).toBe(0)
})

test('a restoration that meets the clean-up waits for it, and says that the attachment is gone', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  const input = { idTicket, idAttachment: (await upload(server, ann, idTicket, picture)).body.id }
  await server.as(ann, deleteAttachment, input)
  const restored = await inTransaction(server.db, async transaction => {
    await sql`delete from attachment where organization_id = ${organization} and id = ${input.idAttachment}`.execute(transaction)
    const restoration = server.as(ann, restoreAttachment, input)
    await expect.poll(() => lockWaits(server.db)).toBe(1)
    return { restoration }
  })
  expect((await restored.restoration).status).toBe(404)
  expect(JSON.stringify((await server.as(ann, getTicketHistory, { idTicket })).body).match(/"Attachments"/g)).toHaveLength(2)
})

test('a deletion and an upload that waited for their turn are refused if the right was taken away meanwhile', async () => {
  await using server = await startServer()
  const { organization, idTicket, ann } = await ticketWithPeople(server)
  const input = { idTicket, idAttachment: (await upload(server, ann, idTicket, picture)).body.id }
  const asked = await inTransaction(server.db, async transaction => {
    await sql`select 1 from ticket where organization_id = ${organization} and id = ${idTicket} for update`.execute(transaction)
    const deletion = server.as(ann, deleteAttachment, input)
    const added = upload(server, ann, idTicket, picture)
    await expect.poll(() => lockWaits(server.db)).toBe(2)
    await sql`update project_member set permissions = 1 where organization_id = ${organization} and user_id = ${ann.idUser}`.execute(
      transaction,
    )
    return { deletion, added }
  })
  for (const refused of [await asked.deletion, await asked.added])
    expect(refused).toMatchObject({ status: 422, body: { code: 'not_permitted' } })
  expect(filesOf(server.system)).toHaveLength(1)
})
