import { counted } from '../counted.ts'
import type { Plan, Problem } from './export/plan.ts'
import { oneLine, shorten } from './export/text.ts'
import type { Imported } from './import-writer.ts'

/** What a dry run prints: every problem, and what a run would do. */
export function rehearsal({ types, statuses, leftOut }: Plan, imported: Imported): string[] {
  const found = `${counts(imported)} (${counted(imported.children, 'ticket')} below another, ${counted(types.length, 'type')}, ${counted(statuses.length, 'status', 'statuses')})`
  const last = `Would import ${found}; ${counted(imported.problems.length, 'problem')}. Nothing was imported: this was a dry run.`
  return [...imported.problems.map(lineOf), ...columnsLeftOut(leftOut), last]
}

/** What a run prints: the problems, grouped if there are many, and what was done. */
export function outcome({ rows, leftOut }: Plan, imported: Imported, shortCode: string, seconds: number): string[] {
  const rate = `${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s`
  return [...grouped(imported.problems), ...columnsLeftOut(leftOut), `Imported into ${shortCode}: ${counts(imported)}: ${rate}.`]
}

function lineOf({ rows, column, text }: Problem) {
  return oneLine(`${rows.length === 0 ? '' : `${placeOf(rows)}, `}${column}: ${text}`)
}

/** `row 3`, `rows 3 and 5`, `rows 3, 4, 5 and 6 more`. */
function placeOf(rows: readonly number[]) {
  if (rows.length === 1) return `row ${rows[0]}`
  const named = rows.length <= 4 ? rows.slice(0, -1) : rows.slice(0, 3)
  const last = rows.length <= 4 ? rows.at(-1) : `${rows.length - named.length} more`
  return `rows ${named.join(', ')} and ${last}`
}

function columnsLeftOut(names: string[]) {
  if (names.length === 0) return []
  const some = names.slice(0, 20).map(name => shorten(oneLine(name), 60) || '(without a name)')
  const more = names.length > some.length ? ` and ${names.length - some.length} more` : ''
  return [`Columns left out: ${some.join(', ')}${more}. --field "Column" imports one.`]
}

/** Every problem if there are few; otherwise the first of each kind and their number. */
function grouped(problems: Problem[]): string[] {
  if (problems.length <= 20) return problems.map(lineOf)
  const kinds = Map.groupBy(problems, ({ column, text }) => `${column}: ${text.replaceAll(/[A-Z][A-Z0-9_]*-\d+|'[^']*'|\d+/g, '#')}`)
  return [...kinds.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    return [`${lineOf(first)}${others.length > 0 ? ` (and ${others.length} more like it: --dry-run lists them)` : ''}`]
  })
}

/** Nothing for a first import. */
function earlier({ present, trashed }: Imported) {
  if (present === 0) return ''
  const there = `${present} ${present === 1 ? 'was' : 'were'} already there`
  if (trashed === 0) return ` (${there})`
  return ` (${there}, ${trashed} of them in the trash: restore them, or purge them and import again)`
}

function counts(imported: Imported) {
  const { tickets, comments, converted, labels, links, files, people } = imported
  const texts = files > 0 ? `, ${counted(files, 'long text')} as attached files` : ''
  const markdown = converted > 0 ? `, ${counted(converted, 'text')} of an earlier import became Markdown` : ''
  const others = `${counted(labels, 'label')}, ${counted(links, 'link')}, ${counted(people, 'new person', 'new people')} without a sign-in`
  return `${counted(tickets, 'ticket')}${earlier(imported)}, ${counted(comments, 'comment')}${markdown}, ${others}${texts}`
}
