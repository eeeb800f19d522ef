import { limits } from '@tessera/contract/limits'
import { isBlank } from '@tessera/contract/names'
import type { LinkKind } from '@tessera/contract/tickets/links'
import { beginning } from '../../lib/excerpt.ts'
import { parseComment, parseDate } from './jira-cells.ts'
import { jiraToMarkdown } from './jira-markup.ts'
import { clean, nameOf, oneLine } from './text.ts'

/** The column index of each part of a ticket; -1 if the export has no such column. */
export interface Columns {
  title: number
  key: number
  id: number
  type: number
  status: number
  created: number
  assignee: number
  reporter: number
  project: number
  comments: number[]
  labels: number[]
  parents: { at: number; name: string }[]
  links: LinkColumn[]
  /** The columns that become fields, each with the indexes of all its repetitions. */
  fields: FieldColumn[]
  unread: UnreadColumn[]
}
export interface FieldColumn {
  name: string
  at: number[]
  /** A value has several lines or is long. */
  isLong: boolean
  /** The preferred type of a new field, if the values allow it. */
  wish?: 'SELECT' | 'MULTISELECT' | 'DATE'
  /** The values of a column whose preferred type has options. */
  options?: Set<string>
  /** In Jira's wiki markup. */
  isMarkup?: true
  /** No field when no issue has a value. */
  isOptional?: boolean
}
/** A column that the import leaves out. */
export interface UnreadColumn {
  at: number
  name: string
  /** The column with the same name that is read instead. */
  instead?: number
}
/** A column such as `Outward issue link (Blocks)`. */
export interface LinkColumn {
  at: number
  name: string
  kind: LinkKind
}

export type TicketRow = ReturnType<typeof readTicketRow>

/** Parses the ticket of a row. Both passes use it, so they cannot differ. */
export function readTicketRow(columns: Columns, cells: string[]) {
  const cell = (index: number) => (index < 0 ? '' : oneLine(cells[index] ?? ''))
  const created = cell(columns.created)
  return {
    key: cell(columns.key),
    id: cell(columns.id),
    title: cell(columns.title),
    typeText: cell(columns.type),
    statusText: cell(columns.status),
    type: nameOf(cell(columns.type), 'Ticket'),
    status: nameOf(cell(columns.status), 'Open'),
    createdText: created,
    created: parseDate(created),
    assignee: cell(columns.assignee),
    reporter: cell(columns.reporter),
    parents: columns.parents.flatMap(({ at, name: column }) => (cell(at) === '' ? [] : [{ column, name: cell(at) }])),
    project: cell(columns.project),
    comments: columns.comments.map(index => clean(cells[index] ?? '')).flatMap(text => (isBlank(text) ? [] : [readComment(text)])),
    labels: [...new Map(columns.labels.flatMap(at => labelsOf(cells[at] ?? '')).map(label => [label.toLowerCase(), label])).values()],
    links: columns.links.flatMap(column => (cell(column.at) === '' ? [] : [{ ...column, other: cell(column.at) }])),
    values: columns.fields.flatMap(column => {
      const texts = column.at.map(index => clean(cells[index] ?? '').trim()).filter(text => text !== '')
      const original = texts.join(', ')
      return texts.length === 0 ? [] : [{ column, texts, original, text: column.isMarkup ? jiraToMarkdown(original) : original }]
    }),
  }
}

function readComment(cell: string) {
  const comment = parseComment(cell)
  const original = (comment?.text ?? cell).trim() || '-'
  return {
    at: comment?.at,
    author: comment?.author ?? '',
    original,
    text: jiraToMarkdown(original).trim() || '-',
    hasHead: comment !== undefined,
  }
}

/** Jira's labels have no blanks; older exports put several into one cell. */
function labelsOf(cell: string) {
  return oneLine(cell)
    .split(/\s+/)
    .filter(label => label !== '')
    .map(label => beginning(label, limits.name))
}
