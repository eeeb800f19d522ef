import { setTicketTemplate } from '@tessera/contract/projects/project-config'
import { shapeOf } from '@tessera/contract/shapes'
import { moveOnBoard } from '@tessera/contract/tickets/board'
import { previewBulkChange } from '@tessera/contract/tickets/bulk'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { handlers } from '../src/handlers/handlers.ts'
import { makeTicket } from './fixtures/factories.ts'
import { peopledProject } from './fixtures/worlds/peopled-project.ts'
import { startServer } from './servers/server.ts'

interface Part {
  type?: string
  const?: unknown
  pattern?: string
  anyOf?: Part[]
  allOf?: Part[]
  items?: Part
  properties?: Record<string, Part>
  patternProperties?: Record<string, Part>
  additionalProperties?: boolean
}
/** What PostgreSQL cannot store. */
const unstorable = ['\u0000', 'a\u0000b', '\ud800', '\udfff x']

/** Where the schema takes a member it does not name, or text that cannot be stored. */
function* holes(part: Part, path: string): Generator<string> {
  if (part.const !== undefined) return
  if (part.anyOf) for (const one of part.anyOf) yield* holes(one, path)
  else if (part.allOf) {
    const ofParts = part.allOf.map(one => [...holes(one, path)])
    if (ofParts.every(found => found.length > 0)) yield* ofParts.flat()
  } else if (part.type === 'string') {
    const pattern = part.pattern === undefined ? /^/ : new RegExp(part.pattern, 'u')
    if (unstorable.some(text => pattern.test(text))) yield `${path} takes any text`
  } else if (part.type === 'object') {
    if (part.additionalProperties !== false) yield `${path} takes any member`
    for (const [name, one] of Object.entries({ ...part.properties, ...part.patternProperties })) yield* holes(one, `${path}.${name}`)
  } else if (part.type === 'array' && part.items) yield* holes(part.items, `${path}[]`)
  else if (!['integer', 'number', 'boolean', 'null'].includes(part.type ?? '')) yield `${path} takes anything`
}

test('every request refuses unknown members and text that cannot be stored', () => {
  const found = Object.values(handlers).flatMap(({ call }) => [...holes(shapeOf(call).request as Part, call.name)])
  expect(found).toEqual([])
})

test('a key of `data` that no field can have is a bad request for everybody, whatever its value', async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  const idTicket = await makeTicket(server.db, organization, project)
  const idTicketTemplate = project.templates.bug
  for (const caller of [await someone('all'), await someone([])]) {
    for (const key of [...unstorable, '', 'a b', 'a'.repeat(65)]) {
      for (const data of [{ [key]: 'x' }, { [key]: { $gt: 0 } }]) {
        for (const [call, input] of [
          [setTicketData, { idTicket, data }],
          [moveOnBoard, { idTicket, data }],
          [previewBulkChange, { idProject, Tickets: [idTicket], Change: { data } }],
          [setTicketTemplate, { idProject, idTicketTemplate, Defaults: { data } }],
        ] as const) {
          const { status } = await server.as(caller, call, JSON.stringify(input))
          expect([call.name, key, status]).toEqual([call.name, key, 400])
        }
      }
    }
  }
})
