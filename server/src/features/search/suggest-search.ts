import { propertyType } from '@tessera/contract/projects/project-config'
import { foldedText } from '@tessera/contract/query-language/marks'
import {
  hasValues,
  isQueryName,
  isValues,
  phaseValues,
  type QueryName,
  queryNames,
  sortNames,
} from '@tessera/contract/query-language/names'
import { valueText } from '@tessera/contract/query-language/print'
import * as contract from '@tessera/contract/tickets/search'
import { type Db, run, statement, unpreparedStatement } from '../../db/db.ts'
import { text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { personName } from '../tickets/assignees/person-name.ts'
import type { Reach } from './query/compile-query.ts'
import { reachOf, readQuery, type Searcher } from './query/read-query.ts'

const most = 8
const isPhase = (name: string) => (phaseValues as readonly string[]).includes(name.toLowerCase())
// Without regard to case and accents. $3 is what was typed; names that begin with it come first.
const has = (text: string) => `strpos(search_fold(${text}), (select search_fold($3))) > 0`
const begins = (text: string) => `starts_with(search_fold(${text}), (select search_fold($3)))`

export const suggestSearch = implement(contract.suggestSearch, async ({ db, scope, input }) => {
  const searcher: Searcher = { ...scope, ...(input.idProject === undefined ? {} : { projectId: input.idProject }) }
  const { From, To, name, typed } = termAt(input.Query, Math.min(input.Caret, input.Query.length))
  const reach = await reachOf(db, searcher, readQuery(''), { names: name === undefined ? [] : [name] })
  const choices = await choicesOf(db, searcher, reach, name, typed)
  return choices.slice(0, most).map(({ Text, Label }) => ({ Text, Label, From, To }))
})

interface Choice {
  Text: string
  Label: string
}

/** What is being typed at the caret: a name or word, or one of the values after `name:`. */
function termAt(query: string, caret: number) {
  // Where the term and its last value begin, as far as the caret.
  let [from, comma, isQuoted] = [0, -1, false]
  for (let at = 0; at < caret; at++) {
    const letter = query[at] as string
    if (isQuoted && letter === '\\') at++
    else if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && /[\s()]/.test(letter)) from = at + 1
    else if (!isQuoted && letter === ',') comma = at
  }
  if (query[from] === '-' && from < caret) from++
  const [head = '', name] = /^([A-Za-z0-9_]+):/.exec(query.slice(from, caret)) ?? []
  const From = name === undefined ? from : Math.max(from + head.length, comma + 1)
  const rest = (isQuoted ? /^[^\s(),":]*"?/ : /^[^\s(),":]*/).exec(query.slice(caret))?.[0] ?? ''
  const typed = query.slice(From, caret).replaceAll('"', '').toLowerCase()
  return { From, To: caret + rest.length, name: name?.toLowerCase(), typed }
}

const parametersOf = ({ organizationId }: Searcher, { projects }: Reach, typed: string) => [
  organizationId,
  projects.map(({ id }) => id),
  typed,
]

/** Those of a fixed list of values that begin with what was typed. */
function fixedLike(values: readonly string[], typed: string): Choice[] {
  return values.filter(value => value.startsWith(typed)).map(value => ({ Text: value, Label: value }))
}

/** Values of the database, quoted where a query needs that. */
function found(rows: readonly { value: string; label?: string }[]): Choice[] {
  return rows.map(({ value, label }) => ({ Text: valueText(value), Label: label ?? value }))
}

const keysStatement = statement(
  { key: text, label: text },
  `
  select f.key, min(f.label) as label from field f
  where f.organization_id = $1 and f.project_id = any($2) and f.archived_at is null and (${has('f.key')} or ${has('f.label')})
  group by f.key order by bool_or(${begins('f.key')}) desc, f.key limit ${most}`,
)

async function fieldsLike(db: Db, searcher: Searcher, reach: Reach, typed: string): Promise<Choice[]> {
  const fields = await run(db, keysStatement, parametersOf(searcher, reach, typed))
  return fields.filter(({ key }) => !isQueryName(key.toLowerCase())).map(({ key, label }) => ({ Text: key, Label: label }))
}

async function namesLike(db: Db, searcher: Searcher, reach: Reach, typed: string): Promise<Choice[]> {
  const names = fixedLike([...queryNames, 'sort'], typed)
  return [...names, ...(await fieldsLike(db, searcher, reach, typed))].map(({ Text, Label }) => ({ Text: `${Text}:`, Label }))
}

async function ordersLike(db: Db, searcher: Searcher, reach: Reach, typed: string): Promise<Choice[]> {
  const name = typed.replace(/^-/, '')
  const known = fixedLike(sortNames, name)
  const signs = name === typed ? ['', '-'] : ['-']
  return [...known, ...(await fieldsLike(db, searcher, reach, name))].flatMap(({ Text, Label }) =>
    signs.map(sign => ({ Text: sign + Text, Label: sign + Label })),
  )
}

const namesOf = (from: string, name: string, condition: string) =>
  statement(
    { value: text },
    `select min(${name}) as value from ${from} where ${condition} and ${has(name)} group by lower(${name})
    order by bool_or(${begins(name)}) desc, lower(min(${name})) limit ${most}`,
  )
const inProjects = (alias: string) => `${alias}.organization_id = $1 and ${alias}.project_id = any($2)`
const valueStatements = {
  state: namesOf('state s', 's.name', inProjects('s')),
  type: namesOf('template tp', 'tp.name', inProjects('tp')),
  label: namesOf('label l', 'l.name', 'l.organization_id = $1 and (l.project_id is null or l.project_id = any($2))'),
  // Only names of members are folded, and each once: that costs more than reading them.
  person: unpreparedStatement(
    { value: text, label: text },
    `
    select value, label from (
      select u.login as value, ${personName} as label, search_fold(u.login) as folded_login, search_fold(u.full_name) as folded_name from user_account u
      where u.id in (select pm.user_id from project_member pm where pm.organization_id = $1 and pm.project_id = any($2)) offset 0
    ) member cross join (select search_fold($3) as typed offset 0) sought
    where strpos(folded_login, typed) > 0 or strpos(folded_name, typed) > 0
    order by (starts_with(folded_login, typed) or starts_with(folded_name, typed)) desc, lower(value) limit ${most}`,
  ),
  option: statement(
    { value: text, label: text },
    `
    select o->>'value' as value, o->>'label' as label from field f cross join lateral jsonb_array_elements(f.options) o
    where f.organization_id = $1 and f.project_id = any($2) and lower(f.key) = $4 and (${has("o->>'value'")} or ${has("o->>'label'")})
    group by 1, 2 order by bool_or(${begins("o->>'label'")}) desc, 2 limit ${most}`,
  ),
}

/** `name` is undefined while the name itself, or a word, is typed. */
function choicesOf(db: Db, searcher: Searcher, reach: Reach, name: string | undefined, typed: string): Promise<Choice[]> {
  if (name === undefined) return namesLike(db, searcher, reach, typed)
  if (isQueryName(name) || name === 'sort') return valuesLike(db, searcher, reach, name, typed)
  return fieldValuesLike(db, searcher, reach, name, typed)
}

async function fieldValuesLike(db: Db, searcher: Searcher, reach: Reach, key: string, typed: string): Promise<Choice[]> {
  const types = new Set(reach.fields.get(key)?.map(({ typeId }) => typeId))
  if (types.size === 0) return []
  const parameters = parametersOf(searcher, reach, typed)
  return [
    ...(types.has(propertyType.CHECKBOX) ? fixedLike(['yes', 'no'], typed) : []),
    ...(types.has(propertyType.USER) ? [...fixedLike(['me'], typed), ...found(await run(db, valueStatements.person, parameters))] : []),
    ...found(await run(db, valueStatements.option, [...parameters, key])),
    ...fixedLike(['empty'], typed),
  ]
}

async function valuesLike(db: Db, searcher: Searcher, reach: Reach, name: QueryName | 'sort', typed: string): Promise<Choice[]> {
  const { projects } = reach
  const fixed = (values: readonly string[]) => fixedLike(values, typed)
  const parameters = parametersOf(searcher, reach, typed)
  switch (name) {
    case 'is':
      return fixed(isValues)
    case 'has':
      return fixed(hasValues)
    case 'phase':
      return fixed(phaseValues)
    case 'sort':
      return ordersLike(db, searcher, reach, typed)
    case 'type':
      return found(await run(db, valueStatements.type, parameters))
    case 'state': {
      // An unquoted phase finds the tickets in all its states; a state of the same name is quoted.
      const states = found(await run(db, valueStatements.state, parameters)).map(({ Text, Label }) => ({
        Text: isPhase(Label) ? `"${Label}"` : Text,
        Label,
      }))
      const taken = states.map(({ Label }) => Label.toLowerCase())
      return [...states, ...(typed === '' ? [] : fixed(phaseValues.filter(phase => !taken.includes(phase))))]
    }
    case 'label':
      return [...found(await run(db, valueStatements.label, parameters)), ...fixed(['none'])]
    case 'assignee':
    case 'creator':
    case 'watcher':
      return [...fixed(['me', 'none']), ...found(await run(db, valueStatements.person, parameters))]
    case 'project':
      return projects
        .filter(({ code, title }) => [code, title].some(each => foldedText(each).includes(foldedText(typed))))
        .map(({ code, title }) => ({ Text: valueText(code), Label: title }))
    case 'created':
    case 'updated':
    case 'due':
      return fixed(['<7d', '<4w', '>3m', 'today', 'yesterday', ...(name === 'due' ? ['none'] : [])])
    case 'parent':
    case 'text':
    case 'comment':
      return fixed(['none'])
    case 'id':
    case 'title':
      return []
  }
}
