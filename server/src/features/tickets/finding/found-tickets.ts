import { limits } from '@tessera/contract/limits'
import type { Bind } from '../../../lib/bind.ts'
import { trashCondition } from '../../search/conditions/trash-condition.ts'
import { compile } from '../../search/query/compile-query.ts'
import { asBadRequest } from '../../search/query/read-query.ts'
import { isKey, likeContaining } from '../ticket-keys.ts'
import { type Filters, type Input, idLikeOf, isFiltered, type Query, statesOf } from './filters.ts'

// The filters of a list as SQL.

/** SQL: the tickets of which a part of the title, or with '#' of the id, may be this text. */
function withGrams(text: string, mark: '' | '#') {
  return `select s.ticket_id from ticket_search s where s.organization_id = $1 and s.project_id = $2
    and s.grams @@ (search_gram_query(${text}::text, '${mark}') && search_projects(array[$2::bigint]))`
}
/** SQL: the tickets that had a key in another tracker, as an index lists them: other projects read nothing for it. */
function withOriginalKey(condition: string) {
  return `select k.id from ticket k where k.organization_id = $1 and k.project_id = $2 and k.external_id is not null and ${condition}`
}

/** What the filters refer to. */
type FilterContext = Pick<Query, 'shortCode' | 'isFrequentTitle' | 'names' | 'asked'>

const phaseColumn = { 1: 'proposed', 2: 'active', 3: 'inactive' } as const

/** SQL: the ids like this, and those of tickets of which this is part of the key in another tracker. A union, because an OR over two indexes would read all tickets. */
function idsLike(idLike: string, given: string, bind: Bind) {
  const numbered = `${withGrams(bind(idLike.replaceAll('%', '')), '#')} and s.ticket_id::text like ${bind(idLike)}`
  return `${numbered} union all ${withOriginalKey(`k.external_id ilike ${bind(likeContaining(given))}`)}`
}

/** SQL: the title has this part, or the ticket had this key in another tracker. Only what looks like a key is compared with keys. */
function titleConditions(title: string, isFrequent: boolean, bind: Bind, isListed: (ids: string) => string) {
  const isTitled = `t.title ilike ${bind(likeContaining(title))}`
  const grams = isFrequent ? undefined : withGrams(bind(title), '')
  if (!isKey(title)) return grams === undefined ? [isTitled] : [isTitled, isListed(grams)]
  const key = bind(title.trim())
  const condition = `(${isTitled} or lower(t.external_id) = lower(${key}))`
  if (grams === undefined) return [condition]
  return [condition, isListed(`${grams} union all ${withOriginalKey(`lower(k.external_id) = lower(${key})`)}`)]
}

/**
 * SQL about ticket `t`: the filters except the parent. $1 is the organization, $2 the project, $3 the caller.
 */
export function filterConditions(
  input: Filters & Pick<Input, 'idParent' | 'idParents'>,
  { shortCode, isFrequentTitle, names, asked }: FilterContext,
  bind: Bind,
) {
  const conditions: string[] = []
  // The ids of an array are found in one pass through the index of tickets. Beside a filter that may find fewer, PostgreSQL chooses where to begin.
  const isFewer = input.idParent != null || input.idParents || input.Labels?.length || input.Mine || input.Subordinates?.length || asked
  const isListed = (ids: string) => (isFewer ? `t.id in (${ids})` : `t.id = any(array(${ids}))`)
  if (input.Types?.length) conditions.push(`t.template_id = any(${bind(input.Types)}::bigint[])`)
  const states = statesOf(input, names)
  if (states) conditions.push(`t.state_id = any(${bind(states)}::bigint[])`)
  const idLike = idLikeOf(shortCode, input)
  if (idLike !== undefined) conditions.push(isListed(idsLike(idLike, input.Id ?? '', bind)))
  if (input.Title) conditions.push(...titleConditions(input.Title, isFrequentTitle, bind, isListed))
  if (asked) {
    const place = { projects: 'array[$2::bigint]', user: '$3::bigint', bind, clock: asked.clock }
    conditions.push(asBadRequest(() => compile(asked.parsed, asked.reach, place).condition))
  }
  if (input.Labels?.length) {
    conditions.push(
      `t.id in (select tl.ticket_id from ticket_label tl where tl.organization_id = $1 and tl.label_id = any(${bind(input.Labels)}::bigint[]))`,
    )
  }
  if (input.Mine) {
    conditions.push('t.id in (select a.ticket_id from assignment a where a.organization_id = $1 and a.project_id = $2 and a.user_id = $3)')
  }
  if (input.Subordinates?.length) {
    const some = input.Subordinates.map(phase => `c.${phaseColumn[phase]} > 0`).join(' or ')
    conditions.push(`exists (select 1 from ticket_subordinate c where c.organization_id = $1 and c.ticket_id = t.id and (${some}))`)
  }
  return conditions
}

/** CTE `found`, after `below` where it needs that: the matching tickets of the project, or of a ticket's subtree (its children without a filter). */
export function foundTickets(input: Input, query: FilterContext, bind: Bind) {
  const isPresent = trashCondition(query.asked, bind)
  const conditions = ['t.organization_id = $1', 't.project_id = $2', isPresent]
  const below = input.idParent != null && isFiltered(input)
  const parent = input.idParent == null ? '' : bind(input.idParent)
  if (below) conditions.push('t.id in (select id from below)')
  else if (input.idParents) conditions.push(`t.parent_id = any(${bind(input.idParents)}::bigint[])`)
  else if (parent) conditions.push(`t.parent_id = ${parent}`)
  else if (!isFiltered(input)) conditions.push('t.parent_id is null')
  conditions.push(...filterConditions(input, query, bind))
  const tree = `below (id, depth) as (
        select t.id, 1 from ticket t where t.organization_id = $1 and t.parent_id = ${parent} and ${isPresent}
        union all
        -- Without offset 0, all children of the project may be read for each level.
        select t.id, below.depth + 1 from below cross join lateral (
          select t.id from ticket t where t.organization_id = $1 and t.parent_id = below.id and ${isPresent} offset 0
        ) t where below.depth < ${limits.depth}
      ), `
  const { Id, Title, Mine, Labels, Subordinates, idParents } = input
  const isNarrow = Boolean(
    Id || Title || Mine || Labels?.length || Subordinates?.length || idParents || parent || query.asked?.parsed.where,
  )
  // Materialized, because it is both counted and sorted, except for most of a project's tickets: reading them twice costs less than spilling to disk.
  return `${below ? tree : ''}found as ${isNarrow ? '' : 'not '}materialized (
        select t.id, t.template_id, t.state_id, t.parent_id, t.title, t.created_at, t.created_by from ticket t
        where ${conditions.join(' and ')}
      )`
}
