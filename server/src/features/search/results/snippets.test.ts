import { deleteComment, setTicketComment } from '@tessera/contract/tickets/comments'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeField } from '../../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('a snippet has no Markdown marks, unless they are what was searched for', async () => {
  const { organization, project, caller, make, search } = await searchWorld(server)
  const shown = async (word: string) =>
    (await search(word)).Tickets[0]?.Snippet?.map(({ Text, Mark }) => (Mark ? `<${Text}>` : Text)).join('')
  const comment = async (Comment: string) => server.as(caller, setTicketComment, { idTicket: await make('Elsewhere'), Comment })
  await comment(
    '## Steps\n\n- [ ] open the **kite** *page*\n- see [the manual](https://example.org/sextant), `snake_case` and ~~old~~ 2*3*4\n\n> quoted',
  )
  await comment('![a picture of a lighthouse](attachment:7)\n\n```\nconst *plain* = anchor\n```')
  expect(await shown('kite')).toBe('Steps open the <kite> page see the manual, snake_case and old 234 quoted')
  expect(await shown('lighthouse')).toBe('a picture of a <lighthouse> const *plain* = anchor')
  // Only the address has the word.
  expect(await shown('sextant')).toContain('(https://example.org/<sextant>)')
  // A field of one line is no Markdown.
  await makeField(server.db, organization, project, 'line', 'TEXT')
  await server.as(caller, setTicketData, { idTicket: await make('Elsewhere'), data: { line: 'gauge 2*3*4' } })
  expect(await shown('gauge')).toBe('<gauge> 2*3*4')
  // A deleted comment is not shown, although it alone has both words.
  const idTicket = await make('Elsewhere')
  const ids: number[] = []
  for (const Comment of ['a spare harpoon', 'one harpoon', 'no spare'])
    ids.push((await server.as(caller, setTicketComment, { idTicket, Comment })).body.idComment)
  expect((await server.as(caller, deleteComment, { idComment: ids[0] })).status).toBe(200)
  expect(await shown('spare harpoon')).toBe('one <harpoon>')
})

test('a snippet shows the place with the words next to each other or with most of them, of whole words, and says where it is cut', async () => {
  const { caller, make, search } = await searchWorld(server)
  const shown = async (query: string) =>
    (await search(query)).Tickets[0]?.Snippet?.map(({ Text, Mark }) => (Mark ? `<${Text}>` : Text)).join('')
  const idTicket = await make('Nothing')
  const note = `The information about donations is on the wall. ${'A sentence that is there to be long. '.repeat(6)}Die alte Königin: quokka`
  await server.as(caller, setTicketData, { idTicket, data: { note } })
  for (const Comment of ['only zorblaxes', 'on and on, then zorblax', 'zorblax on fire', 'kumир мир'])
    await server.as(caller, setTicketComment, { idTicket, Comment })
  for (const [query, found] of [
    ['"zorblax on"', '<zorblax> <on> fire'],
    ['zorblax on', '<zorblax> <on> fire'],
    ['on zorblax', '<on> and <on>, then <zorblax>'],
    ['zorblax fi', '<zorblax> on <fi>re'],
    ['zorblaxe', 'only <zorblaxe>s'],
    ['мир', 'kumир <мир>'],
    ['konigin quok', 'to be long. Die alte <Königin>: <quok>ka'],
    ['donations', 'The information about <donations> is on the wall.'],
  ] as const) {
    const text = await shown(query)
    expect.soft([query, text]).toEqual([query, expect.stringContaining(found)])
    if (query.startsWith('ko')) expect(text).toMatch(/^… (The|information|about|sentence|A|that|is|there|to|be|long)\b.*ka$/)
    if (query === 'donations') expect(text).toMatch(/^The .* (A|sentence|that|is|there|to|be|long\.) …$/)
  }
})
