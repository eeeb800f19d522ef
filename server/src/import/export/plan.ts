import { limits } from '@tessera/contract/limits'
import type { Phase } from '@tessera/contract/scalars'
import type { LinkKind } from '@tessera/contract/tickets/links'
import { OperatorError } from '../../operator-error.ts'
import { findColumns, type WantedFields } from './columns.ts'
import { type ExportRow, readExport } from './jira-csv.ts'
import { loginOf } from './text.ts'
import { type Columns, type FieldColumn, readTicketRow, type TicketRow, type UnreadColumn } from './ticket-row.ts'

/** A link of the export; the other issue is named by its key. */
export interface PlannedLink {
  row: number
  column: string
  kind: LinkKind
  key: string
  other: string
}

interface PlannedParent {
  /** Another ticket in this file, by its external id. */
  parent: ParentName | undefined
  /** What is named before it and is not in this file: if an earlier import brought one of these, that is the parent. */
  outside: readonly ParentName[]
}
export type ParentName = TicketRow['parents'][number]

/** Something that cannot be imported unchanged. The import omits or shortens it, and reports it. */
export interface Problem {
  /** Empty if the problem belongs to no row. */
  rows: readonly number[]
  column: string
  text: string
}

/** A name in the export, and the rows where it stands. */
interface Named {
  name: string
  rows: readonly number[]
}

/** The result of the first pass: enough to write the tickets in a second pass without keeping the texts in memory. */
export interface Plan {
  columns: Columns
  rows: number
  projectName: string
  /** In the order of the file. */
  tickets: ({ row: number; externalId: string; order: number } & PlannedParent)[]
  types: Named[]
  statuses: (Named & { phase: Phase })[]
  /** Logins as they will be stored, by the name in the export. */
  people: Map<string, { login: string; rows: readonly number[] }>
  assignees: Set<string>
  /** How many tickets carry a label, by its name in lower case. */
  labels: Map<string, { name: string; count: number }>
  links: PlannedLink[]
  /** The names of the columns with values that the import does not read, in the order of the header. */
  leftOut: string[]
  problems: Problem[]
}

/** Issue keys are indexed, so their length is limited. */
const longestKey = 250

/** Reads the whole export once. Throws a one-line OperatorError when nothing can be imported. */
export async function planImport(file: string, wanted: WantedFields = {}): Promise<Plan> {
  const rows = readExport(file)
  const first = await rows.next()
  if (first.done) throw new OperatorError(`${file} has no rows: it is empty.`)
  const columns = findColumns(file, first.value.cells, wanted)
  const survey = new Survey(columns)
  for await (const row of rows) survey.add(row)
  return survey.finish(file)
}

/** Reports a problem of the row that is being added. */
type Report = (column: string, text: string) => void

class Survey {
  readonly columns: Columns
  private readonly problems: Problem[] = []
  private readonly issues: { row: number; key: string; parents: ParentName[]; order: number }[] = []
  private readonly keys = new Map<string, number>()
  private readonly ids = new Map<string, string>()
  private readonly types = new Map<string, number[]>()
  private readonly statuses = new Map<string, number[]>()
  private readonly names = new Map<string, number[]>()
  private readonly assignees = new Set<string>()
  private projectName = ''
  private readonly labels: Plan['labels'] = new Map()
  private readonly links: PlannedLink[] = []
  private readonly held = new Set<FieldColumn | UnreadColumn>()
  /** The rows with another value in a repeated column than in the one that is read. */
  private readonly lost = new Map<string, number[]>()

  constructor(columns: Columns) {
    this.columns = columns
  }

  add({ number, cells }: ExportRow) {
    const row = readTicketRow(this.columns, cells)
    const { key, id } = row
    const report: Report = (column, text) => this.problems.push({ rows: [number], column, text })
    const problem = this.problemOfKey(key)
    if (problem) return report('Issue key', `${problem}: the row is left out`)
    this.keys.set(key, number)
    this.projectName ||= row.project
    this.checkTicket(row, report)
    addRow(this.types, row.type, number)
    addRow(this.statuses, row.status, number)
    for (const name of [row.assignee, row.reporter]) if (name !== '') addRow(this.names, name, number)
    if (row.assignee !== '') this.assignees.add(row.assignee)
    this.addComments(row, number, report)
    this.addLabels(row, report)
    for (const { kind, name, other } of row.links) this.links.push({ row: number, column: name, kind, key, other })
    this.addValues(row, report)
    this.addUnread(cells, number)
    if (cells.some(text => text.includes('\u0000'))) report('any', 'holds NUL characters: they are left out')
    if (this.ids.has(id)) report('Issue id', `${id} is that of ${this.ids.get(id)} too: as a parent, the id means that one`)
    else if (id !== '') this.ids.set(id, key)
    this.issues.push({ row: number, key, parents: row.parents, order: Number(id) || this.issues.length })
  }

  private problemOfKey(key: string) {
    const earlier = this.keys.get(key)
    if (key === '') return 'is empty'
    if (key.length > longestKey) return `has ${key.length} characters, more than ${longestKey}`
    return earlier !== undefined && `${key} is already in row ${earlier}`
  }

  private checkTicket({ title, created, createdText, typeText, statusText }: TicketRow, report: Report) {
    if (title === '') report('Summary', 'is empty: the key becomes the title')
    if (title.length > limits.ticketTitle)
      report('Summary', `has ${title.length} characters: shortened to ${limits.ticketTitle}, whole as an attached file`)
    if (this.columns.created >= 0 && !created)
      report(
        'Created',
        createdText === '' ? "is empty: today's date is used" : `'${createdText.slice(0, 40)}' is not a date: today's date is used`,
      )
    for (const [column, text] of Object.entries({ 'Issue Type': typeText, Status: statusText }))
      if (text.length > limits.name) report(column, `has ${text.length} characters: shortened to ${limits.name}`)
  }

  private addComments({ comments }: TicketRow, number: number, report: Report) {
    for (const { author, text, hasHead } of comments) {
      if (!hasHead) report('Comment', 'does not begin with date;author; it is imported whole, without an author')
      else if (author !== '') addRow(this.names, author, number)
      checkBytes('Comment', text, limits.comment, report)
    }
  }

  private addLabels({ labels }: TicketRow, report: Report) {
    for (const label of labels) {
      const counted = this.labels.get(label.toLowerCase()) ?? { name: label, count: 0 }
      counted.count++
      this.labels.set(label.toLowerCase(), counted)
    }
    if (labels.length > limits.labelsPerTicket) report('Labels', `has ${labels.length} labels: only ${limits.labelsPerTicket} are imported`)
  }

  private addValues({ values }: TicketRow, report: Report) {
    for (const { column, texts, text } of values) {
      this.held.add(column)
      for (const option of texts) column.options?.add(option)
      if (text.length > 200 || text.includes('\n')) column.isLong = true
      checkBytes(column.name, text, limits.fieldValue, report)
    }
  }

  private addUnread(cells: string[], number: number) {
    for (const column of this.columns.unread) {
      const text = cells[column.at]?.trim() ?? ''
      if (text === '') continue
      if (column.instead === undefined) this.held.add(column)
      else if (text !== cells[column.instead]?.trim()) addRow(this.lost, column.name, number)
    }
  }

  finish(file: string): Plan {
    if (this.issues.length === 0) throw new OperatorError(`${file} has no rows below its header.`)
    const tickets = this.issues.map(issue => ({ row: issue.row, externalId: issue.key, order: issue.order, ...this.parentOf(issue) }))
    this.checkTree(file, tickets)
    for (const [column, rows] of this.lost) {
      const text = 'appears more than once in the header, and only the first column is read: other values in these rows are left out'
      this.problems.push({ rows, column, text })
    }
    const fields = this.columns.fields.filter(column => !column.isOptional || this.held.has(column))
    return {
      columns: { ...this.columns, fields },
      rows: this.issues.length,
      projectName: this.projectName,
      tickets,
      types: [...this.types].map(([name, rows]) => ({ name, rows })),
      statuses: [...this.statuses].map(([name, rows]) => ({ name, rows, phase: phaseOf(name) })),
      people: this.logins(),
      assignees: this.assignees,
      labels: this.labels,
      links: this.links,
      leftOut: [...new Set(this.columns.unread.filter(column => this.held.has(column)).map(({ name }) => name))],
      problems: this.problems,
    }
  }

  /** Each may name an issue id or a key. */
  private parentOf({ row, key, parents }: { row: number; key: string; parents: ParentName[] }): PlannedParent {
    const outside: ParentName[] = []
    for (const { column, name } of parents) {
      const found = this.ids.get(name) ?? (this.keys.has(name) ? name : undefined)
      if (found === undefined) outside.push({ column, name })
      else if (found !== key) return { parent: { column, name: found }, outside }
    }
    if (outside.length === 0 && parents[0])
      this.problems.push({ rows: [row], column: parents[0].column, text: 'names the issue itself: the ticket becomes a root' })
    return { parent: undefined, outside }
  }

  private checkTree(file: string, tickets: { externalId: string; parent: ParentName | undefined }[]) {
    const parents = new Map(tickets.map(({ externalId, parent }) => [externalId, parent?.name]))
    const depths = new Map<string, number>()
    for (const { externalId } of tickets) {
      const path: string[] = []
      let at: string | undefined = externalId
      while (at !== undefined && !depths.has(at)) {
        const seen = path.indexOf(at)
        if (seen >= 0) {
          const cycle = [...path.slice(seen), at].map(key => `${key} (row ${this.keys.get(key)})`)
          throw new OperatorError(`${file}: parents form a cycle: ${cycle.join(' → ')}. Nothing was imported.`)
        }
        path.push(at)
        at = parents.get(at)
      }
      let depth = at === undefined ? -1 : (depths.get(at) ?? 0)
      for (const key of path.reverse()) {
        depths.set(key, ++depth)
        if (depth > limits.depth)
          throw new OperatorError(
            `${file}: ${key} (row ${this.keys.get(key)}) is more than ${limits.depth} levels deep. Nothing was imported.`,
          )
      }
    }
  }

  /** Turns handles into logins that are unique ignoring case. */
  private logins() {
    const people: Plan['people'] = new Map()
    const taken = new Map<string, string>()
    for (const [name, rows] of this.names) {
      const login = loginOf(name)
      if (login !== name.normalize('NFC'))
        this.problems.push({ rows, column: 'people', text: `'${name.slice(0, 60)}' gets the login '${login}'` })
      people.set(name, { login: taken.get(login.toLowerCase()) ?? login, rows })
      if (!taken.has(login.toLowerCase())) taken.set(login.toLowerCase(), login)
    }
    return people
  }
}

function checkBytes(column: string, text: string, most: number, report: Report) {
  const bytes = Buffer.byteLength(text)
  if (bytes > most) report(column, `has ${bytes} bytes: shortened to ${most}, whole as an attached file`)
}

/** Notes that the name stands in this row, once. */
function addRow(names: Map<string, number[]>, name: string, row: number) {
  const rows = names.get(name)
  if (!rows) names.set(name, [row])
  else if (rows.at(-1) !== row) rows.push(row)
}

/** The category of a status, guessed from its name. */
function phaseOf(status: string): Phase {
  if (/\b(open|re-?opened|to ?do|new|backlog|proposed|draft|idea|triage|planned|selected)\b/i.test(status)) return 1
  if (/\b(closed?|resolved?|done|complete[d]?|cancell?ed|rejected|won'?t|duplicate|released|archived|obsolete)\b/i.test(status)) return 3
  return 2
}
