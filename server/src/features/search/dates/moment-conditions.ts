import type { Value } from '@tessera/contract/query-language/tree'
import type { Bind } from '../../../lib/bind.ts'
import { type Bounds, boundsOf, type Clock, type Ends, intervalOf, isWithin, periodOf, startOfDay } from './periods.ts'

// `created:` and `updated:` as SQL about ticket `t`. $1 is the organization.

/** What the conditions of moments refer to. */
interface Ground {
  /** SQL for an array of the ids of the searched projects. */
  projects: string
  bind: Bind
  clock: Clock
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
  const moment = (day: string) => startOfDay(bind(day), bind(clock.sqlZone))
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

export function createdCondition(value: Value, ground: Ground): string | undefined {
  const found = momentBounds(value, ground)
  return found && isWithin('t.created_at', found)
}

/** When the last change of a ticket was written. */
export function updatedCondition(value: Value, ground: Ground): string | undefined {
  const found = momentBounds(value, ground)
  if (!found) return undefined
  const since = (moment: string) => `(t.created_at >= ${moment} or t.id in (select c.ticket_id from change c
    where c.organization_id = $1 and c.project_id = any(${ground.projects}) and c.ticket_id is not null and c.changed_at >= ${moment}))`
  const conditions = [found.after && since(found.after), found.before && `not ${since(found.before)}`]
  return `(${conditions.filter(Boolean).join(' and ')})`
}
