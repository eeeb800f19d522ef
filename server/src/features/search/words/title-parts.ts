import type { Bind } from '../../../lib/bind.ts'
import { idPattern, isKey, likeContaining } from '../../tickets/ticket-keys.ts'

// `title:*part*` and `id:*part*` find what the filters 'Description' and 'ID' of a list find.

interface Place {
  projects: string
  reached: readonly { id: number; code: string }[]
  /** Parts of titles that are frequent in the only project. */
  frequent: readonly string[]
  bind: Bind
}

/** SQL: the ticket's title, or with '#' its number, may contain this text. The index also returns false positives; the text itself decides. */
function hasGrams(part: string, mark: '' | '#', projects: string) {
  return `t.id in (select s.ticket_id from ticket_search s where s.organization_id = $1 and s.project_id = any(${projects})
    and s.grams @@ (search_gram_query(${part}::text, '${mark}') && search_projects(${projects})))`
}

export function titlePart(part: string, { projects, frequent, bind }: Place): string {
  if (part === '') return 'false'
  const contains = `t.title ilike ${bind(likeContaining(part))}`
  const isTitled = frequent.includes(part) ? contains : `(${hasGrams(bind(part), '', projects)} and ${contains})`
  return isKey(part) ? `(${isTitled} or lower(t.external_id) = lower(${bind(part.trim())}))` : isTitled
}

export function idPart(part: string, { projects, reached, bind }: Place): string {
  const patterns = reached.map(({ id, code }) => ({ id, pattern: idPattern(code, part) }))
  const whole = patterns.flatMap(({ id, pattern }) => (pattern === 'every' ? [id] : []))
  const some = patterns.flatMap(({ id, pattern }) => (typeof pattern === 'object' ? [{ id, like: pattern.like }] : []))
  const numbered = [...Map.groupBy(some, ({ like }) => like)].map(
    ([like, of]) => `(t.project_id = any(${bind(of.map(({ id }) => id))}::bigint[])
      and ${hasGrams(bind(like.replaceAll('%', '')), '#', projects)} and t.id::text like ${bind(like)})`,
  )
  return `(${[`t.project_id = any(${bind(whole)}::bigint[])`, ...numbered, `t.external_id ilike ${bind(likeContaining(part))}`].join(' or ')})`
}

/** Whether the text has no letter or digit. The index has at most its symbols, such as ☃; otherwise it is searched for literally in titles. */
export function isOnlySymbols(text: string) {
  return partsOfWord(text).length === 0
}

/** ASCII symbols, and punctuation of any script. */
export function isPunctuation(text: string) {
  return isOnlySymbols(text) && /^[\p{P}\x21-\x7e]+$/u.test(text)
}

/** Split as in the database: everything that is not a letter or digit separates words. */
export function partsOfWord(word: string): string[] {
  return word.split(/[^\p{L}\p{N}\p{M}]+/u).filter(part => part !== '')
}
