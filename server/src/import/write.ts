import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { countTickets } from '../features/tickets/queries.ts'
import type { ProjectScope } from '../lib/authorize.ts'
import type { Storage } from '../storage/storage.ts'
import { attachText } from './attach.ts'
import type { ImportContext } from './context.ts'
import { ImportFields } from './fields.ts'
import { type ExportRow, readExport } from './jira-csv.ts'
import { bringPeople } from './people.ts'
import type { Plan, Problem } from './plan.ts'
import { assigneeRole, openProject, type Target } from './project.ts'
import { bringStates, bringTemplates, requireRoom } from './shape.ts'
import { shorten, shortenBytes } from './text.ts'
import { readTicketRow } from './ticket-row.ts'
import { parentsOf } from './tree.ts'

export interface Imported {
  projectId: number
  tickets: number
  /** Tickets of the file that an earlier import created: left unchanged. */
  present: number
  comments: number
  files: number
  people: number
  /** Problems of the plan, and those found in this project. */
  problems: Problem[]
}

const batchRows = 250
const batchCharacters = 1_500_000

/** Imports in one transaction. A dry run does the same and rolls it back, so that it finds everything a run would. */
export async function importExport(
  db: Db,
  storage: Storage,
  file: string,
  plan: Plan,
  target: Target,
  { isDry = false, progress = () => {} }: { isDry?: boolean; progress?: (rows: number) => void } = {},
): Promise<Imported> {
  let imported: Imported | undefined
  try {
    await db.transaction().execute(async transaction => {
      imported = await writeImport(transaction, isDry ? undefined : storage, file, plan, target, progress)
      if (isDry) throw new TakenBack()
    })
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
  }
  return imported as Imported
}
class TakenBack extends Error {}

/**
 * Reads the export a second time and writes it in the caller's transaction, as one change set. Files go to the storage as they come;
 * those of a transaction that fails are removed again.
 */
async function writeImport(
  db: Db,
  storage: Storage | undefined,
  file: string,
  plan: Plan,
  target: Target,
  progress: (rows: number) => void,
): Promise<Imported> {
  const kept: string[] = []
  try {
    const context = await openProject(db, target)
    const writer = new Writer(context, storage, plan, kept)
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
    await Promise.all(kept.map(key => storage?.remove(key).catch(() => undefined)))
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
  private readonly context: ImportContext
  private readonly storage: Storage | undefined
  private readonly plan: Plan
  private readonly kept: string[]
  private states: ReadonlyMap<string, number> = new Map()
  private templates: ReadonlyMap<string, number> = new Map()
  private people: ReadonlyMap<string, number> = new Map()
  private fields!: ImportFields
  private assigneeRole = 0
  /** By external id. */
  private readonly created = new Map<string, NewTicket>()
  private readonly imported: Imported

  /** Without a storage, files are only counted. */
  constructor(context: ImportContext, storage: Storage | undefined, plan: Plan, kept: string[]) {
    this.context = context
    this.storage = storage
    this.plan = plan
    this.kept = kept
    this.imported = { projectId: context.projectId, tickets: 0, present: 0, comments: 0, files: 0, people: 0, problems: [] }
  }

  async prepare() {
    const { context, plan } = this
    const { db, organizationId, projectId } = context
    this.assigneeRole = await assigneeRole(context)
    const people = await bringPeople(context, plan)
    this.people = people.ids
    this.imported.people = people.made
    this.states = await bringStates(context, plan)
    this.templates = await bringTemplates(context, plan, this.states)
    this.fields = new ImportFields(context, [...new Set(this.templates.values())])
    await this.fields.prepare(plan.columns.fields)

    const present = await sql<{ id: number; external_id: string }>`
      select id, external_id from ticket where organization_id = ${organizationId} and project_id = ${projectId}
        and external_id = any(${plan.tickets.map(({ externalId }) => externalId)}::text[])`.execute(db)
    const ids = new Map(present.rows.map(({ id, external_id }) => [external_id, id]))
    this.imported.present = present.rows.length
    // Ids in the order in which the issues were made, so that the newest come first in lists.
    const fresh = plan.tickets.filter(({ externalId }) => !ids.has(externalId)).sort((a, b) => a.order - b.order)
    const reserved = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('ticket', 'id'))::bigint as id from generate_series(1, ${fresh.length}::int)`.execute(db)
    const numbers = reserved.rows.map(({ id }) => id).sort((a, b) => a - b)
    for (const [index, { externalId }] of fresh.entries()) {
      const id = numbers[index] as number
      ids.set(externalId, id)
      this.created.set(externalId, { id, parentId: null, templateId: 0, stateId: 0 })
    }
    const parents = await parentsOf(context, plan, ids, new Set(this.created.keys()))
    for (const [externalId, parentId] of parents) (this.created.get(externalId) as NewTicket).parentId = parentId
  }

  async write(rows: ExportRow[]) {
    const batch = { tickets: [] as object[], values: [] as object[], comments: [] as object[], assignments: [] as object[] }
    const files: { ticketId: number; name: string; text: string }[] = []
    for (const { cells } of rows) {
      const row = readTicketRow(this.plan.columns, cells)
      const ticket = this.created.get(row.key)
      // Already imported, or a second row with this key.
      if (ticket?.templateId !== 0) continue
      const file = (name: string, text: string) => files.push({ ticketId: ticket.id, name: `${row.key} ${name}.txt`, text })
      const title = row.title || row.key
      if (title.length > limits.ticketTitle) file('Summary', title)
      ticket.templateId = this.templates.get(row.type) as number
      ticket.stateId = this.states.get(row.status) as number
      const at = row.created ?? new Date()
      batch.tickets.push({
        id: ticket.id,
        template_id: ticket.templateId,
        state_id: ticket.stateId,
        title: shorten(title, limits.ticketTitle),
        at,
        by: this.people.get(row.reporter) ?? null,
        key: row.key,
      })
      const assignee = this.people.get(row.assignee)
      if (assignee !== undefined) batch.assignments.push({ ticket_id: ticket.id, user_id: assignee })
      for (const { column, texts, text } of row.values) {
        if (Buffer.byteLength(text) > limits.fieldValue) file(column.name, text)
        const placed = await this.fields.place(column, texts, text)
        if (placed) batch.values.push({ ticket_id: ticket.id, field_id: placed.fieldId, value: placed.value })
      }
      for (const comment of row.comments) {
        const commented = comment.at ?? at
        if (Buffer.byteLength(comment.text) > limits.comment) file(`comment of ${commented.toISOString().slice(0, 10)}`, comment.text)
        batch.comments.push({
          ticket_id: ticket.id,
          author_id: this.people.get(comment.author) ?? null,
          at: commented,
          text: shortenBytes(comment.text, limits.comment),
        })
      }
    }
    await this.insert(batch)
    for (const file of files) await attachText(this.context, this.storage, file, this.kept)
    this.imported.files += files.length
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
    const { db, organizationId, projectId, changeSetId } = this.context
    if (tickets.length === 0) return
    await sql`
      insert into ticket (organization_id, id, project_id, template_id, state_id, title, created_at, created_by, external_id)
      select ${organizationId}::bigint, r.id, ${projectId}::bigint, r.template_id, r.state_id, r.title, r.at, r.by, r.key
      from jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) as r (id bigint, template_id bigint, state_id bigint, title text, at timestamptz, by bigint, key text)`.execute(
      db,
    )
    await sql`
      insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, after)
      select ${organizationId}::bigint, ${changeSetId}::bigint, 'ticket', r.id, ${projectId}::bigint, r.id, 'Ticket', r.title
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

  async finish() {
    await requireRoom(this.context)
    const { db, organizationId, projectId, problems } = this.context
    const created = [...this.created.values()]
    const children = created.filter(({ parentId }) => parentId !== null)
    await sql`
      update ticket t set parent_id = r.parent_id
      from unnest(${children.map(({ id }) => id)}::bigint[], ${children.map(({ parentId }) => parentId)}::bigint[]) as r (id, parent_id)
      where t.organization_id = ${organizationId} and t.id = r.id`.execute(db)
    // The operator acts for the project without a session.
    const scope = { organizationId, projectId } as unknown as ProjectScope
    await countTickets(
      db,
      scope,
      created.map(after => ({ before: null, after })),
    )
    this.fields.reportMisfits()
    return { ...this.imported, problems: [...this.plan.problems, ...problems] }
  }
}
