import { limits } from '@tessera/contract/limits'
import { contributorPermissions } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { countTickets } from '../features/tickets/queries.ts'
import { type ProjectScope, permissionMask } from '../lib/authorize.ts'
import { cleanFileName } from '../lib/file-name.ts'
import { newStorageKey, type Storage } from '../lib/storage.ts'
import { OperatorError } from '../operator-error.ts'
import { type ExportRow, parseComment, parseDate, readExport } from './jira-csv.ts'
import { fieldValue, nameOf, type Plan } from './plan.ts'
import { defaultWorkflow } from './workflow.ts'

export interface Target {
  organizationId: number
  /** The short code of a project of the organization, made when there is none. */
  shortCode: string
  title: string
}
export interface Imported {
  projectId: number
  tickets: number
  /** Tickets of the file that an earlier import brought in: left as they are. */
  present: number
  comments: number
  files: number
  people: number
}

const batchRows = 250
const batchCharacters = 1_500_000

/**
 * Reads the export a second time and writes it in the caller's transaction, as one change set. Files go to the storage as they come;
 * those of a transaction that fails are removed again.
 */
export async function writeImport(
  db: Db,
  storage: Storage,
  file: string,
  plan: Plan,
  target: Target,
  progress: (rows: number) => void,
): Promise<Imported> {
  const kept: string[] = []
  try {
    const writer = new Writer(db, storage, plan, target, kept)
    await writer.prepare()
    let batch: ExportRow[] = []
    let characters = 0
    let rows = -1
    for await (const row of readExport(file)) {
      if (++rows === 0) continue
      batch.push(row)
      characters += row.cells.reduce((sum, cell) => sum + cell.length, 0)
      if (batch.length === batchRows || characters > batchCharacters) {
        await writer.write(batch)
        progress(rows)
        batch = []
        characters = 0
      }
    }
    await writer.write(batch)
    progress(rows)
    return await writer.finish()
  } catch (error) {
    await Promise.all(kept.map(key => storage.remove(key).catch(() => undefined)))
    throw error
  }
}

interface NewTicket {
  id: number
  parentId: number | null
  templateId: number
  stateId: number
}

class Writer {
  private readonly db: Db
  private readonly storage: Storage
  private readonly plan: Plan
  private readonly target: Target
  private readonly kept: string[]
  private projectId = 0
  private changeSetId = 0
  private readonly states = new Map<string, number>()
  private readonly templates = new Map<string, number>()
  private readonly fields = new Map<string, number>()
  private readonly people = new Map<string, number>()
  private assigneeRole = 0
  /** Ids by external id: of every ticket of the file, new or present. */
  private readonly ids = new Map<string, number>()
  private readonly created = new Map<string, NewTicket>()
  private readonly imported: Imported = { projectId: 0, tickets: 0, present: 0, comments: 0, files: 0, people: 0 }

  constructor(db: Db, storage: Storage, plan: Plan, target: Target, kept: string[]) {
    this.db = db
    this.storage = storage
    this.plan = plan
    this.target = target
    this.kept = kept
  }

  async prepare() {
    const { organizationId } = this.target
    const { rows } = await sql<{ id: number }>`select nextval('change_set_id')::bigint as id`.execute(this.db)
    this.changeSetId = rows[0]?.id ?? 0
    this.projectId = await this.project()
    this.imported.projectId = this.projectId
    await this.roles()
    await this.bringPeople()
    await this.bringStates()
    await this.bringFields()
    await this.bringTemplates()
    const present = await sql<{ id: number; external_id: string }>`
      select id, external_id from ticket where organization_id = ${organizationId} and project_id = ${this.projectId}
        and external_id = any(${this.plan.tickets.map(({ externalId }) => externalId)}::text[])`.execute(this.db)
    for (const { id, external_id } of present.rows) this.ids.set(external_id, id)
    this.imported.present = present.rows.length
    // Ids in the order in which the issues were made, so that the newest come first in lists.
    const fresh = this.plan.tickets.filter(({ externalId }) => !this.ids.has(externalId)).sort((a, b) => a.order - b.order)
    const reserved = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('ticket', 'id'))::bigint as id from generate_series(1, ${fresh.length}::int)`.execute(this.db)
    const numbers = reserved.rows.map(({ id }) => id).sort((a, b) => a - b)
    for (const [index, { externalId }] of fresh.entries()) {
      const id = numbers[index] as number
      this.ids.set(externalId, id)
      this.created.set(externalId, { id, parentId: null, templateId: 0, stateId: 0 })
    }
    for (const { externalId, parent } of fresh) {
      const ticket = this.created.get(externalId)
      if (ticket && parent !== undefined) ticket.parentId = this.ids.get(parent) ?? null
    }
  }

  private async project() {
    const { organizationId, shortCode, title } = this.target
    const existing = await sql<{ id: number; archived: boolean }>`
      select id, archived_at is not null as archived from project
      where organization_id = ${organizationId} and lower(short_code) = lower(${shortCode}) for update`.execute(this.db)
    const [project] = existing.rows
    if (project?.archived) throw new OperatorError(`The project ${shortCode} is archived: restore it first.`)
    if (project) return project.id
    const { id } = await this.db
      .insertInto('project')
      .values({ organization_id: organizationId, title, short_code: shortCode })
      .returning('id')
      .executeTakeFirstOrThrow()
    await this.db
      .insertInto('role')
      .values(
        ['Responsible', 'Assignee', 'Reviewer'].map((name, position) => ({
          organization_id: organizationId,
          project_id: id,
          name,
          position,
        })),
      )
      .execute()
    await this.record([{ subject: 'project', id, field: 'Project', after: title }], id)
    return id
  }

  private async roles() {
    const { organizationId } = this.target
    const { rows } = await sql<{ id: number }>`
      select id from role where organization_id = ${organizationId} and project_id = ${this.projectId}
      order by lower(name) = 'assignee' desc, position limit 1`.execute(this.db)
    if (!rows[0]) throw new OperatorError('The project has no role for assignees: add one first.')
    this.assigneeRole = rows[0].id
  }

  /** People are matched by login, or made without a password. Assignees become members of the project. */
  private async bringPeople() {
    const { organizationId } = this.target
    const logins = [...new Set(this.plan.people.values())]
    const made = await sql`
      insert into user_account (login) select login from unnest(${logins}::text[]) as login
      on conflict (lower(login)) do nothing returning id`.execute(this.db)
    this.imported.people = made.rows.length
    const { rows } = await sql<{ id: number; login: string }>`
      select id, lower(login) as login from user_account where lower(login) = any(${logins.map(login => login.toLowerCase())}::text[])`.execute(
      this.db,
    )
    const byLogin = new Map(rows.map(({ id, login }) => [login, id]))
    for (const [name, login] of this.plan.people) this.people.set(name, byLogin.get(login.toLowerCase()) as number)
    const assignees = [...new Set([...this.plan.assignees].map(name => this.people.get(name) as number))]
    const members = [...new Set([...(made.rows as { id: number }[]).map(({ id }) => id), ...assignees])]
    await sql`
      insert into organization_member (organization_id, user_id) select ${organizationId}::bigint, id from unnest(${members}::bigint[]) as id
      on conflict do nothing`.execute(this.db)
    await sql`
      insert into project_member (organization_id, project_id, user_id, permissions)
      select ${organizationId}::bigint, ${this.projectId}::bigint, id, ${permissionMask(contributorPermissions)}::int from unnest(${assignees}::bigint[]) as id
      on conflict (organization_id, project_id, user_id) do nothing`.execute(this.db)
  }

  private get place() {
    return { organization_id: this.target.organizationId, project_id: this.projectId }
  }

  /** What the project has of a kind: ids by name in lower case, of fields by key. */
  private async known(table: 'state' | 'field' | 'template') {
    const { organization_id, project_id } = this.place
    const { rows } = await sql<{ id: number; name: string }>`
      select id, ${sql.ref(table === 'field' ? 'key' : 'name')} as name from ${sql.table(table)}
      where organization_id = ${organization_id} and project_id = ${project_id}`.execute(this.db)
    return new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
  }

  private async bringStates() {
    const { organizationId } = this.target
    const known = await this.known('state')
    for (const [name, id] of known) this.states.set(name, id)
    const fresh = this.plan.statuses.filter(({ name }) => !this.states.has(name.toLowerCase())).sort((a, b) => a.phase - b.phase)
    for (const [index, { name, phase }] of fresh.entries()) {
      const { id } = await this.db
        .insertInto('state')
        .values({ ...this.place, name, phase, position: known.size + index })
        .returning('id')
        .executeTakeFirstOrThrow()
      this.states.set(name.toLowerCase(), id)
      await this.record([{ subject: 'state', id, field: 'State', after: name }])
    }
    if (known.size > 0) return
    const moves = defaultWorkflow(fresh.map(({ name, phase }) => ({ id: this.states.get(name.toLowerCase()) as number, name, phase })))
    await sql`
      insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
      select ${organizationId}::bigint, ${this.projectId}::bigint, "from", "to"
      from unnest(${moves.map(({ from }) => from)}::bigint[], ${moves.map(({ to }) => to)}::bigint[]) as w ("from", "to")`.execute(this.db)
    await this.record([{ subject: 'workflow', id: this.projectId, field: 'Workflow', after: `${moves.length} moves` }])
  }

  private async bringFields() {
    const known = await this.known('field')
    for (const [index, { name, isLong }] of this.plan.columns.fields.entries()) {
      const key = keyOf(name)
      const existing = known.get(key.toLowerCase())
      const id =
        existing ??
        (
          await this.db
            .insertInto('field')
            .values({ ...this.place, key, label: name.slice(0, limits.name), type_id: isLong ? 1 : 3, position: known.size + index })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id
      this.fields.set(name, id)
      if (existing === undefined) await this.record([{ subject: 'field', id, field: 'Field', after: name }])
    }
  }

  private async bringTemplates() {
    const { organizationId } = this.target
    const known = await this.known('template')
    for (const [name, id] of known) this.templates.set(name, id)
    const first =
      this.plan.statuses.toSorted((a, b) => a.phase - b.phase).find(({ name }) => /^open$|to ?do|new/i.test(name)) ??
      this.plan.statuses.toSorted((a, b) => a.phase - b.phase)[0]
    const entry = this.states.get((first?.name ?? '').toLowerCase()) as number
    for (const [index, name] of this.plan.types.filter(type => !this.templates.has(type.toLowerCase())).entries()) {
      const { id } = await this.db
        .insertInto('template')
        .values({ ...this.place, name, entry_state_id: entry, position: known.size + index })
        .returning('id')
        .executeTakeFirstOrThrow()
      this.templates.set(name.toLowerCase(), id)
      await this.record([{ subject: 'template', id, field: 'Template', after: name }])
    }
    const used = this.plan.types.map(type => this.templates.get(type.toLowerCase()) as number)
    const fields = [...this.fields.values()]
    await sql`
      insert into template_field (organization_id, project_id, template_id, field_id, position)
      select ${organizationId}::bigint, ${this.projectId}::bigint, t.id, f.id, 1000 + f.position
      from unnest(${used}::bigint[]) as t (id), unnest(${fields}::bigint[]) with ordinality as f (id, position)
      on conflict (organization_id, template_id, field_id) do nothing`.execute(this.db)
  }

  async write(rows: ExportRow[]) {
    const batch = { tickets: [] as object[], values: [] as object[], comments: [] as object[], assignments: [] as object[] }
    const files: { ticketId: number; name: string; text: string }[] = []
    const seen = new Set<string>()
    for (const { cells } of rows) {
      const { columns } = this.plan
      const cell = (index: number) => (index < 0 ? '' : clean(cells[index] ?? '').trim())
      const key = cell(columns.key)
      const ticket = this.created.get(key)
      if (ticket?.templateId !== 0 || seen.has(key)) continue
      seen.add(key)
      const file = (name: string, text: string) => files.push({ ticketId: ticket.id, name: `${key} ${name}.txt`, text })
      const title = cell(columns.title) || key
      if (title.length > limits.ticketTitle) file('Summary', title)
      ticket.templateId = this.templates.get(nameOf(cell(columns.type), 'Ticket').toLowerCase()) as number
      ticket.stateId = this.states.get(nameOf(cell(columns.status), 'Open').toLowerCase()) as number
      const at = parseDate(cell(columns.created)) ?? new Date()
      batch.tickets.push({
        id: ticket.id,
        template_id: ticket.templateId,
        state_id: ticket.stateId,
        title: shorten(title, limits.ticketTitle),
        at,
        by: this.people.get(cell(columns.reporter)) ?? null,
        key,
      })
      const assignee = this.people.get(cell(columns.assignee))
      if (assignee !== undefined) batch.assignments.push({ ticket_id: ticket.id, user_id: assignee })
      for (const field of columns.fields) {
        const value = clean(fieldValue(cells, field.at))
        if (value === '') continue
        if (Buffer.byteLength(value) > limits.fieldValue) file(field.name, value)
        batch.values.push({ ticket_id: ticket.id, field_id: this.fields.get(field.name), value: shortenBytes(value, limits.fieldValue) })
      }
      for (const index of columns.comments) {
        const text = clean(cells[index] ?? '')
        if (text.trim() === '') continue
        const comment = parseComment(text)
        const body = (comment?.text ?? text).trim() || '-'
        if (Buffer.byteLength(body) > limits.comment) file(`comment of ${(comment?.at ?? at).toISOString().slice(0, 10)}`, body)
        batch.comments.push({
          ticket_id: ticket.id,
          author_id: this.people.get(comment?.author ?? '') ?? null,
          at: comment?.at ?? at,
          text: shortenBytes(body, limits.comment),
        })
      }
    }
    await this.insert(batch)
    for (const file of files) await this.attach(file)
    this.imported.tickets += batch.tickets.length
    this.imported.comments += batch.comments.length
  }

  private async insert({
    tickets,
    values,
    comments,
    assignments,
  }: {
    tickets: object[]
    values: object[]
    comments: object[]
    assignments: object[]
  }) {
    const { organizationId } = this.target
    const { projectId, db } = this
    if (tickets.length === 0) return
    await sql`
      insert into ticket (organization_id, id, project_id, template_id, state_id, title, created_at, created_by, external_id)
      select ${organizationId}::bigint, r.id, ${projectId}::bigint, r.template_id, r.state_id, r.title, r.at, r.by, r.key
      from jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) as r (id bigint, template_id bigint, state_id bigint, title text, at timestamptz, by bigint, key text)`.execute(
      db,
    )
    await sql`
      insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, after)
      select ${organizationId}::bigint, ${this.changeSetId}::bigint, 'ticket', r.id, ${projectId}::bigint, r.id, 'Ticket', r.title
      from jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) as r (id bigint, title text)`.execute(db)
    await sql`
      insert into ticket_value (organization_id, ticket_id, field_id, value)
      select ${organizationId}::bigint, r.ticket_id, r.field_id, r.value
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r (ticket_id bigint, field_id bigint, value text)`.execute(db)
    await sql`
      insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
      select ${organizationId}::bigint, ${projectId}::bigint, r.ticket_id, r.user_id, ${this.assigneeRole}::bigint
      from jsonb_to_recordset(${JSON.stringify(assignments)}::jsonb) as r (ticket_id bigint, user_id bigint)`.execute(db)
    // Ids in the order of the dates: comments are listed by id.
    await sql`
      insert into comment (organization_id, ticket_id, author_id, created_at, text)
      select ${organizationId}::bigint, r.ticket_id, r.author_id, r.at, r.text
      from jsonb_to_recordset(${JSON.stringify(comments)}::jsonb) as r (ticket_id bigint, author_id bigint, at timestamptz, text text)
      order by r.ticket_id, r.at`.execute(db)
  }

  /** A text that had to be shortened, whole, as a file of the ticket. */
  private async attach({ ticketId, name, text }: { ticketId: number; name: string; text: string }) {
    const { organizationId } = this.target
    const incoming = await this.storage.receive()
    try {
      await incoming.write(Buffer.from(text))
      const key = newStorageKey(organizationId)
      await incoming.keep(key)
      this.kept.push(key)
      const shownName = cleanFileName(name, limits.attachmentName) || 'text.txt'
      await this.db
        .insertInto('attachment')
        .values({
          organization_id: organizationId,
          ticket_id: ticketId,
          name: shownName,
          content_type: 'text/plain',
          bytes: incoming.bytes,
          sha256: incoming.sha256(),
          storage_key: key,
        })
        .execute()
      await sql`update organization set attachment_bytes = attachment_bytes + ${incoming.bytes} where id = ${organizationId}`.execute(
        this.db,
      )
      this.imported.files++
    } finally {
      await incoming.discard()
    }
  }

  async finish() {
    const { organizationId } = this.target
    const children = [...this.created.values()].filter(({ parentId }) => parentId !== null)
    await sql`
      update ticket t set parent_id = r.parent_id
      from unnest(${children.map(({ id }) => id)}::bigint[], ${children.map(({ parentId }) => parentId)}::bigint[]) as r (id, parent_id)
      where t.organization_id = ${organizationId} and t.id = r.id`.execute(this.db)
    // The operator acts for the project without a session.
    const scope = { organizationId, projectId: this.projectId } as unknown as ProjectScope
    await countTickets(
      this.db,
      scope,
      [...this.created.values()].map(after => ({ before: null, after })),
    )
    return this.imported
  }

  private async record(changes: { subject: string; id: number; field: string; after: string }[], projectId = this.projectId) {
    await this.db
      .insertInto('change')
      .values(
        changes.map(({ subject, id, field, after }) => ({
          organization_id: this.target.organizationId,
          change_set_id: this.changeSetId,
          subject,
          subject_id: id,
          project_id: projectId,
          field,
          after,
        })),
      )
      .execute()
  }
}

/** A database key from a column's name: `Fix Version/s` → `Fix_Version_s`. */
function keyOf(column: string) {
  const key = column
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, limits.databaseKey)
  return key === '' || ['__proto__', 'constructor', 'prototype'].includes(key) ? 'field' : key
}

/** Without what PostgreSQL cannot hold; line ends as a browser writes them. */
function clean(text: string) {
  return text.replaceAll('\u0000', '').replaceAll(/\r\n?/g, '\n').toWellFormed()
}

const mark = '…'
function shorten(text: string, length: number) {
  return text.length <= length
    ? text
    : text
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '') + mark
}

function shortenBytes(text: string, bytes: number) {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  return `${new TextDecoder().decode(Buffer.from(text).subarray(0, bytes - 3)).replace(/\ufffd+$/, '')}${mark}`
}
