import { hasValues, isValues, nearestNames, phaseValues, type QueryName } from '@tessera/contract/query-language/names'
import type { Parsed } from '@tessera/contract/query-language/parse'
import { type Match, partOf, QueryError, type Span, type Value } from '@tessera/contract/query-language/tree'
import { isBlocked } from '../../tickets/links/blocking/blockers.ts'
import { isKey } from '../../tickets/ticket-keys.ts'
import { type Bounds, boundsOf, type Clock, type Ends, intervalOf, isWithin, periodOf } from '../dates/periods.ts'
import { idPart, isOnlySymbols, titlePart } from '../words/title-parts.ts'
import { hasWords, term } from '../words/word-queries.ts'
import { anyOf, type Bind, caseless, isNone, isPerson, numberCondition, textOf } from './comparisons.ts'
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
  user: string
  isAdmin: boolean
  bind: Bind
  clock: Clock
}

/** Without `due`, which is a field: in each project another one. */
export type ConditionName = Exclude<QueryName, 'due'>

/** SQL that is true for the tickets that the match finds. */
export function matchCondition(match: Match & { name: ConditionName }, spanOf: Parsed['spanOf'], ground: Ground): string {
  const none: Partial<Record<ConditionName, string>> = {
    assignee: noneOf('assignment'),
    label: noneOf('ticket_label'),
    parent: 't.parent_id is null',
    comment: `not ${hasCondition.comment}`,
    creator: 't.created_by is null',
    watcher: `not ${watches('true', ground.projects)}`,
    text: `not exists (select 1 from ticket_value v join field f on f.organization_id = $1 and f.id = v.field_id and f.type_id in (${textTypes})
      where v.organization_id = $1 and v.ticket_id = t.id and v.value <> '')`,
  }
  const conditions: string[] = []
  const named: { text: string; span: Span }[] = []
  // `none` is not among them.
  const hasFixedValues = ['is', 'has', 'phase'].includes(match.name)
  for (const value of match.values) {
    if (isNone(value) && !hasFixedValues) conditions.push(none[match.name] ?? 'false')
    else if (value.kind === 'text' || value.kind === 'quoted') named.push({ text: value.text, span: spanOf(value) })
  }
  const texts = named.map(({ text }) => text)
  const single = (of: (value: Value) => string | undefined, what: string) => {
    for (const value of match.values.filter(value => !isNone(value))) {
      const condition = of(value)
      if (condition === undefined) throw new QueryError(`'${match.name}:' takes ${what}, not '${textOf(value)}'`, spanOf(value))
      conditions.push(condition)
    }
  }
  const compared = match.values.find(({ kind }) => kind === 'compare' || kind === 'range')
  const takesComparison = ['id', 'created', 'updated'].includes(match.name)
  if (compared && !takesComparison)
    throw new QueryError(`'${match.name}:' takes no comparison such as '${textOf(compared)}'`, spanOf(compared))

  switch (match.name) {
    case 'is':
      for (const { text, span } of named) conditions.push(isCondition(known(text, isValues, match, span), ground))
      break
    case 'has':
      for (const { text, span } of named) conditions.push(hasCondition[known(text, hasValues, match, span)])
      break
    case 'phase':
      if (named.length > 0) conditions.push(phaseCondition(named, ground))
      break
    case 'created':
      single(value => createdCondition(value, ground), 'a date or a span such as 7d')
      break
    case 'updated':
      single(value => updatedCondition(value, ground), 'a date or a span such as 7d')
      break
    case 'id':
      single(value => idCondition(value, ground), 'a number or a key')
      break
    default:
      if (texts.length > 0) conditions.push(...namedCondition(match.name, match.values, texts, ground))
  }
  return `(${conditions.join(' or ') || 'false'})`
}

/** Conditions on things with a name, which must be one of the texts. */
function namedCondition(
  name: Exclude<ConditionName, 'is' | 'has' | 'phase' | 'created' | 'updated' | 'id'>,
  values: readonly Value[],
  texts: readonly string[],
  ground: Ground,
): string[] {
  const { bind, projects, user } = ground
  const isNamed = (column: string, known: string) => `${caseless(column)} = any(${anyOf(texts, `select ${column} from ${known}`, bind)})`
  // In quotation marks it is somebody's login.
  const isMe = values.some(value => value.kind === 'text' && value.text.toLowerCase() === 'me')
  const people = (u: string) => `(${isMe ? `${u}.id = ${user} or ` : ''}${isPerson(u, texts, bind)})`
  switch (name) {
    case 'state': {
      const named = isNamed('st.name', `state st where st.organization_id = $1 and st.project_id = any(${projects})`)
      // In quotation marks it is a state's name alone.
      const bare = values.flatMap(value => (value.kind === 'text' ? [value.text.toLowerCase()] : []))
      const phases = bind(bare.map(text => phaseValues.indexOf(text as never) + 1))
      return [inState(`(${named} or st.phase = any(${phases}::int[]))`, projects)]
    }
    case 'type': {
      const types = `template tp where tp.organization_id = $1 and tp.project_id = any(${projects})`
      return [`t.template_id = any(array(select tp.id from ${types} and ${isNamed('tp.name', types)}))`]
    }
    case 'project': {
      const found = texts.flatMap(text => projectsNamed(text, ground.reached))
      return [`t.project_id = any(${bind(found)}::bigint[])`]
    }
    case 'parent': {
      const parents = texts.flatMap(text => ticketsNamed(text, ground.reached))
      return [isBelow(parents, bind)]
    }
    case 'label':
      return [`t.id in (${labelledTickets(texts, ground)})`]
    case 'assignee':
      return [
        `t.id in (select a.ticket_id from assignment a where a.organization_id = $1 and a.project_id = any(${projects})
          and a.user_id = any(array(select u.id from user_account u where ${people('u')})))`,
      ]
    case 'creator':
      return [`t.created_by in (select u.id from user_account u where ${people('u')})`]
    case 'watcher':
      return texts.every(text => text.toLowerCase() === 'me') && isMe
        ? [isWatchedBy(user)]
        : [watches(`u.id = any(array(select who.id from user_account who where ${people('who')}))`, projects)]
    case 'title':
      return texts.map(text => {
        const part = partOf(text) ?? (isOnlySymbols(text) ? text : undefined)
        return part === undefined ? hasWords(term(bind, text, '='), projects) : titlePart(part, ground)
      })
    case 'text':
      return texts.map(text => hasWords(term(bind, text, '', 'B'), projects))
    case 'comment':
      return texts.map(text => hasWords(term(bind, text, '', 'C'), projects))
  }
}

/** SQL: the ids of the tickets with a label of one of these names. */
export function labelledTickets(names: readonly string[], { bind, projects }: Pick<Ground, 'bind' | 'projects'>) {
  const offered = `(l.project_id is null or l.project_id = any(${projects}))`
  const isNamed = `${caseless('l.name')} = any(${anyOf(names, `select l.name from label l where l.organization_id = $1 and ${offered}`, bind)})`
  return `select tl.ticket_id from ticket_label tl join label l on l.organization_id = $1 and l.id = tl.label_id
    where tl.organization_id = $1 and ${offered} and ${isNamed}`
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
  attachment: 'exists (select 1 from attachment f where f.organization_id = $1 and f.ticket_id = t.id)',
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

/** The moments where a value begins and where it ends, as SQL. A time span counts back from now. */
function ends(text: string, { bind, clock }: Ground): Ends | undefined {
  const interval = intervalOf(text)
  if (interval !== undefined) {
    const at = () => `(now() - ${bind(interval)}::interval)`
    return { from: at, to: at }
  }
  const period = periodOf(text, clock)
  if (!period) return undefined
  const moment = (day: string) => `(${bind(day)}::timestamp at time zone ${bind(clock.sqlZone)})`
  return { from: () => moment(period.from), to: () => moment(period.to) }
}

/** A span is an age: `<7d` is less than a week ago. */
function momentBounds(value: Value, ground: Ground): Bounds | undefined {
  const endsOf = (text: string) => ends(text, ground)
  const isAge = (text: string) => intervalOf(text) !== undefined
  if (value.kind === 'range') {
    const found = boundsOf(value, endsOf)
    if (!found || !isAge(value.from) || !isAge(value.to)) return found
    // 2w..1w as well as 1w..2w
    const both = `(${found.after}, ${found.before})`
    return { after: `least${both}`, before: `greatest${both}` }
  }
  if (!isAge(value.text)) return boundsOf(value, endsOf)
  const at = endsOf(value.text)?.from()
  return value.kind === 'compare' && value.operator.startsWith('>') ? { before: at } : { after: at }
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

function createdCondition(value: Value, ground: Ground): string | undefined {
  const found = momentBounds(value, ground)
  return found && isWithin('t.created_at', found)
}

/** When the last change of a ticket was written. */
function updatedCondition(value: Value, ground: Ground): string | undefined {
  const found = momentBounds(value, ground)
  if (!found) return undefined
  const since = (moment: string) => `(t.created_at >= ${moment} or t.id in (select c.ticket_id from change c
    where c.organization_id = $1 and c.project_id = any(${ground.projects}) and c.ticket_id is not null and c.changed_at >= ${moment}))`
  const conditions = [found.after && since(found.after), found.before && `not ${since(found.before)}`]
  return `(${conditions.filter(Boolean).join(' and ')})`
}
