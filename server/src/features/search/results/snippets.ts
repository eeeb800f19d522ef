import { propertyType } from '@tessera/contract/projects/project-config'
import { markWords, mayFollowLetter, type Piece } from '@tessera/contract/query-language/marks'
import { plainText } from '@tessera/contract/text/markdown'
import { type Db, run, unpreparedStatement } from '../../../db/db.ts'
import { int8, json, nullable } from '../../../db/shape.ts'
import { textTypes } from '../conditions/field-condition.ts'
import type { Searcher } from '../query/read-query.ts'

/** What a snippet shows: folded words, and the one among them that may only begin a word of the text. */
export interface Sought {
  words: readonly string[]
  begun: string | undefined
}

const before = 60
const length = 240

const fieldTexts = `
  select left(v.value, 20000) as text, f.type_id = ${propertyType.TEXTMULTILINE} as is_markdown, 0 as kind, f.position, f.id from ticket_value v
  join field f on f.organization_id = $1 and f.id = v.field_id and f.type_id in (${textTypes})
  where v.organization_id = $1 and v.ticket_id = x.id`
const commentTexts = `
  select left(c.text, 20000), true as is_markdown, 1 as kind, 0 as position, c.id from comment c
  where c.organization_id = $1 and c.ticket_id = x.id and c.deleted_at is null`

/** For each text, in order: how many of the patterns match, and where the first of these does. */
const measured = (texts: string) => `
  select texts.*, hits.many, hits.at from (${texts} order by kind, position, id offset 0) texts (text, is_markdown, kind, position, id)
  cross join lateral (select search_fold(texts.text) as text offset 0) folded
  cross join lateral (
    select count(*) as many, (array_agg(hit.at order by hit.n))[1] as at from (
      select p.n, regexp_instr(folded.text, p.pattern) as at from unnest($3::text[]) with ordinality as p (pattern, n) offset 0
    ) hit where hit.at > 0
  ) hits`
const piece = `json_build_object('text', substr(body.text, greatest(1, body.at - ${before}), ${length}), 'isMarkdown', body.is_markdown,
  'hasBefore', body.at > ${before} + 1, 'hasAfter', char_length(body.text) >= greatest(1, body.at - ${before}) + ${length})`
/** The first text that all patterns match; later ones are not read. */
const whole = (texts: string) => `select ${piece} from (${measured(texts)}) body where body.many = cardinality($3::text[]) limit 1`
const best = `select ${piece} from (${measured(`${fieldTexts} union all ${commentTexts}`)}) body
  where body.many > 0 order by body.many desc, body.kind, body.position, body.id limit 1`
interface Found {
  text: string
  isMarkdown: boolean
  /** Whether more of the text is before it, and after it. */
  hasBefore: boolean
  hasAfter: boolean
}
const snippetStatement = unpreparedStatement(
  { id: int8, found: nullable(json<Found>()) },
  `
  select x.id, coalesce((${whole(fieldTexts)}), (${whole(commentTexts)}), (${best})) as found from unnest($2::bigint[]) as x (id)`,
)

/** Where the words occur in the texts of these tickets: next to each other, or else in the text that has most of them. */
export async function snippetsOf(
  db: Db,
  { organizationId }: Searcher,
  ids: readonly number[],
  sought: Sought,
): Promise<Map<number, Piece[]>> {
  if (ids.length === 0 || sought.words.length === 0) return new Map()
  const rows = await run(db, snippetStatement, [organizationId, ids, patternsOf(sought)])
  return new Map(rows.flatMap(({ id, found }) => (found === null ? [] : [[id, snippetOf(found, sought.words)]])))
}

/** Folded letters of scripts with spaces, for PostgreSQL's regular expressions in any locale. */
const letter =
  '0-9a-z\\u00aa\\u00b5\\u00ba\\u00df-\\u0dff\\u0f00-\\u0fff\\u10a0-\\u177f\\u1800-\\u1fff\\u2c00-\\u2dff\\u3100-\\u31ef\\ua000-\\uabff\\ufb00-\\ufdff\\ufe70-\\uffef'

/** Patterns for the words next to each other, then for each of them, the longest first. Words have no characters to escape. */
function patternsOf({ words, begun }: Sought): string[] {
  const unique = [...new Set(words)]
  const alone = (pattern: string, end: string) => `(?<![${letter}])${pattern}${end === begun ? '' : `(?![${letter}])`}`
  const each = unique.map(word => ({ word, pattern: mayFollowLetter(word) ? word : alone(word, word) }))
  const inOrder = each.toSorted((left, right) => right.word.length - left.word.length).map(({ pattern }) => pattern)
  if (words.length === 1 || words.some(word => mayFollowLetter(word))) return inOrder
  return [alone(words.join(`[^${letter}]+`), words.at(-1) ?? ''), ...inOrder]
}

function snippetOf({ text, isMarkdown, hasBefore, hasAfter }: Found, words: readonly string[]) {
  // It begins and ends with whole words, if there are any between its ends and those that were found.
  let whole = text
  if (hasBefore) whole = whole.replace(new RegExp(`^\\S{0,${before - 1}}\\s+`), '')
  if (hasAfter) whole = whole.replace(new RegExp(`\\s+\\S{0,${before - 1}}$`), '')
  const marked = (shown: string) => markWords(`${hasBefore ? '… ' : ''}${shown.trim()}${hasAfter ? ' …' : ''}`, words)
  const asRead = marked(isMarkdown ? plainText(whole) : whole)
  // What was found may stand in the address of a link.
  return asRead.some(({ Mark }) => Mark === 1) ? asRead : marked(whole)
}
