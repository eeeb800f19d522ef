import { isUtf8 } from 'node:buffer'
import type { Call } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { shapeOf } from '@tessera/contract/shapes'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { invalid } from '../../lib/failure.ts'

/** `\ud83d\ude00` for one character, `\u0001` for one byte: the largest expansion of a text in JSON. */
const escaped = { character: 12, byte: 6 }
/** Whitespace that a pretty-printer may add to an item or a member. */
const blanks = 12
const longestNumber = 24

/** The maximum size of the call's body in bytes: the most that its schema allows, however it is escaped, and at least `limits.body`. */
export function bodyLimitOf(call: Call): number {
  if (call.bodyLimit !== undefined) return call.bodyLimit
  const most = largest(shapeOf(call).request as Part)
  if (!Number.isFinite(most)) throw new Error(`The schema of ${call.name} has no end: the contract must give it a bodyLimit`)
  return Math.max(limits.body, Math.ceil(most / 1024) * 1024)
}

/** The JSON Schema keywords of the contract that bound a size. */
type Part = TSchema & {
  type?: string
  const?: unknown
  anyOf?: Part[]
  allOf?: Part[]
  items?: Part
  maxItems?: number
  maxLength?: number
  maxBytes?: number
  properties?: Record<string, Part>
  patternProperties?: Record<string, Part>
}

function largest(part: Part): number {
  if (part.const !== undefined) return JSON.stringify(part.const).length
  if (part.anyOf) return Math.max(...part.anyOf.map(largest))
  if (part.allOf) return Math.min(...part.allOf.map(largest))
  if (part.type === 'string') {
    const { maxBytes = Number.POSITIVE_INFINITY, maxLength = Number.POSITIVE_INFINITY } = part
    return 2 + Math.min(maxBytes * escaped.byte, maxLength * escaped.character)
  }
  if (part.type === 'array') return 2 + (part.maxItems ?? Number.POSITIVE_INFINITY) * ((part.items ? largest(part.items) : 0) + 1 + blanks)
  if (part.type === 'object') {
    if (part.patternProperties) return Number.POSITIVE_INFINITY
    const members = Object.entries(part.properties ?? {}).map(([name, value]) => name.length * escaped.byte + largest(value) + 4 + blanks)
    return members.reduce((sum, member) => sum + member, 2 + blanks)
  }
  return longestNumber
}

/** Whether arrays and objects are nested more than `most` levels deep. Parsing a million levels would block all requests. */
export function isDeeperThan(most: number, json: string) {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === quote) at = endOfString(json, at)
    else if (character === openBracket || character === openBrace) {
      if (++depth > most) return true
    } else if (character === closeBracket || character === closeBrace) depth--
  }
  return false
}
const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [...'"\\[]{}'].map(sign => sign.charCodeAt(0))

/** Where the string that begins at `start` ends; past the end when it does not. */
function endOfString(json: string, start: number) {
  let at = start + 1
  for (; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === backslash) at++
    else if (character === quote) break
  }
  return at
}

/** Parses JSON of bounded depth. An empty body is read as `{}`, for the specification's calls with an "empty" body. */
export function acceptJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const body = bytes.toString()
    if (body === '') done(null, {})
    // Bytes that are not UTF-8 would be stored as U+FFFD.
    else if (!isUtf8(bytes)) done(invalid('body', 'must be UTF-8'))
    else if (isDeeperThan(limits.jsonDepth, body)) done(invalid('body', `must not be nested deeper than ${limits.jsonDepth}`))
    else parse(request, body, done)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.method === 'POST' && request.body === undefined && !request.headers['content-type']) request.body = {}
    done()
  })
}
