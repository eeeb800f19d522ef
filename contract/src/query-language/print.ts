import type { Query, Tree, Value } from './tree.ts'

/** The text of a query: `parse` makes the same query from it. */
export function print({ where, sort }: Query): string {
  const order = sort.length === 0 ? [] : [`sort:${sort.map(({ name, descending }) => `${descending ? '-' : ''}${name}`).join()}`]
  return [...(where === null ? [] : [printTree(where)]), ...order].join(' ')
}

function printTree(tree: Tree): string {
  switch (tree.kind) {
    case 'and':
      return tree.of.map(part => (part.kind === 'and' || part.kind === 'or' ? `(${printTree(part)})` : printTree(part))).join(' ')
    case 'or':
      return tree.of.map(part => (part.kind === 'or' ? `(${printTree(part)})` : printTree(part))).join(' or ')
    case 'not':
      return tree.of.kind === 'and' || tree.of.kind === 'or' ? `-(${printTree(tree.of)})` : `-${printTree(tree.of)}`
    case 'word':
      return tree.text
    case 'phrase':
      return quote(tree.text)
    case 'match':
      return `${tree.name}:${tree.values.map(printValue).join()}`
  }
}

function printValue(value: Value): string {
  if (value.kind === 'quoted') return quote(value.text)
  if (value.kind === 'compare') return `${value.operator}${value.text}`
  return value.kind === 'range' ? `${value.from}..${value.to}` : value.text
}

function quote(text: string) {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** The text as a value after `name:`, in quotation marks where it needs them. */
export function valueText(text: string): string {
  const isBare = /^(?!\/\/)[^\s()",<>]+$/.test(text) && !text.includes('..') && !/^(me|none|empty)$/i.test(text)
  return isBare ? text : quote(text)
}
