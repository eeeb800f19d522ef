import { nearestNames, phaseValues } from '@tessera/contract/query-language/names'
import { QueryError, type Span } from '@tessera/contract/query-language/tree'
import type { Bind } from '../../../lib/bind.ts'
import { type Clock, periodOf, startOfDay } from '../dates/periods.ts'

/** SQL: the state `st` of ticket `t` meets the condition. An array, because PostgreSQL misjudges how many tickets a join with the states leaves. */
export function inState(condition: string, projects: string) {
  return `t.state_id = any(array(select st.id from state st where st.organization_id = $1 and st.project_id = any(${projects}) and ${condition}))`
}

/** SQL: the ticket is in one of the phases, or was: `active@2026-11-01` means at the end of that day. */
export function phaseCondition(
  texts: readonly { text: string; span: Span }[],
  { projects, bind, clock }: { projects: string; bind: Bind; clock: Clock },
): string {
  const now: number[] = []
  const past: string[] = []
  for (const { text, span } of texts) {
    const [name = '', ...days] = text.split('@')
    const phase = /^[123]$/.test(name) ? Number(name) : phaseValues.indexOf(name.toLowerCase() as never) + 1
    if (phase === 0) throw new QueryError(`'phase:' takes ${phaseValues.join(', ')}`, span, nearestNames(name, phaseValues))
    if (days.length === 0) now.push(phase)
    else {
      const day = days.join('@')
      const period = periodOf(day, clock)
      if (!period) throw new QueryError(`'phase:' takes a day after @, not '${day}'`, span)
      const end = () => startOfDay(bind(period.to), bind(clock.sqlZone))
      past.push(`(t.created_at < ${end()} and ${stateAt(end())} = any(array(${statesOf(`${bind(phase)}::int`, projects)})))`)
    }
  }
  return `(${[...(now.length > 0 ? [inState(`st.phase = any(${bind(now)}::int[])`, projects)] : []), ...past].join(' or ')})`
}

/** The state that the first move after the moment left; without one, the present state. The project is named so that an index has all of it. */
function stateAt(moment: string) {
  return `coalesce((select c.before from change c
    where c.organization_id = $1 and c.project_id = t.project_id and c.ticket_id = t.id and c.field = 'State' and c.changed_at >= ${moment}
    order by c.id limit 1), t.state_id::text)`
}

/** The states of the phase, as history names them; a deleted state has the phase that it was last deleted with. */
function statesOf(phase: string, projects: string) {
  return `
    select s.id::text from state s where s.organization_id = $1 and s.project_id = any(${projects}) and s.phase = ${phase}
    union all
    select gone.id from (
      select distinct on (c.subject_id) c.subject_id::text as id, c.before from change c
      where c.organization_id = $1 and c.subject = 'state' and c.field = 'Phase' and c.after is null
        and not exists (select from state s where s.organization_id = $1 and s.id = c.subject_id)
      order by c.subject_id, c.id desc) gone
    where gone.before = ${phase}::text`
}
