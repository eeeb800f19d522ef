import type { Request } from '@tessera/contract/call'
import type { setTicketData } from '@tessera/contract/tickets'
import { isBlocked } from '../links/queries.ts'
import { mayMove, shownFields } from '../queries.ts'

/** SQL: a digest of what decides which values the field takes. */
export const definition = (field: string) => `md5(${field}.type_id || coalesce(${field}.options::text, ''))`

/** One row for each ticket `t` that fulfils the condition; $1 is the organization and $`from` and on are `readParameters`. */
export function storedTicket(condition: string, project: string, from: number) {
  const [keys, state, people, roles, labels] = [0, 1, 2, 3, 4].map(index => `$${from + index}`)
  return `
    select t.version, t.title, t.title_version, t.state_id, t.state_version, t.parent_id, t.trashed_at is not null as in_trash,
      case when cardinality(${keys}::text[]) = 0 then '[]' else coalesce((
        select json_agg(json_build_object(
          'id', f.id, 'key', f.key, 'type_id', f.type_id, 'options', f.options, 'value', f.value, 'version', f.version,
          'definition', ${definition('f')}))
        from ${shownFields('$1', 't')} f where f.key = any(${keys})), '[]') end as fields,
      (select ${mayMove('$1', project, 't.state_id', 's.id')} from state s
        where s.organization_id = $1 and s.project_id = ${project} and s.id = ${state}) as reachable,
      (select json_build_object('name', s.name, 'limit', s.board_limit, 'tickets', (
          select coalesce(sum(c.tickets), 0) from ticket_tally c where c.organization_id = $1 and c.project_id = ${project} and c.state_id = s.id))
        from state s
        where s.organization_id = $1 and s.project_id = ${project} and s.id = ${state} and s.limit_holds and s.board_limit is not null) as room,
      (${state}::bigint is not null and exists (
        select 1 from project p
        join state present on present.organization_id = $1 and present.id = t.state_id and present.phase <> 3
        join state target on target.organization_id = $1 and target.id = ${state} and target.phase = 3
        where p.organization_id = $1 and p.id = ${project} and p.blockers_hold
      ) and ${isBlocked('t.id')}) as blocked,
      case when cardinality(${people}::bigint[]) = 0 then '[]' else coalesce((
        select json_agg(m.user_id) from project_member m
        where m.organization_id = $1 and m.project_id = ${project} and m.user_id = any(${people})), '[]') end as members,
      case when cardinality(${roles}::bigint[]) = 0 then '[]' else coalesce((
        select json_agg(r.id) from role r
        where r.organization_id = $1 and r.project_id = ${project} and r.id = any(${roles})), '[]') end as roles,
      case when cardinality(${roles}::bigint[]) = 0 then '[]' else coalesce((
        select json_agg(json_build_array(a.user_id, a.role_id)) from assignment a
        where a.organization_id = $1 and a.ticket_id = t.id), '[]') end as held,
      case when cardinality(${labels}::bigint[]) = 0 then '[]' else coalesce((
        select json_agg(json_build_array(l.id, l.name, tl.label_id is not null)) from label l
        left join ticket_label tl on tl.organization_id = $1 and tl.ticket_id = t.id and tl.label_id = l.id
        where l.organization_id = $1 and (l.project_id = ${project} or l.project_id is null) and l.id = any(${labels})), '[]') end as labels,
      case when cardinality(${labels}::bigint[]) = 0 then 0 else (
        select count(*)::int from ticket_label tl where tl.organization_id = $1 and tl.ticket_id = t.id) end as carried
    from ticket t where t.organization_id = $1 and t.project_id = ${project} and ${condition}`
}
/** The ids and keys that a save refers to. */
export function readParameters(input: Omit<Request<typeof setTicketData>, 'idTicket'>) {
  const data = Object.entries(input.data ?? {})
  const assign = input.TicketAssign ?? []
  const people = data.filter(([, value]) => /^\d{1,15}$/.test(value)).map(([, value]) => Number(value))
  return [
    data.map(([key]) => key),
    input.State ?? null,
    [...assign.map(({ idUser }) => idUser), ...people],
    assign.map(({ idRole }) => idRole),
    (input.Labels ?? []).map(({ idLabel }) => idLabel),
  ]
}
