import { nearestNames, phaseValues } from '@tessera/contract/query-language/names'
import { QueryError, type Span } from '@tessera/contract/query-language/tree'
import { type Clock, periodOf } from '../dates/rules.ts'
import type { Bind } from '../fields/rules.ts'

/** SQL: the ticket is in one of the phases, or was: `active@2026-11-01` means at the end of that day. */
export function phaseCondition(texts: readonly { text: string; span: Span }[], bind: Bind, clock: Clock): string {
  const now: number[] = []
  const past: string[] = []
  for (const { text, span } of texts) {
    const [name = '', day] = text.split('@', 2)
    const phase = /^[123]$/.test(name) ? Number(name) : phaseValues.indexOf(name.toLowerCase() as never) + 1
    if (phase === 0) throw new QueryError(`'phase:' takes ${phaseValues.join(', ')}`, span, nearestNames(name, phaseValues))
    if (day === undefined) now.push(phase)
    else {
      const period = periodOf(day, clock)
      if (!period) throw new QueryError(`'phase:' takes a day after @, not '${day}'`, span)
      const end = () => `(${bind(period.to)}::timestamp at time zone ${bind(clock.sqlZone)})`
      past.push(`(t.created_at < ${end()} and ${phaseBefore(end())} = ${bind(phase)}::int)`)
    }
  }
  return `(${[...(now.length > 0 ? [`st.phase = any(${bind(now)}::int[])`] : []), ...past].join(' or ')})`
}

/** The phase after the last move before the moment; before the first move, the phase that this move left. */
function phaseBefore(moment: string) {
  const moves = `from change c where c.organization_id = $1 and c.ticket_id = t.id and c.field = 'State'`
  return `coalesce((select ${phaseOf('c.after')} ${moves} and c.changed_at < ${moment} order by c.id desc limit 1),
    (select ${phaseOf('c.before')} ${moves} order by c.id limit 1), st.phase)`
}

/** The phase of a deleted state is in history. */
function phaseOf(state: string) {
  const id = `case when ${state} ~ '^\\d+$' then ${state}::bigint end`
  return `coalesce((select s.phase::int from state s where s.organization_id = $1 and s.id = ${id}),
    (select gone.before::int from change gone where gone.organization_id = $1 and gone.subject = 'state' and gone.subject_id = ${id}
      and gone.field = 'Phase' and gone.after is null limit 1))`
}
