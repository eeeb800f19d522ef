import { rendererOf } from '@tessera/contract/projects/project-config'
import type { LinkKind } from '@tessera/contract/tickets/links'
import { type Db, run, statement } from '../../../db/db.ts'
import { json, type RowOf, text } from '../../../db/shape.ts'
import { isFieldPart, type TicketPart } from '../../../lib/changes.ts'
import { excerpt } from '../../../lib/excerpt.ts'
import { personName } from '../assignees/person-name.ts'
import { selectionOf } from '../values/field-values.ts'
import { idOf, labelOf, parseCommentReference, parseLink, parsePair } from './stored-values.ts'

/** How much of a comment a list of changes shows; the versions have all of it. */
const shownOfComment = 2000

/** A change of a ticket as it is stored: ids, keys and references. */
export interface StoredChange {
  /** `Watch` is not in the history: a bulk change has it. */
  field: TicketPart | 'Watch'
  before: string | null
  after: string | null
  /** The ticket that changed: if it was trashed itself, its history does not say 'in the trash with' itself. */
  ticket?: number
}
/** The same for people, with the current names. */
interface ReadableChange {
  Label: string
  Before: string | null
  After: string | null
  Restorable: string | null
}

/**
 * SQL of names: of deleted rows the last one, overridden by the table's, because a deleted row may have been restored. `offered`: the condition for a
 * row that tickets may get.
 */
function namesOf(table: 'state' | 'role' | 'template', ids: string, offered = 'true') {
  return `coalesce((select json_agg(json_build_array(id, name, offered) order by change_id nulls last) from (
      select id, name, ${offered} as offered, null::bigint as change_id from ${table} where organization_id = $1 and project_id = $2 and id = any(${ids})
      union all
      select subject_id, before || ' (deleted)', false, id from change where organization_id = $1 and project_id = $2
        and subject = '${table}' and field = 'Name' and after is null and subject_id = any(${ids})) named), '[]')`
}

// Names within one project, for the ids on a page of changes.
const namesRow = {
  code: text,
  /** Includes deleted ones, with their last name. */
  states: json<[id: number, name: string, offered: boolean][]>(),
  templates: json<[id: number, name: string, offered: boolean][]>(),
  tickets: json<[number, string][]>(),
  /** Of other projects, with their keys: only those that the reader may see. */
  farTickets: json<[number, string][]>(),
  people: json<[number, string][]>(),
  roles: json<[id: number, name: string, offered: boolean][]>(),
  fields: json<[key: string, label: string, typeId: number, options: { value: string; label: string }[], restorable: boolean][]>(),
  comments: json<[number, number, string][]>(),
}
type Names = RowOf<typeof namesRow>
const names = statement(
  namesRow,
  `
  select p.short_code as code,
    ${namesOf('state', '$3')} as states,
    ${namesOf('template', '$12', 'archived_at is null')} as templates,
    coalesce((select json_agg(json_build_array(id, title)) from ticket where organization_id = $1 and project_id = $2 and id = any($4)), '[]') as tickets,
    coalesce((select json_agg(json_build_array(t.id, far.short_code || '-' || t.id || ' ' || t.title))
      from ticket t join project far on far.organization_id = $1 and far.id = t.project_id
      left join project_member m on m.organization_id = $1 and m.project_id = t.project_id and m.user_id = $10
      where t.organization_id = $1 and t.project_id <> $2 and t.id = any($4) and ($11::boolean or m.permissions & 1 = 1)), '[]') as "farTickets",
    coalesce((select json_agg(json_build_array(u.id, ${personName}))
      from organization_member m join user_account u on u.id = m.user_id where m.organization_id = $1 and m.user_id = any($5)), '[]') as people,
    ${namesOf('role', '$6')} as roles,
    coalesce((select json_agg(json_build_array(key, label, type_id, options, archived_at is null)) from field
      where organization_id = $1 and project_id = $2 and key = any($7)), '[]') as fields,
    coalesce((select json_agg(json_build_array(wanted.id, wanted.version, left(coalesce(old.text, c.text), 2001)))
      from unnest($8::bigint[], $9::int[]) as wanted (id, version)
      join comment c on c.organization_id = $1 and c.id = wanted.id and c.deleted_at is null
      left join comment_version old on old.organization_id = $1 and old.comment_id = c.id and old.version = wanted.version
      where old.version is not null or c.versions = wanted.version), '[]') as comments
  from project p where p.organization_id = $1 and p.id = $2`,
)

interface Project {
  organizationId: number
  projectId: number
}
interface Reader {
  userId: number
  admin: boolean
}

/**
 * Resolves the ids in the changes of a project's tickets to names, for the history tab and for mails. Linked tickets of other projects are named for
 * a reader who may see them, and for nobody else.
 */
export async function readableChanges(
  db: Db,
  project: Project,
  changes: readonly StoredChange[],
  reader?: Reader,
): Promise<ReadableChange[]> {
  return changes.map(await describerOf(db, project, changes, reader))
}

/** The same for several selections of the changes: reads the names once, and describes any change whose values are among those of the changes. */
export async function describerOf(
  db: Db,
  { organizationId, projectId }: Project,
  changes: readonly StoredChange[],
  reader?: Reader,
): Promise<(change: StoredChange) => ReadableChange> {
  const values = (test: (field: StoredChange['field']) => boolean) =>
    changes.filter(({ field }) => test(field)).flatMap(({ before, after }) => [before, after])
  const ids = (test: (field: StoredChange['field']) => boolean) => values(test).flatMap(value => idOf(value) ?? [])
  const pairs = values(field => field === 'Assignee').flatMap(value => parsePair(value) ?? [])
  const comments = values(field => field === 'Comment').flatMap(value => parseCommentReference(value) ?? [])
  const [found] = await run(db, names, [
    organizationId,
    projectId,
    ids(field => field === 'State'),
    [
      ...ids(field => field === 'Parent' || field === 'Trash'),
      ...values(field => field === 'Link').flatMap(value => parseLink(value)?.idTicket ?? []),
    ],
    [...pairs.map(({ idUser }) => idUser), ...ids(isFieldPart)],
    pairs.map(({ idRole }) => idRole),
    changes.filter(({ field }) => isFieldPart(field)).map(({ field }) => field.slice('data.'.length)),
    comments.map(({ idComment }) => idComment),
    comments.map(({ version }) => version),
    reader?.userId ?? null,
    reader?.admin ?? false,
    ids(field => field === 'Type'),
  ])
  if (!found) return ({ field, before, after }) => ({ Label: field, Before: before, After: after, Restorable: null })
  const wording = wordingOf(found)
  return change => describe(change, wording)
}

const linkWords: Record<LinkKind, string> = {
  blocks: 'Blocks',
  'blocked-by': 'Blocked by',
  duplicates: 'Duplicates',
  'duplicated-by': 'Duplicated by',
  relates: 'Relates to',
  precedes: 'Precedes',
  follows: 'Follows',
}

type Wording = (text: string | null) => string | null

/** What turns the stored value of each part into words. */
function wordingOf({ code, ...found }: Names) {
  const states = new Map(found.states.map(([id, name]) => [id, name]))
  const types = new Map(found.templates.map(([id, name]) => [id, name]))
  const offered = ([id, , isOffered]: (typeof found.states)[number]) => (isOffered ? [id] : [])
  const offeredStates = new Set(found.states.flatMap(offered))
  const offeredTypes = new Set(found.templates.flatMap(offered))
  const tickets = new Map(found.tickets)
  const farTickets = new Map(found.farTickets)
  const people = new Map(found.people)
  const roles = new Map(found.roles.map(([id, name]) => [id, name]))
  const fields = new Map(found.fields.map(([key, label, typeId, options, isOffered]) => [key, { label, typeId, options, isOffered }]))
  const comments = new Map(found.comments.map(([id, version, text]) => [`${id}.${version}`, text]))

  const nameOfTicket = (id: number) => [`${code}-${id}`, tickets.get(id)].filter(Boolean).join(' ')
  const ticket: Wording = text => {
    const id = idOf(text)
    return id === null ? null : nameOfTicket(id)
  }
  const state: Wording = text => (text === null ? null : (states.get(Number(text)) ?? 'A state that is gone'))
  const type: Wording = text => (text === null ? null : (types.get(Number(text)) ?? 'A type that is gone'))
  const link: Wording = text => {
    const stored = parseLink(text)
    if (!stored) return null
    const { Kind, idTicket } = stored
    const name = tickets.has(idTicket) ? nameOfTicket(idTicket) : (farTickets.get(idTicket) ?? 'a ticket elsewhere')
    return `${linkWords[Kind]} ${name}`
  }
  const pair: Wording = text => {
    const stored = parsePair(text)
    return stored && `${people.get(stored.idUser) ?? 'Former member'} (${roles.get(stored.idRole) ?? 'removed role'})`
  }
  const comment: Wording = text => {
    if (text === null) return null
    const known = comments.get(text)
    return known === undefined ? 'A comment that is gone' : excerpt(known, shownOfComment)
  }
  /** `text` is the ticket that was moved to the trash, `own` the one that the change is about: the same, or one below it. */
  const trash = (text: string | null, own: number | undefined) => {
    const root = idOf(text)
    if (root === null) return null
    return root === own ? 'In the trash' : `In the trash with ${nameOfTicket(root)}`
  }
  return { state, offeredStates, type, offeredTypes, ticket, link, pair, comment, trash, people, fields }
}

function describe({ field, before, after, ticket }: StoredChange, wording: ReturnType<typeof wordingOf>): ReadableChange {
  const both = (Label: string, words: Wording, Restorable: string | null = null) => ({
    Label,
    Before: words(before),
    After: words(after),
    Restorable,
  })
  switch (field) {
    case 'Title':
      return both('Description', asStored, before)
    case 'State':
      return both('State', wording.state, wording.offeredStates.has(idOf(before) ?? 0) ? before : null)
    case 'Type':
      return both('Type', wording.type, wording.offeredTypes.has(idOf(before) ?? 0) ? before : null)
    case 'Parent':
      return both('Parent', wording.ticket)
    case 'Assignee':
      return both('Assignees', wording.pair)
    case 'Attachment':
      return both('Attachments', asStored)
    case 'Link':
      return both('Links', wording.link)
    case 'Label':
      return both('Labels', labelOf)
    case 'Comment':
      return both('Comment', wording.comment)
    case 'Trash':
      return both('Trash', text => wording.trash(text, ticket))
    case 'Ticket':
      return both(before === null ? 'Created' : 'Deleted', asStored)
    case 'Watch':
      return both('Watch', watchName)
  }
  const key = (field satisfies `data.${string}`).slice('data.'.length)
  const { label, isOffered, ...type } = wording.fields.get(key) ?? { label: key, typeId: 0, options: [], isOffered: false }
  return both(label, text => fieldValue(text, { ...type, people: wording.people }), isOffered ? (before ?? '') : null)
}

function asStored(text: string | null) {
  return text
}

function watchName(text: string | null) {
  if (text === null) return null
  return text === '1' ? 'Yes' : 'No'
}

function fieldValue(
  text: string | null,
  { typeId, options, people }: { typeId: number; options: { value: string; label: string }[]; people: ReadonlyMap<number, string> },
) {
  if (text === null || text === '') return null
  const label = (value: string) => options.find(option => option.value === value)?.label ?? value
  switch (rendererOf(typeId)) {
    case 'SELECT':
      return label(text)
    case 'MULTISELECT':
      return selectionOf(text).map(label).join(', ')
    case 'USER':
      return people.get(Number(text)) ?? 'Former member'
    case 'CHECKBOX':
      return text === '1' ? 'Yes' : text
    default:
      return text
  }
}
