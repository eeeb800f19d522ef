import { hasValues, isValues, nearestNames, phaseValues, type QueryName } from '@tessera/contract/query-language/names'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { type Match, partOf, QueryError, type Span, type Value } from '@tessera/contract/query-language/tree'
import type { Bind } from '../../../lib/bind.ts'
import { isBlocked } from '../../tickets/links/blocking/blockers.ts'
import { isKey } from '../../tickets/ticket-keys.ts'
import { createdCondition, updatedCondition } from '../dates/moment-conditions.ts'
import type { Clock } from '../dates/periods.ts'
import { idPart, isOnlySymbols, titlePart } from '../words/title-parts.ts'
import { hasWords, term } from '../words/word-queries.ts'
import { anyOf, caseless, isNone, isPerson, numberCondition, textOf } from './comparisons.ts'
import { textTypes } from './field-condition.ts'
import { hadKey, isBelow, type NamedProject, projectsNamed, thoseNamed, ticketsNamed } from './named-tickets.ts'
import { inState, phaseCondition } from './phase-condition.ts'
import { isWatchedBy, watches } from './watching-condition.ts'

// Each name of the query language as SQL about ticket `t`. $1 is the organization.

/** What the conditions refer to: SQL for the searched projects and for the caller. */
export interface Ground {
  /** An array of ids. */
  projects: string
  reached: readonly NamedProject[]
  /** Parts of titles that are frequent in the only project. */
  frequent: readonly string[]
  user: string
  isAdmin: boolean
  bind: Bind
  clock: Clock
}

/** Without `due`, which is a field: in each project another one. */
export type ConditionName = Exclude<QueryName, 'due'>

/** SQL that is true for the tickets that the match finds. */
export function matchCondition(match: Match & { name: ConditionName }, spanOf: Parsed['spanOf'], ground: Ground): string {
  const compared = match.values.find(({ kind }) => kind === 'compare' || kind === 'range')
  const takesComparison = ['id', 'created', 'updated'].includes(match.name)
  if (compared && !takesComparison)
    throw new QueryError(`'${match.name}:' takes no comparison such as '${textOf(compared)}'`, spanOf(compared))
  return `(${conditionsOf(match, spanOf, ground).join(' or ') || 'false'})`
}

/** A ticket is found that meets one of them. */
function conditionsOf(match: Match & { name: ConditionName }, spanOf: Parsed['spanOf'], ground: Ground): string[] {
  const { name, values } = match
  const written = (value: Value) => ({ text: textOf(value), span: spanOf(value) })
  switch (name) {
    // These have a fixed list of values, and `none` is not among them.
    case 'is':
      return values.map(written).map(({ text, span }) => isCondition(known(text, isValues, match, span), ground))
    case 'has':
      return values.map(written).map(({ text, span }) => hasCondition[known(text, hasValues, match, span)])
    case 'phase':
      return [phaseCondition(values.map(written), ground)]
  }
  const given = values.filter(value => !isNone(value))
  const none = given.length < values.length ? [noneCondition(name, ground)] : []
  const single = (conditionOf: (value: Value, ground: Ground) => string | undefined, what: string) =>
    given.map(value => {
      const condition = conditionOf(value, ground)
      if (condition === undefined) throw new QueryError(`'${name}:' takes ${what}, not '${textOf(value)}'`, spanOf(value))
      return condition
    })
  switch (name) {
    case 'created':
      return [...none, ...single(createdCondition, 'a date or a span such as 7d')]
    case 'updated':
      return [...none, ...single(updatedCondition, 'a date or a span such as 7d')]
    case 'id':
      return [...none, ...single(idCondition, 'a number or a key')]
    default:
      return given.length > 0 ? [...none, ...namedConditions(name, given, ground)] : none
  }
}

/** The tickets that have nothing of this name. */
function noneCondition(name: ConditionName, { projects }: Ground): string {
  switch (name) {
    case 'assignee':
      return noneOf('assignment')
    case 'label':
      return noneOf('ticket_label')
    case 'parent':
      return 't.parent_id is null'
    case 'comment':
      return `not ${hasCondition.comment}`
    case 'creator':
      return 't.created_by is null'
    case 'watcher':
      return `not ${watches('true', projects)}`
    case 'text':
      return `not exists (select 1 from ticket_value v join field f on f.organization_id = $1 and f.id = v.field_id and f.type_id in (${textTypes})
      where v.organization_id = $1 and v.ticket_id = t.id and v.value <> '')`
    default:
      return 'false'
  }
}

/** Conditions on things with a name, which must be one of the values, or on words, for each value. */
function namedConditions(
  name: Exclude<ConditionName, 'is' | 'has' | 'phase' | 'created' | 'updated' | 'id'>,
  values: readonly Value[],
  ground: Ground,
): string[] {
  const { bind, projects, reached } = ground
  const texts = values.map(textOf)
  switch (name) {
    case 'state':
      return [inNamedState(values, ground)]
    case 'type':
      return [isOfNamedType(texts, ground)]
    case 'project':
      return [`t.project_id = any(${bind(texts.flatMap(text => projectsNamed(text, reached)))}::bigint[])`]
    case 'parent':
      return [
        isBelow(
          texts.flatMap(text => ticketsNamed(text, reached)),
          bind,
        ),
      ]
    case 'label':
      return [`t.id in (${labelledTickets(texts, ground)})`]
    case 'assignee':
      return [
        `t.id in (select a.ticket_id from assignment a where a.organization_id = $1 and a.project_id = any(${projects})
          and a.user_id = any(array(select u.id from user_account u where ${isAmong('u', values, ground)})))`,
      ]
    case 'creator':
      return [`t.created_by in (select u.id from user_account u where ${isAmong('u', values, ground)})`]
    case 'watcher':
      return [isWatchedByOneOf(values, ground)]
    case 'title':
      return texts.map(text => hasInTitle(text, ground))
    case 'text':
      return texts.map(text => hasWords(term(bind, text, '', 'B'), projects))
    case 'comment':
      return texts.map(text => hasWords(term(bind, text, '', 'C'), projects))
  }
}

/** The column has one of the names. `all` is a FROM clause with all rows that could be meant. */
function isNamed(column: string, names: readonly string[], all: string, bind: Bind) {
  return `${caseless(column)} = any(${anyOf(names, `select ${column} from ${all}`, bind)})`
}

/** By name or, without quotation marks, by phase. */
function inNamedState(values: readonly Value[], { bind, projects }: Ground) {
  const states = `state st where st.organization_id = $1 and st.project_id = any(${projects})`
  const named = isNamed('st.name', values.map(textOf), states, bind)
  const bare = values.flatMap(value => (value.kind === 'text' ? [value.text.toLowerCase()] : []))
  const phases = bind(bare.map(text => phaseValues.indexOf(text as never) + 1))
  return inState(`(${named} or st.phase = any(${phases}::int[]))`, projects)
}

function isOfNamedType(names: readonly string[], { bind, projects }: Ground) {
  const types = `template tp where tp.organization_id = $1 and tp.project_id = any(${projects})`
  return `t.template_id = any(array(select tp.id from ${types} and ${isNamed('tp.name', names, types, bind)}))`
}

/** `me`; in quotation marks it is somebody's login. */
function isMe(value: Value) {
  return value.kind === 'text' && value.text.toLowerCase() === 'me'
}

/** The account is one of those named. */
function isAmong(account: string, values: readonly Value[], { bind, user }: Ground) {
  const named = values.filter(value => !isMe(value)).map(textOf)
  const conditions = [
    ...(named.length < values.length ? [`${account}.id = ${user}`] : []),
    ...(named.length > 0 ? [isPerson(account, named, bind)] : []),
  ]
  return `(${conditions.join(' or ')})`
}

function isWatchedByOneOf(values: readonly Value[], ground: Ground) {
  if (values.every(isMe)) return isWatchedBy(ground.user)
  return watches(`u.id = any(array(select who.id from user_account who where ${isAmong('who', values, ground)}))`, ground.projects)
}

function hasInTitle(text: string, ground: Ground) {
  const part = partOf(text) ?? (isOnlySymbols(text) ? text : undefined)
  return part === undefined ? hasWords(term(ground.bind, text, '='), ground.projects) : titlePart(part, ground)
}

/** SQL: the ids of the tickets with a label of one of these names. */
export function labelledTickets(names: readonly string[], { bind, projects }: Pick<Ground, 'bind' | 'projects'>) {
  const offered = `(l.project_id is null or l.project_id = any(${projects}))`
  const isMeant = isNamed('l.name', names, `label l where l.organization_id = $1 and ${offered}`, bind)
  return `select tl.ticket_id from ticket_label tl join label l on l.organization_id = $1 and l.id = tl.label_id
    where tl.organization_id = $1 and ${offered} and ${isMeant}`
}

function known<Name extends string>(text: string, names: readonly Name[], match: Match, span: Span): Name {
  const found = names.find(name => name === text.toLowerCase())
  if (found) return found
  throw new QueryError(`'${match.name}:' takes ${names.join(', ')}`, span, nearestNames(text, names))
}

function noneOf(table: 'assignment' | 'ticket_label') {
  return `not exists (select 1 from ${table} x where x.organization_id = $1 and x.ticket_id = t.id)`
}

function hasChildren(counted: string) {
  return `exists (select 1 from ticket_subordinate c where c.organization_id = $1 and c.ticket_id = t.id and ${counted} > 0)`
}
const hasAnyChildren = hasChildren('c.proposed + c.active + c.inactive')

const hasCondition = {
  attachment: 'exists (select 1 from attachment f where f.organization_id = $1 and f.ticket_id = t.id and f.deleted_at is null)',
  comment: 'exists (select 1 from comment c where c.organization_id = $1 and c.ticket_id = t.id and c.deleted_at is null)',
  children: hasAnyChildren,
  'proposed-children': hasChildren('c.proposed'),
  'active-children': hasChildren('c.active'),
  'inactive-children': hasChildren('c.inactive'),
  // Each end on its own, so that PostgreSQL may read all links once instead of two for each ticket.
  link: `(exists (select 1 from ticket_link l where l.organization_id = $1 and l.from_ticket_id = t.id)
    or exists (select 1 from ticket_link l where l.organization_id = $1 and l.to_ticket_id = t.id))`,
  label: 'exists (select 1 from ticket_label l where l.organization_id = $1 and l.ticket_id = t.id)',
  assignee: 'exists (select 1 from assignment a where a.organization_id = $1 and a.ticket_id = t.id)',
} as const satisfies Record<(typeof hasValues)[number], string>

function isCondition(value: (typeof isValues)[number], { user, projects, isAdmin }: Ground): string {
  // Never reveals whether a ticket that the caller may not see is still open.
  const isSeen = isAdmin
    ? ''
    : `and other.project_id in (select pm.project_id from project_member pm
        where pm.organization_id = $1 and pm.user_id = ${user} and pm.permissions & 1 = 1)`
  return {
    open: inState('st.phase <> 3', projects),
    closed: inState('st.phase = 3', projects),
    blocked: isBlocked,
    blocking: `(${inState('st.phase <> 3', projects)} and exists (select 1 from ticket_link l
      join ticket other on other.organization_id = $1 and other.id = l.to_ticket_id and other.trashed_at is null
      join state its on its.organization_id = $1 and its.id = other.state_id and its.phase <> 3
      where l.organization_id = $1 and l.kind = 'blocks' and l.from_ticket_id = t.id ${isSeen}))`,
    mine: `t.id in (select a.ticket_id from assignment a where a.organization_id = $1 and a.project_id = any(${projects}) and a.user_id = ${user})`,
    watched: isWatchedBy(user),
    trashed: 't.trashed_at is not null',
    root: 't.parent_id is null',
    leaf: `not ${hasAnyChildren}`,
  }[value]
}

function idCondition(value: Value, ground: Ground): string | undefined {
  const { bind, reached } = ground
  if (value.kind !== 'text' && value.kind !== 'quoted') return numberCondition('t.id', value, bind)
  const part = partOf(value.text)
  if (part !== undefined) return idPart(part, ground)
  const named = ticketsNamed(value.text, reached)
  // A union, because an OR would read all tickets.
  if (isKey(value.text)) return `t.id in (${thoseNamed(named, bind)} union all ${hadKey(value.text, bind)})`
  return named.length > 0 || /^\w+-?\d+$/.test(value.text) ? `t.id in (${thoseNamed(named, bind)})` : undefined
}
