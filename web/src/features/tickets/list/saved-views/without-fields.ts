import { keysOfGroup } from '@tessera/contract/projects/views'
import { parse } from '@tessera/contract/query-language/parse'
import { print } from '@tessera/contract/query-language/print'
import type { Tree } from '@tessera/contract/query-language/tree'
import type { TicketView } from '../view/ticket-view.ts'
import { withoutColumns } from '../view/view-changes.ts'

/** The view without what names one of these fields, which were deleted. */
export function withoutFields(view: TicketView, gone: readonly string[]): TicketView {
  const isGone = (name: string) => gone.some(each => each.toLowerCase() === name.toLowerCase())
  const { where, sort } = parse(view.query)
  return {
    ...withoutColumns(view, isGone),
    query: print({ where: where && withoutMatches(where, isGone), sort: sort.filter(({ name }) => !isGone(name)) }),
    group: keysOfGroup(view.group).some(isGone) ? '' : view.group,
  }
}

function withoutMatches(tree: Tree, isGone: (name: string) => boolean): Tree | null {
  if (tree.kind === 'match') return isGone(tree.name) ? null : tree
  if (tree.kind === 'not') {
    const of = withoutMatches(tree.of, isGone)
    return of && { kind: 'not', of }
  }
  if (tree.kind !== 'and' && tree.kind !== 'or') return tree
  const of = tree.of.flatMap(part => withoutMatches(part, isGone) ?? [])
  return of.length > 1 ? { kind: tree.kind, of } : (of[0] ?? null)
}
