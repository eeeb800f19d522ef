import { allPermissions, permission } from '@tessera/contract/permissions'
import { getTicketComments, setCommentReaction, setTicketComment } from '@tessera/contract/tickets/comments'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { allBut, peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { startServer } from '../../../../test/servers/server.ts'

test('a reaction is counted once per person and kind, can be removed, and makes no history or notice', async () => {
  await using server = await startServer()
  const { organization, project, someone, foreigner } = await peopledProject(server)
  const ann = await someone(allPermissions, { fullName: 'Ann' })
  const bob = await someone([1, 6], { fullName: 'Bob' })
  const unpermitted = await someone(allBut(permission.comment))
  const idTicket = await makeTicket(server.db, organization, project)
  const { body: earlier } = await server.as(ann, setTicketComment, { idTicket, Comment: 'Begun' })
  await server.as(bob, setCommentReaction, { idComment: earlier.idComment, Reaction: '+1', Enabled: 1 })
  const { idComment } = (await server.as(ann, setTicketComment, { idTicket, Comment: 'Done' })).body
  const react = (who: typeof ann, Reaction: '+1' | 'heart', Enabled: 0 | 1 = 1) =>
    server.as(who, setCommentReaction, { idComment, Reaction, Enabled })
  const seenBy = async (who: typeof ann) => (await server.as(who, getTicketComments, { idTicket })).body[0]?.Reactions
  const traces = async () => [
    await server.db.selectFrom('change').select('id').where('organization_id', '=', organization).execute(),
    await server.db.selectFrom('ticket').select('version').where('organization_id', '=', organization).execute(),
  ]

  expect(await seenBy(ann)).toEqual([])
  const before = await traces()
  for (const [who, kind] of [
    [bob, '+1'],
    [ann, '+1'],
    [bob, '+1'],
    [ann, 'heart'],
  ] as const)
    expect((await react(who, kind)).body).toEqual({ Success: 1 })
  expect(await seenBy(bob)).toEqual([
    { Reaction: '+1', Users: ['Bob', 'Ann'], Mine: 1 },
    { Reaction: 'heart', Users: ['Ann'], Mine: 0 },
  ])
  await react(bob, '+1', 0)
  expect(await seenBy(bob)).toEqual([
    { Reaction: '+1', Users: ['Ann'], Mine: 0 },
    { Reaction: 'heart', Users: ['Ann'], Mine: 0 },
  ])
  expect((await server.as(bob, getTicketComments, { idTicket })).body[1]?.Reactions).toEqual([{ Reaction: '+1', Users: ['Bob'], Mine: 1 }])
  expect(await traces()).toEqual(before)
  await expectRefusals(server, setCommentReaction, {
    input: { idComment, Reaction: 'eyes', Enabled: 1 },
    caller: ann,
    foreigner,
    unpermitted,
    bad: [[{ idComment, Reaction: 'love', Enabled: 1 }, 'Reaction']],
  })
})
