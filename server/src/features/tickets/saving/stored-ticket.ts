import type { Request } from '@tessera/contract/call'
import type { setTicketData } from '@tessera/contract/tickets/tickets'
import { idOf } from '../history/stored-values.ts'
import { isBlocked } from '../links/blocking/blockers.ts'
import { mayMove } from '../output-states.ts'
import { fieldsOfTicket } from '../values/fields-of-ticket.ts'
import { numbered } from './named-statement.ts'

/** SQL: a digest of what decides which values the field takes. */
export const definition = (field: string) => `md5(${field}.type_id || coalesce(${field}.options::text, ''))`

/** What the columns of a stored ticket are about; a part that is not read has the values in `unread`. */
const parts = {
  data: {
    read: (_: string, isOfNewType: string) => `
      coalesce((
        select json_agg(json_build_object(
          'id', f.id, 'key', f.key, 'type_id', f.type_id, 'options', f.options, 'value', f.value, 'version', f.version,
          'definition', ${definition('f')}, 'is_shown', f.is_shown or ${isOfNewType}))
        from ${fieldsOfTicket} f where f.key = any($data::text[])), '[]') as fields,
      (select coalesce(sum(octet_length(v.value)), 0)::bigint from ticket_value v where v.organization_id = $1 and v.ticket_id = t.id) as value_bytes`,
    unread: `'[]'::json as fields, 0::bigint as value_bytes`,
  },
  type: {
    read: (project: string) => `
      (select tp.archived_at is null from template tp
        where tp.organization_id = $1 and tp.project_id = ${project} and tp.id = $type::bigint) as is_offered`,
    unread: 'null::boolean as is_offered',
  },
  state: {
    read: (project: string) => `
      (select ${mayMove(project, 't.state_id', 's.id')} from state s
        where s.organization_id = $1 and s.project_id = ${project} and s.id = $state::bigint) as reachable,
      (select json_build_object('name', s.name, 'limit', s.board_limit, 'tickets', (
          select coalesce(sum(c.tickets), 0) from ticket_tally c where c.organization_id = $1 and c.project_id = ${project} and c.state_id = s.id))
        from state s
        where s.organization_id = $1 and s.project_id = ${project} and s.id = $state and s.limit_holds and s.board_limit is not null) as room,
      exists (
        select 1 from project p
        join state present on present.organization_id = $1 and present.id = t.state_id and present.phase <> 3
        join state target on target.organization_id = $1 and target.id = $state and target.phase = 3
        where p.organization_id = $1 and p.id = ${project} and p.blockers_hold
      ) and ${isBlocked} as blocked`,
    unread: 'null::boolean as reachable, null::json as room, false as blocked',
  },
  people: {
    read: (project: string) => `
      coalesce((
        select json_agg(m.user_id) from project_member m
        where m.organization_id = $1 and m.project_id = ${project} and m.user_id = any($people::bigint[])), '[]') as members`,
    unread: `'[]'::json as members`,
  },
  roles: {
    read: (project: string) => `
      coalesce((
        select json_agg(r.id) from role r
        where r.organization_id = $1 and r.project_id = ${project} and r.id = any($roles::bigint[])), '[]') as roles,
      coalesce((
        select json_agg(json_build_array(a.user_id, a.role_id)) from assignment a
        where a.organization_id = $1 and a.ticket_id = t.id), '[]') as held`,
    unread: `'[]'::json as roles, '[]'::json as held`,
  },
  labels: {
    read: (project: string) => `
      coalesce((
        select json_agg(json_build_array(l.id, l.name, tl.label_id is not null)) from label l
        left join ticket_label tl on tl.organization_id = $1 and tl.ticket_id = t.id and tl.label_id = l.id
        where l.organization_id = $1 and (l.project_id = ${project} or l.project_id is null) and l.id = any($labels::bigint[])), '[]') as labels,
      (select count(*)::int from ticket_label tl where tl.organization_id = $1 and tl.ticket_id = t.id) as carried`,
    unread: `'[]'::json as labels, 0 as carried`,
  },
} as const
export type ReadPart = keyof typeof parts
const allParts = Object.keys(parts) as ReadPart[]

/** One row for each ticket `t` that fulfils the condition; $1 is the organization and $`from` and on are `readOf(input).parameters`. */
export function storedTicket(read: readonly ReadPart[], condition: string, project: string, from: number) {
  const isOfNewType = read.includes('type')
    ? 'exists (select 1 from template_field has where has.organization_id = $1 and has.template_id = $type and has.field_id = f.id)'
    : 'false'
  const columns = allParts.map(name => (read.includes(name) ? parts[name].read(project, isOfNewType) : parts[name].unread))
  return numbered(
    `
    select t.version, t.title, t.title_version, t.template_id, t.template_version, t.state_id, t.state_version, t.parent_id, t.trashed_at is not null as in_trash, ${columns.join(', ')}
    from ticket t where t.organization_id = $1 and t.project_id = ${project} and ${condition}`,
    read,
    from,
  )
}

/** What is read for a save: the ids and keys that it refers to. `values` are those of its fields, of which some may be ids of people. */
export function readOf(
  input: Omit<Request<typeof setTicketData>, 'idTicket'>,
  values: readonly string[] = Object.values(input.data ?? {}),
) {
  const assign = input.TicketAssign ?? []
  const people = values.flatMap(value => idOf(value) ?? [])
  const asked: Record<ReadPart, unknown> = {
    data: Object.keys(input.data ?? {}),
    type: input.idTemplate,
    state: input.State,
    people: [...new Set([...assign.map(({ idUser }) => idUser), ...people])],
    roles: assign.map(({ idRole }) => idRole),
    labels: (input.Labels ?? []).map(({ idLabel }) => idLabel),
  }
  const read = allParts.filter(name => (Array.isArray(asked[name]) ? asked[name].length > 0 : asked[name] !== undefined))
  return { parts: read, parameters: read.map(name => asked[name]) }
}
