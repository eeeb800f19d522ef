import { Readable } from 'node:stream'
import { phaseName } from '@tessera/contract/messages'
import { propertyType } from '@tessera/contract/projects/project-config'
import type { Phase } from '@tessera/contract/scalars'
import * as contract from '@tessera/contract/tickets/search'
import { listColumns } from '@tessera/contract/tickets/tickets'
import { type Db, run, statement } from '../../../db/db.ts'
import { int4, json, jsonb, type RowOf, text } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { credentialsOf } from '../../../http/session-cookie.ts'
import { type Credentials, visibleProjects } from '../../../lib/authorize.ts'
import { invalid, notFound } from '../../../lib/failure.ts'
import { fileDisposition } from '../../../upload/file-name.ts'
import { personName } from '../../tickets/assignees/person-name.ts'
import { isWatched, lastChange } from '../../tickets/columns/column-values.ts'
import { isListColumn, type ListColumn, requireKnown } from '../../tickets/columns/list-columns.ts'
import { selectionOf } from '../../tickets/values/field-values.ts'
import { today } from '../dates/periods.ts'
import { clockOf } from '../dates/zone.ts'
import { reachOf, readQueryOf, type Searcher } from '../query/read-query.ts'
import { matchingIds } from '../results/matching-ids.ts'
import { csvLine } from './csv.ts'

/** Tickets that are read at a time, fewer if their values have more bytes. */
const batch = 500
const batchBytes = 2_000_000

export const exportTickets = implement(contract.exportTickets, async ({ db, scope, input, system, request, reply }) => {
  const query = input.Query ?? ''
  const searcher: Searcher = { ...scope, projectId: Number(input.idProject) }
  const parsed = await readQueryOf(db, searcher, query)
  const sort = sortOf(input.Sort)
  const reach = await reachOf(db, searcher, parsed, { sort })
  const [project] = reach.projects
  if (!project) throw notFound()
  requireKnown({ Sort: sort }, new Set(reach.columns.map(({ key }) => key)))
  const { columns, optionsOf } = await columnsOf(db, searcher, project.id, input.Columns)
  const clock = clockOf(input.Zone)
  const ids = await matchingIds(db, searcher, { query, parsed, reach, clock, sort })
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', fileDisposition(`${project.code}-${today(clock).toISOString().slice(0, 10)}.csv`, 'attachment'))
    .header('cache-control', 'private, no-store')
  const { tokenHash } = credentialsOf(system.config, request) as Credentials
  const maySee = async () => {
    const visible = await visibleProjects(db, scope.organizationId, [tokenHash], system.config.session, [project.id])
    return visible.get(tokenHash.toString('hex'))?.projects.has(project.id) === true
  }
  // Each part waits for its turn: the call has had its turn when the file begins.
  const read = (part: number[]) =>
    system.inTurn(scope.userId, () => run(db, rowsStatement, [scope.organizationId, part, scope.userId, columns]))
  return Readable.from(lines(ids, columns, optionsOf, maySee, read))
})

function sortOf(text = '') {
  const slots = text.split(',').filter(slot => slot !== '')
  return slots.map(slot => {
    const [Column = '', Direction] = slot.split('.')
    return { Column, Direction: Direction === 'desc' ? ('desc' as const) : ('asc' as const) }
  })
}

/** By the key of a field: the labels of its options, by their values. */
type OptionsOf = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The requested columns; 400 for a name that is neither a column nor the key of a field. All columns of every ticket unless any are named. */
async function columnsOf(db: Db, { organizationId }: Searcher, projectId: number, given: string | undefined) {
  const names = (given ?? '').split(',').filter(name => name !== '')
  const fields = await run(db, fieldsOf, [organizationId, projectId])
  const optionsOf: OptionsOf = new Map(fields.map(({ key, options }) => [key, new Map(options.map(({ value, label }) => [value, label]))]))
  if (names.length === 0) return { columns: listColumns.filter(name => name !== 'Watched'), optionsOf }
  if (!names.every(name => isListColumn(name) || optionsOf.has(name)))
    throw invalid('Columns', 'names something that is neither a column nor the key of a field of this project')
  return { columns: names, optionsOf }
}
const fieldsOf = statement(
  { key: text, options: jsonb<{ value: string; label: string }[]>() },
  'select f.key, f.options from field f where f.organization_id = $1 and f.project_id = $2',
)

const time = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
/** SQL: what the file shows in each column of ticket `t`. */
const cells: Record<ListColumn, string> = {
  Assignees: `(select string_agg(${personName} || ' (' || r.name || ')', '; ' order by lower(unaccent(${personName})), r.position, u.id)
    from assignment a join user_account u on u.id = a.user_id join role r on r.organization_id = $1 and r.id = a.role_id
    where a.organization_id = $1 and a.ticket_id = t.id)`,
  Labels: `(select string_agg(l.name, '; ' order by lower(unaccent(l.name)), l.id)
    from ticket_label tl join label l on l.organization_id = $1 and l.id = tl.label_id
    where tl.organization_id = $1 and tl.ticket_id = t.id)`,
  Created: time('t.created_at'),
  Updated: time(lastChange),
  Parent: "p.short_code || '-' || t.parent_id",
  Watched: `(${isWatched('$3')})::int::text`,
}
const rowsShape = {
  place: int4,
  cells: json<string[]>(),
  fields: json<Record<string, { type: number; value: string }>>(),
  columns: json<Record<string, string>>(),
}
const valuesOf = (ticket: string) => `from ticket_value v join field f on f.organization_id = $1 and f.id = v.field_id
      where v.organization_id = $1 and v.ticket_id = ${ticket} and f.key = any($4)`
// $4: the keys of the fields to read. A ticket is included while those before it have at most `batchBytes`.
const rowsStatement = statement(
  rowsShape,
  `
  with asked as materialized (
    select id, n, sum((select coalesce(sum(octet_length(v.value)), 0) ${valuesOf('o.id')})) over (order by n rows between unbounded preceding and 1 preceding) as before
    from unnest($2::bigint[]) with ordinality as o (id, n)
  )
  select o.n::int as place, json_build_array(p.short_code || '-' || t.id, coalesce(tp.name, ''), st.phase::text, st.name, t.title) as cells,
    coalesce((select json_object_agg(f.key, json_build_object('type', f.type_id, 'value', case when f.type_id = ${propertyType.USER}
        then coalesce((select ${personName} from user_account u where u.id::text = v.value), v.value) else v.value end))
      ${valuesOf('t.id')}), '{}') as fields,
    json_build_object(${Object.entries(cells).map(([name, value]) => `'${name}', ${value}`)}) as columns
  from asked o
  join ticket t on t.organization_id = $1 and t.id = o.id
  join project p on p.organization_id = $1 and p.id = t.project_id
  join state st on st.organization_id = $1 and st.id = t.state_id
  left join template tp on tp.organization_id = $1 and tp.id = t.template_id
  where coalesce(o.before, 0) <= ${batchBytes} order by o.n`,
)

/** The file in pieces, each read when the client has taken the previous one. It ends early when the session may not see the project any more. */
async function* lines(
  ids: readonly number[],
  columns: readonly string[],
  optionsOf: OptionsOf,
  maySee: () => Promise<boolean>,
  read: (part: number[]) => Promise<RowOf<typeof rowsShape>[]>,
) {
  yield `\ufeff${csvLine(['ID', 'Type', 'Phase', 'State', 'Title', ...columns])}`
  for (let at = 0; at < ids.length; ) {
    if (!(await maySee())) return
    const part = ids.slice(at, at + batch)
    const rows = await read(part)
    // Tickets that were deleted meanwhile have no row.
    at += rows.at(-1)?.place ?? part.length
    const texts = rows.map(row => {
      const [key = '', type = '', phase = '', ...rest] = row.cells
      const more = columns.map(name =>
        Object.hasOwn(row.columns, name) ? (row.columns[name] ?? '') : fieldText(row.fields[name], optionsOf.get(name)),
      )
      return csvLine([key, type, phaseName[Number(phase) as Phase] ?? '', ...rest, ...more])
    })
    if (texts.length > 0) yield texts.join('')
  }
}

function fieldText(field: { type: number; value: string } | undefined, options: ReadonlyMap<string, string> | undefined) {
  if (!field) return ''
  if (field.type === propertyType.SELECT) return options?.get(field.value) ?? field.value
  if (field.type !== propertyType.MULTISELECT || field.value === '') return field.value
  return selectionOf(field.value)
    .map(value => options?.get(value) ?? value)
    .join('; ')
}
