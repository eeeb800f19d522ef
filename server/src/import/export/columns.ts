import type { LinkKind } from '@tessera/contract/tickets/links'
import { OperatorError } from '../../operator-error.ts'
import type { Columns, FieldColumn, LinkColumn, UnreadColumn } from './ticket-row.ts'

const required = ['Summary', 'Issue key', 'Issue Type', 'Status']
/** Columns that become fields if any issue has a value there, as Jira Data Center and Jira Cloud name them. */
const usual: Record<string, Pick<FieldColumn, 'wish' | 'isMarkup'>> = {
  Priority: { wish: 'SELECT' },
  'Component/s': { wish: 'MULTISELECT' },
  Components: { wish: 'MULTISELECT' },
  'Fix Version/s': { wish: 'MULTISELECT' },
  'Fix versions': { wish: 'MULTISELECT' },
  Resolution: { wish: 'SELECT' },
  'Due Date': { wish: 'DATE' },
  'Due date': { wish: 'DATE' },
  Environment: { isMarkup: true },
}

export interface WantedFields {
  /** In addition to the usual ones. */
  also?: readonly string[]
  /** Instead of the usual ones. */
  only?: readonly string[]
}

export function findColumns(file: string, header: string[], { also = [], only }: WantedFields): Columns {
  const names = header.map(name => name.trim())
  const missing = required.filter(name => !names.includes(name))
  if (missing.length > 0) {
    throw new OperatorError(
      `${file} lacks the ${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')}: export "CSV (all fields)" from Jira.`,
    )
  }
  const one = (...candidates: string[]) => candidates.map(name => names.indexOf(name)).find(index => index >= 0) ?? -1
  const all = (name: string) => names.flatMap((candidate, index) => (candidate === name ? [index] : []))
  for (const [option, given] of [
    ['--field', also],
    ['--only-field', only ?? []],
  ] as const) {
    const unknown = given.find(name => name === '' || !names.includes(name))
    if (unknown !== undefined) throw new OperatorError(`${option}: ${file} has no column "${unknown}".`)
  }
  const wanted = ['Description', ...(only ?? Object.keys(usual)), ...also].filter(name => names.includes(name))
  const columns = {
    title: one('Summary'),
    key: one('Issue key'),
    id: one('Issue id'),
    type: one('Issue Type'),
    status: one('Status'),
    created: one('Created'),
    assignee: one('Assignee'),
    reporter: one('Reporter', 'Creator'),
    // In the order in which they count.
    parents: [
      ...['Parent id', 'Parent', 'Parent key'].map(name => ({ name, at: one(name) })),
      { name: 'Epic Link', at: one('Custom field (Epic Link)', 'Epic Link') },
    ].filter(({ at }) => at >= 0),
    project: one('Project name'),
    comments: [...all('Comment'), ...all('Comments')],
    labels: all('Labels'),
    links: names.flatMap((name, at): LinkColumn[] => {
      const kind = linkKind(name)
      return kind ? [{ at, name, kind }] : []
    }),
    fields: [...new Set(wanted)].map(name => ({
      name,
      at: all(name),
      isLong: name === 'Description',
      isOptional: name in usual && !also.includes(name) && !only,
      ...(name === 'Description' ? { isMarkup: true as const } : usual[name]),
      ...(usual[name]?.wish?.endsWith('SELECT') && { options: new Set<string>() }),
    })),
  }
  return { ...columns, unread: unreadOf(names, columns) }
}

function unreadOf(names: string[], { comments, labels, parents, links, fields, ...single }: Omit<Columns, 'unread'>): UnreadColumn[] {
  const read = new Set([...Object.values(single), ...comments, ...labels, ...[...parents, ...links, ...fields].flatMap(({ at }) => at)])
  return names.flatMap((name, at) => {
    if (read.has(at)) return []
    const first = names.indexOf(name)
    return [{ at, name, ...(read.has(first) && { instead: first }) }]
  })
}

/** `Outward issue link (Blocks)`: what the issue of the row does to the one in the cell. Kinds that the product does not have are `relates`. */
function linkKind(column: string): LinkKind | undefined {
  const [, direction = '', name = ''] = /^(Outward|Inward) issue link \((.*)\)$/.exec(column) ?? []
  const isOutward = direction === 'Outward'
  if (direction === '' || /^not related$/i.test(name)) return undefined
  if (/^block/i.test(name)) return isOutward ? 'blocks' : 'blocked-by'
  if (/^duplicate/i.test(name)) return isOutward ? 'duplicates' : 'duplicated-by'
  return 'relates'
}
