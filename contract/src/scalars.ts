import * as Type from 'typebox'
import { emailPattern, limits } from './limits.ts'

/** An id: an integer from 1 to 2^53-1, never reused. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
/** An id in an address, as digits; everywhere else ids are numbers. */
export const IdInAddress = Type.String({ pattern: '^[1-9][0-9]{0,14}$' })
/** 0 or 1. */
export const Flag = Type.Union([Type.Literal(0), Type.Literal(1)])
/** Seconds since 1970-01-01 UTC. */
export const EpochSeconds = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** The category of a state: 1 Proposed, 2 Active, 3 Inactive. */
export const Phase = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)])
export type Phase = Type.Static<typeof Phase>

/** Text that PostgreSQL can hold: no NUL, no unpaired surrogate. (Patterns are matched with the `u` flag.) */
const storable = '^[^\\u0000\\uD800-\\uDFFF]*$'
/** Text that is stored as it is. */
export function Text(maxLength: number, minLength = 0) {
  return Type.String({ minLength, maxLength, pattern: storable })
}
/** Text in UTF-8 of at most `maxBytes`. */
function LongText(maxBytes: number) {
  return Type.String({ maxLength: maxBytes, maxBytes, pattern: storable })
}
/** Values of a ticket by field key; no other names. */
export const FieldValues = Type.Record(Type.String({ pattern: '^[A-Za-z0-9_]{1,64}$' }), LongText(limits.fieldValue), {
  maxProperties: 1000,
  additionalProperties: false,
})
/** A name of a person of one line, trimmed on arrival, or nothing. */
export const PersonName = Type.String({ trimmed: true, oneLine: true, seen: true, maxLength: limits.personName, pattern: storable })
/** Text of one line that is trimmed on arrival and must then have a visible character; the other keywords apply to the trimmed text. */
export function Line(maxLength: number) {
  return Type.String({ trimmed: true, oneLine: true, seen: true, minLength: 1, maxLength, pattern: storable })
}
/** A line that names something, mostly unique: an accent typed as a character of its own is composed with its letter, since both look the same. */
export function Name() {
  return Type.String({ ...Line(limits.name), composed: true })
}
/** Markdown: CR LF becomes LF, otherwise it is stored as it is. It must not be blank. The limit is in bytes of UTF-8. */
export function Prose(maxBytes: number) {
  return Type.String({ lineFeeds: true, notBlank: true, minLength: 1, maxLength: maxBytes, maxBytes, pattern: storable })
}
/** 1–100 characters without blanks or control characters, unique in the installation ignoring case. */
export const LoginName = Type.String({
  trimmed: true,
  minLength: 1,
  maxLength: limits.login,
  pattern: '^[^\\s\\u0000-\\u001f\\u007f-\\u009f\\uD800-\\uDFFF]+$',
})
/** 1–16 letters, digits or `_`, unique in the organization ignoring case. */
export const ShortCode = Type.String({ trimmed: true, minLength: 1, maxLength: limits.shortCode, pattern: '^[A-Za-z0-9_]+$' })
/** 1–64 ASCII letters, digits or `_`, unique in the project, none of `__proto__`, `constructor`, `prototype`. */
export const DatabaseKey = Type.String({
  trimmed: true,
  minLength: 1,
  maxLength: limits.databaseKey,
  pattern: '^(?!(?:__proto__|constructor|prototype)$)[A-Za-z0-9_]+$',
})
export const Email = Type.String({ trimmed: true, minLength: 1, maxLength: limits.email, pattern: emailPattern })
/** An address, or nothing. */
export const OptionalEmail = Type.Union([Type.Literal(''), Email])
/** The token in the link of a mail. */
export const LinkToken = Text(200, 1)
/** Where the next page begins: `NextCursor` of the page before, which has 200 characters of each text that the list is ordered by, in Base64. */
export const Cursor = Text(20_000, 1)
export const Password = Type.String({ minLength: 1, maxLength: limits.password, pattern: storable })

/** An object that refuses unknown members. */
export function Closed<T extends Type.TProperties>(properties: T) {
  return Type.Object(properties, { additionalProperties: false })
}
export const Empty = Closed({})
/** `Success: 1`: the write is done and durable. */
export const Done = Type.Object({ Success: Type.Literal(1) })
/** A list of ids, each at most once where the call says so. */
export const Ids = Type.Array(Id, { maxItems: limits.list })
/** The ids a call is about: at least one, each once. */
export const SomeIds = Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true })
/** The version a save is based on: a number that grows with each save. */
export const Version = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** An order: ids of the project, each once; those left out keep their order after the given ones. */
export const SortOrder = Type.Array(Id, { maxItems: limits.list, uniqueItems: true })
/** A choice of a SELECT or MULTISELECT field. */
export const FieldOption = Closed({
  // Not limited to one line: older options may have several, and a value in use cannot be changed. New ones are checked elsewhere.
  value: Type.String({ trimmed: true, minLength: 1, maxLength: limits.name, pattern: storable }),
  label: Line(limits.name),
})
