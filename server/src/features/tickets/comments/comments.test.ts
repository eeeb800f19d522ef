import { randomUUID } from 'node:crypto'
import {
  deleteComment,
  getCommentHistory,
  getTicketComments,
  restoreComment,
  setCommentReaction,
  setTicketComment,
} from '@tessera/contract/tickets/comments'
import { getTicketHistory } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { databaseDigest, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { lockWaits } from '../../../../test/postgres/lock-waits.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

async function commentedTicket() {
  const made = await peopledProject(server)
  const { organization, project, someone } = made
  return {
    ...made,
    idTicket: await makeTicket(server.db, organization, project),
    ann: await someone([1, 6], { login: `ann-${randomUUID()}`, fullName: 'Ann Lee' }),
    bob: await someone([1, 6], { login: `bob-${randomUUID()}` }),
    viewer: await someone([1]),
  }
}

test('comments are listed newest first with their authors, and edited only by their author [3.12] [7.24] [7.25]', async () => {
  const { organization, idTicket, ann, bob, viewer } = await commentedTicket()
  const first = (await server.as(ann, setTicketComment, { idTicket, Comment: '  Hello\nworld  ' })).body
  expect(first).toEqual({ Success: 1, idComment: expect.any(Number) })
  const second = (await server.as(bob, setTicketComment, { idTicket, Comment: 'Second' })).body

  const comments = [
    {
      idComment: second.idComment,
      DateCreated: expect.any(Number),
      Author: await login(bob.idUser),
      Comment: 'Second',
      ChangeCount: 1,
      Reactions: [],
    },
    {
      idComment: first.idComment,
      DateCreated: expect.any(Number),
      Author: 'Ann Lee',
      Comment: '  Hello\nworld  ',
      ChangeCount: 1,
      Reactions: [],
    },
  ]
  expect((await server.as(ann, getTicketComments, { idTicket })).body).toEqual(comments)
  expect((await server.as(ann, getTicketComments, { idTicket, Editable: 1 })).body).toEqual([
    { ...comments[0], Editable: 0 },
    { ...comments[1], Editable: 1 },
  ])

  await server.sql`update comment set written_at = now() - interval '1 hour' where organization_id = ${organization} and ticket_id = ${idTicket}`
  const edit = { idTicket, idComment: first.idComment, Comment: 'Hello again' }
  expect((await server.as(ann, setTicketComment, edit)).body).toEqual({ Success: 1, idComment: first.idComment })
  // The same text again is no new version.
  expect((await server.as(ann, setTicketComment, edit)).status).toBe(200)
  expect((await server.as(viewer, getTicketComments, { idTicket, Editable: 1 })).body).toMatchObject([
    { ChangeCount: 1 },
    { Comment: 'Hello again', ChangeCount: 2, Editable: 0 },
  ])
  const history = (await server.as(viewer, getCommentHistory, { idTicket, idComment: first.idComment })).body
  expect(history).toMatchObject([
    { Version: 2, Author: 'Ann Lee', Comment: 'Hello again' },
    { Version: 1, Author: 'Ann Lee', Comment: '  Hello\nworld  ' },
  ])
  expect(history[0]?.DateChanged).toBeGreaterThanOrEqual((history[1]?.DateChanged as number) + 3600)

  const rows = await server.sql<{ field: string; before: string | null; after: string }>`
    select field, before, after from change where organization_id = ${organization} and ticket_id = ${idTicket} order by id`
  expect(rows).toEqual([
    { field: 'Comment', before: null, after: `${first.idComment}.1` },
    { field: 'Comment', before: null, after: `${second.idComment}.1` },
    { field: 'Comment', before: `${first.idComment}.1`, after: `${first.idComment}.2` },
  ])
})

test('two edits of one comment at once are two versions', async () => {
  const { idTicket, ann } = await commentedTicket()
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: 'one' })).body
  const answers = await Promise.all(['two', 'three'].map(Comment => server.as(ann, setTicketComment, { idTicket, idComment, Comment })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const history = (await server.as(ann, getCommentHistory, { idTicket, idComment })).body
  expect(history.map(({ Version }) => Version)).toEqual([3, 2, 1])
  expect(new Set(history.map(({ Comment }) => Comment))).toEqual(new Set(['one', 'two', 'three']))
})

test('of a comment with many versions the latest 100 are answered, then those before the last one', async () => {
  const { organization, idTicket, ann } = await commentedTicket()
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: 'one' })).body
  await server.sql`
    insert into comment_version (organization_id, comment_id, version, text, written_at)
    select ${organization}, ${idComment}, n, 'text ' || n, now() from generate_series(1, 249) n`
  await server.sql`update comment set versions = 250 where organization_id = ${organization} and id = ${idComment}`
  const page = async (more: { Before?: number } = {}) =>
    (await server.as(ann, getCommentHistory, { idTicket, idComment, ...more })).body.map(({ Version }) => Version)
  const downFrom = (version: number, count: number) => Array.from({ length: count }, (_, index) => version - index)
  expect(await page()).toEqual(downFrom(250, 100))
  expect(await page({ Before: 151 })).toEqual(downFrom(150, 100))
  expect(await page({ Before: 51 })).toEqual(downFrom(50, 50))
  expect(await page({ Before: 1 })).toEqual([])
  expect(await page({ Before: 2 ** 31 })).toHaveLength(100)
})

test('a comment that waits for a ticket which goes to the trash or is deleted is refused, and nothing is written', async () => {
  const { organization, project, ann } = await commentedTicket()
  const removals = [
    [sql`update ticket set trashed_at = now(), trash_root_id = id`, 422],
    [sql`delete from ticket`, 404],
  ] as const
  for (const isEdit of [false, true])
    for (const [removal, status] of removals) {
      const idTicket = await makeTicket(server.db, organization, project)
      const edited = isEdit ? { idComment: (await server.as(ann, setTicketComment, { idTicket, Comment: 'one' })).body.idComment } : {}
      const history = async () =>
        (await server.sql`select 1 from change where organization_id = ${organization} and ticket_id = ${idTicket}`).length
      const before = await history()
      const answer = await server.db.transaction().execute(async transaction => {
        await sql`${removal} where organization_id = ${organization} and id = ${idTicket}`.execute(transaction)
        const saving = server.as(ann, setTicketComment, { idTicket, ...edited, Comment: 'two' })
        await expect.poll(() => lockWaits(server.db)).toBe(1)
        return { saving }
      })
      expect((await answer.saving).status).toBe(status)
      expect(await history()).toBe(before)
    }
})

test('a comment is deleted by its author or a project manager: a note takes its place, its text is nowhere, and it can be restored', async () => {
  const { db } = server
  const { organization, idTicket, ann, bob, viewer, foreigner, someone } = await commentedTicket()
  const lead = await someone([1, 13], { fullName: 'Lea Lead' })
  await server.as(bob, setTicketComment, { idTicket, Comment: 'stays' })
  const { body: dropped } = await server.as(bob, setTicketComment, { idTicket, Comment: 'dropped' })
  await server.as(bob, deleteComment, { idComment: dropped.idComment })
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: 'secrit' })).body
  await server.as(ann, setTicketComment, { idTicket, idComment, Comment: 'secret' })
  await server.as(bob, setCommentReaction, { idComment, Reaction: 'eyes', Enabled: 1 })
  const seen = async (who = viewer) => (await server.as(who, getTicketComments, { idTicket, Editable: 1 })).body[0]
  const whole = await seen()
  // What was written before is mailed; the deletion is not.
  await sql`delete from ticket_notice where organization_id = ${organization}`.execute(db)

  await expectRefusals(server, deleteComment, { input: { idComment }, caller: ann, foreigner, unpermitted: bob, bad: [[{}, 'idComment']] })
  await server.as(lead, deleteComment, { idComment })
  expect(await seen()).toEqual({ ...whole, Comment: '', ChangeCount: 1, Reactions: [], DeletedBy: 'Lea Lead' })
  expect((await seen(ann))?.Editable).toBe(0)
  const gone = await databaseDigest(db)
  expect((await server.as(lead, deleteComment, { idComment })).body).toEqual({ Success: 1 })
  expect((await server.as(viewer, getCommentHistory, { idTicket, idComment })).status).toBe(404)
  expect((await server.as(ann, setTicketComment, { idTicket, idComment, Comment: 'x' })).status).toBe(404)
  expect((await server.as(bob, setCommentReaction, { idComment, Reaction: 'heart', Enabled: 1 })).status).toBe(404)
  expect(await databaseDigest(db)).toBe(gone)
  const history = (await server.as(viewer, getTicketHistory, { idTicket })).body.Changes
  expect(history[0]).toMatchObject({ Author: 'Lea Lead', Field: 'Comment', Before: 'A comment that is gone', After: null })
  expect(JSON.stringify(history)).not.toContain('secr')
  expect(await db.selectFrom('ticket_notice').select('ticket_id').where('organization_id', '=', organization).execute()).toEqual([])

  await expectRefusals(server, restoreComment, { input: { idComment }, caller: lead, foreigner, unpermitted: bob })
  // The author cannot restore what a manager deleted, nor the other way round.
  expect(await server.as(ann, restoreComment, { idComment })).toMatchObject({ status: 422, body: { needs: 'Manage project' } })
  expect(await databaseDigest(db)).toBe(gone)
  await server.as(lead, restoreComment, { idComment })
  expect(await seen()).toEqual(whole)
  await server.as(ann, deleteComment, { idComment })
  expect(await seen()).toMatchObject({ DeletedBy: 'Ann Lee' })
  expect(await server.as(lead, restoreComment, { idComment })).toMatchObject({ status: 422, body: { code: 'rule' } })
  for (const _ of [1, 2]) expect((await server.as(ann, restoreComment, { idComment })).status).toBe(200)
  expect(await seen()).toEqual(whole)
  const texts = (await server.as(viewer, getTicketComments, { idTicket })).body.map(({ Comment }) => Comment)
  expect(texts).toEqual(['secret', '', 'stays'])
})

test('an Idempotency-Key writes a comment once', async () => {
  const { idTicket, ann } = await commentedTicket()
  const headers = { 'idempotency-key': randomUUID() }
  const [one, two] = [
    await server.as(ann, setTicketComment, { idTicket, Comment: 'once' }, headers),
    await server.as(ann, setTicketComment, { idTicket, Comment: 'once' }, headers),
  ]
  expect(two.body).toEqual(one.body)
  expect((await server.as(ann, getTicketComments, { idTicket })).body).toHaveLength(1)
  expect((await server.as(ann, setTicketComment, { idTicket, Comment: 'other' }, headers)).status).toBe(422)
})

test('a refused comment call changes nothing [5.20]', async () => {
  const { organization, project, idTicket, ann, bob, viewer, foreigner } = await commentedTicket()
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: 'text' })).body
  const otherTicket = await makeTicket(server.db, organization, project)

  await expectRefusals(server, setTicketComment, {
    input: { idTicket, Comment: 'text' },
    caller: ann,
    foreigner,
    unpermitted: viewer,
    bad: [
      [{ idTicket, Comment: ' \n ' }, 'Comment'],
      [{ idTicket, Comment: '\u200b' }, 'Comment'],
      [{ idTicket, Comment: 'x'.repeat(64 * 1024 + 1) }, 'Comment'],
      [{ idTicket: String(idTicket), Comment: 'text' }, 'idTicket'],
      [{ idTicket }, 'Comment'],
      [{ idTicket, Comment: 'text', idComment: null }, 'idComment'],
    ],
  })
  await expectRefusals(server, getTicketComments, { input: { idTicket }, caller: ann, foreigner, bad: [[{}, 'idTicket']] })
  await expectRefusals(server, getCommentHistory, {
    input: { idTicket, idComment },
    caller: ann,
    foreigner,
    bad: [[{ idTicket }, 'idComment']],
  })

  const before = await databaseDigest(server.db)
  expect(await server.as(bob, setTicketComment, { idTicket, idComment, Comment: 'mine now' })).toMatchObject({
    status: 422,
    body: { code: 'rule' },
  })
  for (const input of [
    { idTicket, idComment: idComment + 999 },
    { idTicket: otherTicket, idComment },
  ]) {
    expect((await server.as(ann, setTicketComment, { ...input, Comment: 'x' })).status).toBe(404)
    expect((await server.as(ann, getCommentHistory, input)).status).toBe(404)
  }
  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organization} and id = ${idTicket}`
  expect(await server.as(ann, setTicketComment, { idTicket, Comment: 'x' })).toMatchObject({ status: 422, body: { code: 'rule' } })
  expect((await server.as(ann, getTicketComments, { idTicket, Editable: 1 })).body).toMatchObject([{ Editable: 0 }])
  expect((await server.as(ann, setCommentReaction, { idComment, Reaction: 'eyes', Enabled: 0 })).status).toBe(422)
  await server.sql`update ticket set trashed_at = null, trash_root_id = null where organization_id = ${organization} and id = ${idTicket}`
  expect(await databaseDigest(server.db)).toBe(before)
  await server.sql`update project set archived_at = now() where organization_id = ${organization} and id = ${project.projectId}`
  expect(await server.as(ann, setTicketComment, { idTicket, Comment: 'x' })).toMatchObject({ status: 422, body: { code: 'rule' } })
})

async function login(id: number) {
  return (await server.db.selectFrom('user_account').select('login').where('id', '=', id).executeTakeFirstOrThrow()).login
}

test('all comments are answered, and with a limit a page of them', async () => {
  const { organization, idTicket, ann } = await commentedTicket()
  await server.sql`
    insert into comment (organization_id, ticket_id, author_id, text)
    select ${organization}::bigint, ${idTicket}::bigint, ${ann.idUser}::bigint, 'comment ' || i from generate_series(1, 250) i order by i`
  const pages: string[][] = []
  for (let Before: number | undefined; ; ) {
    const { body } = await server.as(ann, getTicketComments, { idTicket, Limit: 100, ...(Before && { Before }) })
    if (body.length === 0) break
    pages.push(body.map(({ Comment }) => Comment))
    Before = body.at(-1)?.idComment
  }
  expect(pages.map(page => page.length)).toEqual([100, 100, 50])
  const all = Array.from({ length: 250 }, (_, i) => `comment ${250 - i}`)
  expect(pages.flat()).toEqual(all)
  const texts = async () => (await server.as(ann, getTicketComments, { idTicket })).body.map(({ Comment }) => Comment)
  expect(await texts()).toEqual(all)
  // The largest answer: 16 MiB of text.
  await server.sql`
    insert into comment (organization_id, ticket_id, author_id, text)
    select ${organization}::bigint, ${idTicket}::bigint, ${ann.idUser}::bigint, lpad('x', 65536) from generate_series(1, 260)`
  expect(await texts()).toHaveLength(256)
})

test('an edit with a version is refused once the text has changed, and nothing is written', async () => {
  const { organization, project, someone } = await peopledProject(server)
  const idTicket = await makeTicket(server.db, organization, project)
  const ann = await someone([1, 6])
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: '- [ ] a' })).body
  const edit = (Comment: string, Version: number) => server.as(ann, setTicketComment, { idTicket, idComment, Comment, Version })
  expect((await edit('- [x] a', 1)).body).toEqual({ Success: 1, idComment, Version: 2 })
  expect(await edit('- [ ] a, b', 1)).toMatchObject({ status: 409, body: { code: 'conflict', Version: 2, Comment: '- [x] a' } })
  // The same text again is no conflict: a save whose answer was lost is sent again.
  expect((await edit('- [x] a', 1)).body).toEqual({ Success: 1, idComment, Version: 2 })
  expect((await server.as(ann, getTicketComments, { idTicket })).body).toMatchObject([{ Comment: '- [x] a', ChangeCount: 2 }])
  const both = await Promise.all(['one', 'two'].map(text => edit(text, 2)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})
