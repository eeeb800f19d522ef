import { parseComment, parseDate } from './jira-csv.ts'
import { clean, nameOf, oneLine } from './text.ts'

/** Where the parts of a ticket stand in a row; -1 where the export has no such column. */
export interface Columns {
  title: number
  key: number
  id: number
  type: number
  status: number
  created: number
  assignee: number
  reporter: number
  parent: number
  epic: number
  project: number
  comments: number[]
  /** The columns that become fields, each with all the places it is repeated at. */
  fields: FieldColumn[]
}
export interface FieldColumn {
  name: string
  at: number[]
  /** Some value has several lines or is long. */
  isLong: boolean
}

/** Parses the ticket of a row. Both passes use it, so that they never differ. */
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
    parent: cell(columns.parent),
    epic: cell(columns.epic),
    project: cell(columns.project),
    comments: columns.comments.map(index => clean(cells[index] ?? '')).flatMap(text => (text.trim() === '' ? [] : [readComment(text)])),
    values: columns.fields.flatMap(column => {
      const texts = column.at.map(index => clean(cells[index] ?? '').trim()).filter(text => text !== '')
      return texts.length === 0 ? [] : [{ column, texts, text: texts.join(', ') }]
    }),
  }
}

function readComment(cell: string) {
  const comment = parseComment(cell)
  return { at: comment?.at, author: comment?.author ?? '', text: (comment?.text ?? cell).trim() || '-', hasHead: comment !== undefined }
}
