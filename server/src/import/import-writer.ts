import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { queryRows } from '../db/db.ts'
import { bool, int8, text } from '../db/shape.ts'
import { countTickets } from '../features/tickets/counting/count-tickets.ts'
import type { ProjectScope } from '../lib/authorize.ts'
import type { Storage } from '../storage/storage.ts'
import type { ExportRow } from './export/jira-csv.ts'
import type { Plan, Problem } from './export/plan.ts'
import { shorten, shortenBytes } from './export/text.ts'
import { type FieldColumn, readTicketRow, type TicketRow } from './export/ticket-row.ts'
import { attachText } from './steps/attach.ts'
import type { ImportContext } from './steps/context.ts'
import { type ConvertedValue, convertedComments, convertLeftTexts } from './steps/convert.ts'
import { ImportFields } from './steps/fields.ts'
import { type Batch, emptyBatch, insertBatch, repairHistoryStarts } from './steps/insert.ts'
import { importLabels, labelTickets, type TicketLabels } from './steps/labels.ts'
import { importLinks } from './steps/links.ts'
import { importPeople } from './steps/people.ts'
import { assigneeRole } from './steps/project.ts'
import { importStates, importTemplates, requireWithinLimits } from './steps/shape.ts'
import { parentsOf } from './steps/tree.ts'

export interface Imported {
  projectId: number
  tickets: number
  /** Those of them that are below another. */
  children: number
  /** Tickets of the file that an earlier import created: missing parts are added. */
  present: number
  /** Those of them that are in the trash: they stay there. */
  trashed: number
  comments: number
  /** Texts that an earlier import left in Jira's markup, now converted. */
  converted: number
  /** Labels on tickets. */
  labels: number
  links: number
  files: number
  people: number
  /** Problems of the plan, and those found in this project. */
  problems: Problem[]
}

interface NewTicket {
  id: number
  parentId: number | null
  templateId: number
  stateId: number
}

/** Attaches a text that does not fit where it belongs; only to a new ticket. */
type AddFile = (name: string, text: string) => unknown

/** A row of the export, and its ticket. */
interface ReadRow {
  id: number
  isNew: boolean
  /** The row's number in a spreadsheet. */
  number: number
  row: TicketRow
  file: AddFile
}

/** What is written after a batch. */
interface BesidesBatch {
  labelled: TicketLabels[]
  /** Texts that an earlier import left in Jira's markup. */
  leftValues: ConvertedValue[]
  leftComments: ReturnType<typeof convertedComments>
  files: { ticketId: number; name: string; text: string }[]
}

/** Writes the rows of an export into a project: `prepare` once, `write` for each batch, `finish` once. */
export class ImportWriter {
  private readonly context: ImportContext
  private readonly storage: Storage | undefined
  private readonly plan: Plan
  private readonly kept: string[]
  private states: ReadonlyMap<string, number> = new Map()
  private templates: ReadonlyMap<string, number> = new Map()
  private people: ReadonlyMap<string, number> = new Map()
  private fields!: ImportFields
  private assigneeRole = 0
  private labels: ReadonlyMap<string, number> = new Map()
  /** The field for labels beyond the limit. */
  private leftLabels: FieldColumn | undefined
  private readonly written = new Set<number>()
  /** Tickets that an earlier import created, by external id. */
  private present: ReadonlyMap<string, number> = new Map()
  /** By external id. */
  private readonly created = new Map<string, NewTicket>()
  private readonly imported: Imported
  private attachedBytes = 0

  /** Without a storage, files are only counted. */
  constructor(context: ImportContext, storage: Storage | undefined, plan: Plan, kept: string[]) {
    this.context = context
    this.storage = storage
    this.plan = plan
    this.kept = kept
    this.imported = {
      projectId: context.projectId,
      tickets: 0,
      children: 0,
      present: 0,
      trashed: 0,
      comments: 0,
      converted: 0,
      labels: 0,
      links: 0,
      files: 0,
      people: 0,
      problems: [],
    }
  }

  async prepare() {
    const { context, plan } = this
    const { db, organizationId, projectId } = context
    this.assigneeRole = await assigneeRole(context)
    const people = await importPeople(context, plan)
    this.people = people.ids
    this.imported.people = people.made
    this.states = await importStates(context, plan)
    this.templates = await importTemplates(context, plan, this.states)
    this.labels = await importLabels(context, plan.labels)
    this.fields = new ImportFields(context, [...new Set(this.templates.values())])
    await this.fields.prepare(this.columns())

    const present = await queryRows(db, { id: int8, external_id: text, trashed: bool })`
      select id, external_id, trashed_at is not null as trashed from ticket where organization_id = ${organizationId} and project_id = ${projectId}
        and external_id = any(${plan.tickets.map(({ externalId }) => externalId)}::text[])`
    const ids = new Map(present.map(({ id, external_id }) => [external_id, id]))
    this.imported.present = present.length
    this.imported.trashed = present.filter(({ trashed }) => trashed).length
    this.present = new Map(ids)
    // Ids in the order in which the issues were created, so that the newest come first in lists.
    const fresh = plan.tickets.filter(({ externalId }) => !ids.has(externalId)).sort((a, b) => a.order - b.order)
    const reserved = await queryRows(db, { id: int8 })`
      select nextval(pg_get_serial_sequence('ticket', 'id'))::bigint as id from generate_series(1, ${fresh.length}::int)`
    const numbers = reserved.map(({ id }) => id).sort((a, b) => a - b)
    for (const [index, { externalId }] of fresh.entries()) {
      const id = numbers[index] as number
      ids.set(externalId, id)
      this.created.set(externalId, { id, parentId: null, templateId: 0, stateId: 0 })
    }
    const parents = await parentsOf(context, plan, ids, new Set(this.created.keys()))
    for (const [externalId, parentId] of parents) (this.created.get(externalId) as NewTicket).parentId = parentId
  }

  /** The columns that become fields; labels beyond the limit become one too. */
  private columns(): FieldColumn[] {
    const { columns, labels } = this.plan
    if ([...labels.keys()].every(label => this.labels.has(label)) || columns.fields.some(({ name }) => name === 'Labels'))
      return columns.fields
    this.leftLabels = { name: 'Labels', at: [], isLong: true }
    return [...columns.fields, this.leftLabels]
  }

  async write(rows: ExportRow[]) {
    const batch = emptyBatch()
    const more: BesidesBatch = { labelled: [], leftValues: [], leftComments: [], files: [] }
    for (const { number, cells } of rows) {
      const row = readTicketRow(this.plan.columns, cells)
      const ticket = this.created.get(row.key)
      const id = ticket?.id ?? this.present.get(row.key)
      // A second row with this key.
      if (id === undefined || this.written.has(id)) continue
      this.written.add(id)
      const file: AddFile = (name, text) => ticket && more.files.push({ ticketId: id, name: `${row.key} ${name}.txt`, text })
      if (ticket) this.addTicket(batch, ticket, row, file)
      else more.leftComments.push(...convertedComments(id, row.comments))
      await this.addValues(batch, more, { id, isNew: ticket !== undefined, number, row, file })
      more.labelled.push({ ticketId: id, labelIds: row.labels.flatMap(label => this.labels.get(label.toLowerCase()) ?? []) })
    }
    const { labelled, leftValues, leftComments, files } = more
    await insertBatch(this.context, batch, this.assigneeRole)
    this.imported.converted += await convertLeftTexts(this.context, leftValues, leftComments)
    this.imported.labels += await labelTickets(this.context, labelled, new Set(this.present.values()))
    for (const file of files) this.attachedBytes += await attachText(this.context, this.storage, file, this.kept)
    this.imported.files += files.length
    this.imported.tickets += batch.tickets.length
    this.imported.comments += batch.comments.length
  }

  private async addValues(batch: Batch, more: BesidesBatch, { id, isNew, number, row, file }: ReadRow) {
    for (const { column, texts, text, original } of this.valuesOf(row)) {
      if (Buffer.byteLength(text) > limits.fieldValue) file(column.name, text)
      const placed = await this.fields.place(number, column, texts, text)
      if (!placed) continue
      const { fieldId, value } = placed
      batch.values.push({ ticket_id: id, field_id: fieldId, value })
      if (original === text) continue
      if (isNew) batch.originals.push({ ticket_id: id, comment_id: 0, field_id: fieldId, text: original })
      else more.leftValues.push({ ticket_id: id, field_id: fieldId, original: shortenBytes(original, limits.fieldValue), text: value })
    }
  }

  private valuesOf(row: TicketRow) {
    const left = this.leftLabels && row.labels.filter(label => !this.labels.has(label.toLowerCase()))
    const text = left?.join(', ') ?? ''
    return this.leftLabels && text !== ''
      ? [...row.values, { column: this.leftLabels, texts: left ?? [], text, original: text }]
      : row.values
  }

  /** What a ticket gets once, when it is created. */
  private addTicket(batch: Batch, ticket: NewTicket, row: TicketRow, file: AddFile) {
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
    for (const comment of row.comments) {
      const commented = comment.at ?? at
      if (Buffer.byteLength(comment.text) > limits.comment) file(`comment of ${commented.toISOString().slice(0, 10)}`, comment.text)
      const text = shortenBytes(comment.text, limits.comment)
      const original = comment.original === comment.text ? text : comment.original
      batch.comments.push({ ticket_id: ticket.id, author_id: this.people.get(comment.author) ?? null, at: commented, text, original })
    }
  }

  async finish() {
    await requireWithinLimits(this.context)
    const { db, organizationId, projectId, problems } = this.context
    const created = [...this.created.values()]
    const children = created.filter(({ parentId }) => parentId !== null)
    this.imported.children = children.length
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
    if (created.length > 0) {
      const summary = {
        organization_id: organizationId,
        id: this.context.changeSetId,
        project_id: projectId,
        user_id: this.context.importerId,
        what: 'import',
        tickets: created.length,
      }
      await db.insertInto('change_set_summary').values(summary).execute()
    }
    await repairHistoryStarts(this.context, [...this.present.values()])
    this.imported.links = await importLinks(this.context, this.plan.links, new Set(created.map(({ id }) => id)))
    this.fields.reportMisfits()
    // Last: every upload of the organization waits for this row until the import is committed.
    if (this.attachedBytes > 0)
      await sql`update organization set attachment_bytes = attachment_bytes + ${this.attachedBytes} where id = ${organizationId}`.execute(
        db,
      )
    return { ...this.imported, problems: [...this.plan.problems, ...problems] }
  }
}
