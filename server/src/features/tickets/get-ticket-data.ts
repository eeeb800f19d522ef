import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { propertyType, typesWithOptions } from '@tessera/contract/projects/project-config'
import * as contract from '@tessera/contract/tickets/tickets'
import { as, flag, int2, int4, int8, json, nullable, text } from '../../db/shape.ts'
import { implementWith } from '../../http/implement.ts'
import { permissionList, reading } from '../../lib/authorize.ts'
import { notFound } from '../../lib/failure.ts'
import { personName } from './assignees/person-name.ts'
import { isBlocked } from './links/blocking/blockers.ts'
import { mayMove } from './output-states.ts'
import { isNotified, watching } from './subscriptions/watchers.ts'
import { fieldsOfTicket } from './values/fields-of-ticket.ts'

type Answer = Response<typeof contract.getTicketData>
const ticketRow = {
  idTicket: int8,
  idProject: int8,
  ProjectTitle: text,
  pcode: text,
  idParent: nullable(int8),
  Created: int8,
  CreatedBy: nullable(text),
  OriginalKey: nullable(text),
  Type: text,
  idTemplate: int8,
  OtherTypes: nullable(json<NonNullable<Answer['OtherTypes']>>()),
  State: text,
  idState: int8,
  Phase: as<Answer['Phase']>(int2),
  Title: text,
  Version: int4,
  Trashed: flag,
  Assignees: json<Answer['Assignees']>(),
  OutputStates: json<Answer['OutputStates']>(),
  Attachments: json<Answer['Attachments']>(),
  Pictures: nullable(json<NonNullable<Answer['Pictures']>>()),
  OwnAttachments: nullable(json<number[]>()),
  Labels: json<Answer['Labels']>(),
  Fields: json<Answer['Fields']>(),
  NotificationSubscription: flag,
  Watchers: json<Answer['Watchers']>(),
  Blocked: flag,
}

// One row with all lists as JSON, so that a ticket takes one round trip. Left joins begin at the ticket: PostgreSQL knows only how many rows an
// organization has on average, and in a large one among small ones it would combine each project with each template and each state first. The members
// of a USER field are read once, as an array with a limit: with a second read that counts them, a Citus worker planned for 22 ms instead of 3.
const ticket = reading(
  'ticket',
  ticketRow,
  `
  select t.id as "idTicket", t.project_id as "idProject", p.title as "ProjectTitle", p.short_code as pcode, t.parent_id as "idParent",
    floor(extract(epoch from t.created_at))::bigint as "Created",
    (select ${personName} from user_account u where u.id = t.created_by) as "CreatedBy", t.external_id as "OriginalKey", tp.name as "Type", t.template_id as "idTemplate",
    (select json_agg(json_build_object('id', o.id, 'Description', o.name) order by o.position, o.id) from template o
      where o.organization_id = $1 and o.project_id = t.project_id and o.id <> t.template_id and o.archived_at is null) as "OtherTypes",
    s.name as "State", s.id as "idState", s.phase as "Phase", t.title as "Title", t.version as "Version",
    (t.trashed_at is not null)::int as "Trashed",
    coalesce((select json_agg(json_build_object('idUser', a.user_id, 'idRole', a.role_id, 'Name', ${personName}, 'Role', r.name)
        order by r.position, r.id, lower(unaccent(${personName})), u.id)
      from assignment a join role r on r.organization_id = $1 and r.id = a.role_id join user_account u on u.id = a.user_id
      where a.organization_id = $1 and a.ticket_id = t.id), '[]') as "Assignees",
    coalesce((select json_agg(json_build_object('id', o.id, 'Description', o.name) order by o.position, o.id) from state o
      where o.organization_id = $1 and o.project_id = t.project_id and o.id <> t.state_id
        and ${mayMove('t.project_id', 't.state_id', 'o.id')}), '[]') as "OutputStates",
    coalesce((select json_agg(json_build_object('id', f.id, 'name', f.name) order by lower(unaccent(f.name)), f.id) from attachment f
      where f.organization_id = $1 and f.ticket_id = t.id and f.deleted_at is null), '[]') as "Attachments",
    (select json_agg(json_build_object('id', f.id, 'Width', f.width, 'Height', f.height) order by f.id) from attachment f
      where f.organization_id = $1 and f.ticket_id = t.id and f.deleted_at is null and f.width is not null) as "Pictures",
    (select json_agg(f.id order by f.id) from attachment f
      where f.organization_id = $1 and f.ticket_id = t.id and f.deleted_at is null and f.created_by = scope.user_id) as "OwnAttachments",
    coalesce((select json_agg(json_build_object('idLabel', l.id, 'Label', l.name, 'Color', l.color) order by lower(unaccent(l.name)), l.id)
      from ticket_label tl join label l on l.organization_id = $1 and l.id = tl.label_id
      where tl.organization_id = $1 and tl.ticket_id = t.id), '[]') as "Labels",
    coalesce((select json_agg(json_build_object('Key', f.key, 'Label', f.label, 'Value', coalesce(f.value, ''), 'Renderer', y.description,
        'FieldProps', case when f.type_id in (${typesWithOptions.join()}) then f.options when f.type_id = ${propertyType.USER} then (
          select coalesce(jsonb_agg(jsonb_build_object('value', u.id::text, 'label', ${personName}) order by lower(unaccent(${personName})), u.id), '[]')
          from (select unnest(few.ids) as user_id from (select array(select m.user_id from project_member m
              where m.organization_id = $1 and m.project_id = t.project_id limit ${limits.peopleInField} + 1) as ids) few
            where cardinality(few.ids) <= least(${limits.peopleInField}, ${limits.peopleInFields} / (
              select count(*) from field uf where uf.organization_id = $1 and uf.project_id = t.project_id and uf.type_id = ${propertyType.USER}))
            union select f.value::bigint where f.value ~ '^[1-9][0-9]{0,14}$') m
          join user_account u on u.id = m.user_id)
        else '[]' end) order by f.shown_at, f.position, f.id)
      from ${fieldsOfTicket} f join property_type y on y.id = f.type_id where f.is_shown), '[]') as "Fields",
    ${isNotified('t')}::int as "NotificationSubscription",
    coalesce((${watching(`json_agg(json_build_object('idUser', u.id, 'Name', ${personName}) order by lower(unaccent(${personName})), u.id)`, '', 't.id', 't.project_id')}), '[]') as "Watchers",
    (${isBlocked})::int as "Blocked"
  from ticket t
  left join project p on p.organization_id = $1 and p.id = t.project_id
  left join template tp on tp.organization_id = $1 and tp.id = t.template_id
  left join state s on s.organization_id = $1 and s.id = t.state_id
  join user_account u on u.id = scope.user_id
  left join subscription n on n.organization_id = $1 and n.ticket_id = t.id and n.user_id = scope.user_id
  where t.organization_id = $1 and t.id = $5`,
)

export const getTicketData = implementWith(
  contract.getTicketData,
  { read: () => ({ statement: ticket, parameters: [] }) },
  async ({ scope, row }) => {
    if (!row) throw notFound()
    const { Trashed, CreatedBy, OriginalKey, OtherTypes, Pictures, OwnAttachments, ...ticket } = row
    const from = { ...(CreatedBy !== null && { CreatedBy }), ...(OriginalKey !== null && { OriginalKey }) }
    const types = OtherTypes !== null && { OtherTypes }
    const files = { ...(Pictures !== null && { Pictures }), ...(OwnAttachments !== null && { OwnAttachments }) }
    return { ...ticket, ...from, ...types, ...files, Permissions: permissionList(scope.permissions), ...(Trashed === 1 && { Trashed }) }
  },
)
