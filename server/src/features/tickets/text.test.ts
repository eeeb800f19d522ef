import { limits } from '@tessera/contract/limits'
import { getCommentHistory, getTicketComments, setTicketComment } from '@tessera/contract/tickets/comments'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

async function writing() {
  const { organization, project, someone } = await peopledProject(server)
  const idTicket = await makeTicket(server.db, organization, project)
  const ann = await someone([1, 3, 6])
  return {
    comment: (Comment: string) => server.as(ann, setTicketComment, { idTicket, Comment }),
    rewrite: (idComment: number, Comment: string) => server.as(ann, setTicketComment, { idTicket, idComment, Comment }),
    versions: async (idComment: number) => (await server.as(ann, getCommentHistory, { idTicket, idComment })).body,
    latest: async () => (await server.as(ann, getTicketComments, { idTicket })).body[0],
    note: (note: string) => server.as(ann, setTicketData, { idTicket, data: { note } }),
    noted: async () => (await server.as(ann, getTicketData, { idTicket })).body.Fields.find(({ Key }) => Key === 'note')?.Value,
  }
}

/** Everything PostgreSQL can hold: no NUL; `fc.string` in units of graphemes or code points makes no unpaired surrogate. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(fc.constantFrom('\r\n', '\n', '\r', ' ', '\t', '    code', '\u200f', '\u202e', '\ufeff', '\\', '"', '- [ ] a', '\u2028'), {
        maxLength: 30,
      })
      .map(parts => parts.join('')),
  )
  .map(text => text.replaceAll('\0', ''))

test('any Unicode text is read as it was saved, except that CRLF becomes LF', async () => {
  const { comment, latest, note, noted } = await writing()
  await fc.assert(
    fc.asyncProperty(anyText, async text => {
      const expected = text.split('\r\n').join('\n')
      expect((await note(text)).status).toBe(200)
      expect(await noted()).toBe(expected)
      // A comment may be any text that is not blank.
      expect((await comment(`${text}x`)).status).toBe(200)
      expect((await latest())?.Comment).toBe(`${expected}x`)
    }),
    { numRuns: 60, seed: Number(process.env.SEED ?? 20_261_122) },
  )
})

test('limits count what is stored; a blank comment is refused; the same text with other line endings is no new version', async () => {
  const { comment, rewrite, versions, latest } = await writing()
  const most = `${'ä'.repeat((limits.comment - 4) / 2)}\n\n\n\n`
  expect((await comment(most.replaceAll('\n', '\r\n'))).status).toBe(200)
  expect((await latest())?.Comment).toBe(most)
  expect(await comment(`${most}x`)).toMatchObject({ status: 400, body: { fields: [{ path: 'Comment' }] } })
  for (const blank of ['', ' \n\t', '\r\n', '\u200b']) expect((await comment(blank)).status, JSON.stringify(blank)).toBe(400)
  // A character that Unicode has not assigned yet may be tomorrow's emoji.
  expect((await comment('\u{3347a}')).status).toBe(200)
  const { body } = await comment('    indented\nas code')
  expect((await rewrite(body.idComment, '    indented\r\nas code')).status).toBe(200)
  expect((await versions(body.idComment)).map(({ Comment }) => Comment)).toEqual(['    indented\nas code'])
})
