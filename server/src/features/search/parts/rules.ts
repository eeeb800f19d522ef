import { idPattern, isKey, likeContaining } from '../../tickets/rules.ts'
import type { Bind } from '../fields/rules.ts'

// `title:*part*` and `id:*part*` find what the filters 'Description' and 'ID' of a list find.

interface Place {
  projects: string
  reached: readonly { id: number; code: string }[]
  bind: Bind
}

/** SQL: a part of the ticket's title, or with '#' of its number, may be this text. The index answers with more; the text itself decides. */
function hasGrams(part: string, mark: '' | '#', projects: string) {
  return `t.id in (select s.ticket_id from ticket_search s where s.organization_id = $1 and s.project_id = any(${projects})
    and s.grams @@ (search_gram_query(${part}::text, '${mark}') && search_projects(${projects})))`
}

export function titlePart(part: string, { projects, bind }: Place): string {
  if (part === '') return 'false'
  const isTitled = `(${hasGrams(bind(part), '', projects)} and t.title ilike ${bind(likeContaining(part))})`
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

/** Without a letter or digit: what the index has of it, if anything, are symbols such as ☃. It is looked for in titles as it stands. */
export function isSigns(text: string) {
  return partsOfWord(text).length === 0
}

/** Signs that every keyboard has, and punctuation of any script. */
export function isPunctuation(text: string) {
  return isSigns(text) && /^[\p{P}\x21-\x7e]+$/u.test(text)
}

/** As the database cuts them: whatever is no letter or digit separates words. */
export function partsOfWord(word: string): string[] {
  return word.split(/[^\p{L}\p{N}\p{M}]+/u).filter(part => part !== '')
}
