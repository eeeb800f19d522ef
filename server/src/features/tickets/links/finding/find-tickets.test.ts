import { allPermissions } from '@tessera/contract/permissions'
import { findTickets } from '@tessera/contract/tickets/links'
import { trashTicket } from '@tessera/contract/tickets/moving'
import { expect, test } from 'vitest'
import { makeMember, makeTicket } from '../../../../../test/fixtures/factories.ts'
import { expectRefusals } from '../../../../../test/fixtures/refusals.ts'
import { linkedTickets } from '../../../../../test/fixtures/worlds/linked-tickets.ts'
import { startServer } from '../../../../../test/servers/server.ts'

test('tickets are found by key and by words, across projects, only where they may be seen', async () => {
  await using server = await startServer()
  const { organization, foreign, foreigner, elsewhere, someone, caller, hidden, ticket } = await linkedTickets(server)
  const [first, second] = [await ticket('Payment page is slow'), await ticket('Slow search, 100% of the time')]
  const secret = await ticket('Slow secret', hidden)
  await makeTicket(server.db, elsewhere, foreign, { title: 'Slow elsewhere' })
  const gone = await ticket('Slow and gone')
  await server.as(caller, trashTicket, { idTicket: gone })
  const find = async (Text: string, who = caller) => (await server.as(who, findTickets, { idTicket: first, Text })).body.map(({ id }) => id)
  expect(await find('slow')).toEqual([second, first])
  expect(await find(' PAGE  slow ')).toEqual([first])
  const accented = await ticket('Größe der Ära')
  for (const text of ['grosse', 'GRÖS', 'ara', 'ära', 'öße']) expect(await find(text), text).toEqual([accented])
  expect(await find('100%')).toEqual([second])
  for (const key of [`OPS-${first}`, `ops-${first}`, String(first)]) expect((await find(key))[0]).toBe(first)
  for (const which of 'abcdefgh') await ticket(`Follow-up ${which} of OPS-${first}`)
  expect((await find(`OPS-${first}`))[0]).toBe(first)
  for (const text of [`HID-${first}`, `HID-${secret}`, String(secret), 'secret', ' ']) expect(await find(text), text).toEqual([])
  const both = await someone(allPermissions)
  await makeMember(server.db, organization, hidden.projectId, both.idUser, 'all')
  expect(await find(`hid-${secret}`, both)).toEqual([secret])
  // Those of the same project come first.
  expect(await find('slow', both)).toEqual([second, first, secret])
  expect((await server.as(both, findTickets, { idTicket: first, Text: 'secret' })).body).toEqual([
    {
      id: secret,
      pcode: 'HID',
      Title: 'Slow secret',
      idState: hidden.states.open,
      State: 'Open',
      Phase: 1,
      idProject: hidden.projectId,
    },
  ])
  await expectRefusals(server, findTickets, {
    input: { idTicket: first, Text: 'slow' },
    caller,
    foreigner,
    bad: [[{ idTicket: first, Text: 7 }, 'Text']],
  })
})
