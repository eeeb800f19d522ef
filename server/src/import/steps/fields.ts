import { limits } from '@tessera/contract/limits'
import { propertyType, rendererOf } from '@tessera/contract/projects/project-config'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { bool, int2, int8, jsonb, type RowOf, text } from '../../db/shape.ts'
import { problemOfValue } from '../../features/tickets/values/field-values.ts'
import { beginning } from '../../lib/excerpt.ts'
import { parseDate } from '../export/jira-cells.ts'
import { keyOf, nameOf, oneLine, shortenBytes } from '../export/text.ts'
import type { FieldColumn } from '../export/ticket-row.ts'
import { type ImportContext, record } from './context.ts'

const fieldShape = {
  id: int8,
  key: text,
  label: text,
  typeId: int2,
  options: jsonb<{ value: string; label: string }[]>(),
  archived: bool,
}
type Field = RowOf<typeof fieldShape>

/**
 * The fields that the columns of the export go to: one of the project with this label or, else, with this key; a new text field otherwise.
 * A value that does not fit the type of its field goes into a text field beside it.
 */
export class ImportFields {
  private readonly context: ImportContext
  private readonly templateIds: number[]
  private known: Field[] = []
  private readonly claimed = new Set<number>()
  private readonly fieldOf = new Map<FieldColumn, Field>()
  private readonly textFieldOf = new Map<FieldColumn, Field>()
  private readonly renamed: Field[] = []
  private readonly misfits = new Map<FieldColumn, number[]>()
  /** Of the project, by login in lower case. */
  private members: ReadonlyMap<string, number> = new Map()

  constructor(context: ImportContext, templateIds: number[]) {
    this.context = context
    this.templateIds = templateIds
  }

  async prepare(columns: FieldColumn[]) {
    const { db, organizationId, projectId } = this.context
    this.known = await queryRows(db, fieldShape)`
        select id, key, label, type_id as "typeId", options, archived_at is not null as archived from field
        where organization_id = ${organizationId} and project_id = ${projectId} order by position, id`
    const people = await queryRows(db, { id: int8, login: text })`
      select u.id, u.login from project_member m join user_account u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.project_id = ${projectId}`
    this.members = new Map(people.map(({ id, login }) => [login.toLowerCase(), id]))
    // Matches labels first, so that a second import finds fields that the first one created under another key.
    for (const column of columns) this.claim(column, ({ label }) => label === labelOf(column))
    const keyOfColumn = (column: FieldColumn) => keyOf(keyText(column, labelOf(column)), new Set()).toLowerCase()
    for (const column of columns) if (!this.fieldOf.has(column)) this.claim(column, ({ key }) => key.toLowerCase() === keyOfColumn(column))
    for (const column of columns) if (!this.fieldOf.has(column)) this.fieldOf.set(column, await this.make(column, labelOf(column)))
    await this.putOnTemplates([...this.fieldOf.values()])
    await this.rename()
    for (const [column, field] of this.fieldOf) await this.addOptions(column, field)
  }

  /** Earlier imports named the field like its column; but on the screen the ticket's title is already called Description. */
  private async rename() {
    const { db, organizationId } = this.context
    for (const field of this.renamed) {
      await sql`update field set label = ${detailsLabel} where organization_id = ${organizationId} and id = ${field.id}`.execute(db)
      field.label = detailsLabel
      await record(this.context, [{ subject: 'field', id: field.id, field: 'Label', after: detailsLabel }])
    }
  }

  /** Adds options for values that an earlier export did not have. */
  private async addOptions(column: FieldColumn, field: Field) {
    const { db, organizationId } = this.context
    if (!column.wish?.endsWith('SELECT') || !rendererOf(field.typeId)?.endsWith('SELECT')) return
    const known = new Set(field.options.flatMap(({ value, label }) => [value, label.toLowerCase()]))
    const fresh = optionsOf(column).filter(({ value }) => !known.has(value) && !known.has(value.toLowerCase()))
    if (fresh.length === 0 || field.options.length + fresh.length > limits.optionsPerField) return
    field.options = [...field.options, ...fresh]
    await sql`update field set options = ${JSON.stringify(field.options)}::jsonb where organization_id = ${organizationId} and id = ${field.id}`.execute(
      db,
    )
    await record(this.context, [{ subject: 'field', id: field.id, field: 'Options', after: JSON.stringify(field.options) }])
    this.report(column, `${fresh.length} new options were added to the field '${field.label}'`)
  }

  private claim(column: FieldColumn, fits: (field: Field) => boolean) {
    const field = this.known.find(field => !field.archived && !this.claimed.has(field.id) && fits(field))
    if (!field) return
    this.claimed.add(field.id)
    this.fieldOf.set(column, field)
    if (field.label === 'Description') this.renamed.push(field)
    else if (field.label !== labelOf(column)) this.report(column, `goes into the field '${field.label}', whose key is ${field.key}`)
  }

  private async make(column: FieldColumn, label: string): Promise<Field> {
    const { db, organizationId, projectId } = this.context
    const name = keyText(column, label)
    const key = keyOf(name, new Set(this.known.map(field => field.key.toLowerCase())))
    if (key !== keyOf(name, new Set())) this.report(column, `would have the database key of another field: '${label}' gets the key ${key}`)
    const { typeId, options } = shapeOf(column, label === labelOf(column))
    const rows = await queryRows(db, { id: int8 })`
      insert into field (organization_id, project_id, key, label, type_id, options, position)
      select ${organizationId}::bigint, ${projectId}::bigint, ${key}, ${label}, ${typeId}::smallint, ${JSON.stringify(options)}::jsonb, coalesce(max(f.position) + 1, 0)
      from field f where f.organization_id = ${organizationId} and f.project_id = ${projectId} returning id`
    const field = { id: rows[0]?.id as number, key, label, typeId, options, archived: false }
    this.known.push(field)
    this.claimed.add(field.id)
    await record(this.context, [{ subject: 'field', id: field.id, field: 'Field', after: label }])
    return field
  }

  private async putOnTemplates(fields: Field[]) {
    const { db, organizationId, projectId } = this.context
    await sql`
      insert into template_field (organization_id, project_id, template_id, field_id, position)
      select ${organizationId}::bigint, ${projectId}::bigint, t.id, f.id, 1000 + f.position
      from unnest(${this.templateIds}::bigint[]) as t (id), unnest(${fields.map(({ id }) => id)}::bigint[]) with ordinality as f (id, position)
      on conflict (organization_id, template_id, field_id) do nothing`.execute(db)
  }

  /** The target field of a value and its stored form; undefined when the cell means no value. */
  async place(row: number, column: FieldColumn, texts: string[], text: string): Promise<{ fieldId: number; value: string } | undefined> {
    const field = this.fieldOf.get(column) as Field
    const value = valueFor(field, texts, text, this.members)
    if (value === '') return undefined
    if (value !== undefined) return { fieldId: field.id, value }
    const misfits = this.misfits.get(column) ?? []
    misfits.push(row)
    this.misfits.set(column, misfits)
    return { fieldId: (await this.textFieldBeside(column, field)).id, value: shortenBytes(text, limits.fieldValue) }
  }

  private async textFieldBeside(column: FieldColumn, { label }: Field) {
    const made = this.textFieldOf.get(column)
    if (made) return made
    const suffix = ' (text)'
    const textLabel = beginning(label, limits.name - suffix.length) + suffix
    const existing = this.known.find(field => !field.archived && !this.claimed.has(field.id) && field.label === textLabel && isText(field))
    const field = existing ?? (await this.make(column, textLabel))
    this.claimed.add(field.id)
    this.textFieldOf.set(column, field)
    await this.putOnTemplates([field])
    return field
  }

  /** Reports which values went to another field. */
  reportMisfits() {
    for (const [column, rows] of this.misfits) {
      const [field, textField] = [this.fieldOf.get(column), this.textFieldOf.get(column)]
      const values = rows.length === 1 ? '1 value does' : `${rows.length} values do`
      const text = `${values} not fit the field '${field?.label}' (${field && rendererOf(field.typeId)}): kept in the field '${textField?.label}'`
      this.report(column, text, rows)
    }
  }

  private report(column: FieldColumn, text: string, rows: readonly number[] = []) {
    this.context.problems.push({ rows, column: column.name, text })
  }
}

const detailsLabel = 'Details'
/** The title of a ticket is called Description on the screen. */
function labelOf(column: FieldColumn) {
  return column.name === 'Description' ? detailsLabel : nameOf(oneLine(column.name), 'Field')
}
function keyText(column: FieldColumn, label: string) {
  return column.name === 'Description' && label === detailsLabel ? 'description' : label
}

/** Priorities from the highest to the lowest, as Jira has them; other options by name. */
const ranks = ['blocker', 'critical', 'highest', 'major', 'high', 'medium', 'normal', 'minor', 'low', 'lowest', 'trivial', 'none']
function optionsOf({ options = new Set() }: FieldColumn) {
  const rank = (text: string) => (ranks.indexOf(text.toLowerCase()) + ranks.length + 1) % (ranks.length + 1)
  return [...new Map([...options].map(oneLine).map(text => [text.toLowerCase(), text])).values()]
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }))
    .map(text => ({ value: text, label: text }))
}

/** The type of a new field for the column: the preferred one, if all values can be options. */
function shapeOf(column: FieldColumn, isOwn: boolean) {
  const plain = { typeId: propertyType[column.isLong || column.isMarkup ? 'TEXTMULTILINE' : 'TEXT'], options: [] as Field['options'] }
  if (!isOwn || !column.wish) return plain
  const options = optionsOf(column)
  const fits = options.length <= limits.optionsPerField && options.every(({ value }) => value !== '' && value.length <= limits.name)
  return fits ? { typeId: propertyType[column.wish], options } : plain
}

function isText(field: Field) {
  return field.typeId === propertyType.TEXTMULTILINE || field.typeId === propertyType.TEXT
}

/** The text as the field keeps it; '' for no value, undefined when it does not fit. */
function valueFor(
  field: Pick<Field, 'typeId' | 'options'>,
  texts: string[],
  text: string,
  members: ReadonlyMap<string, number>,
): string | undefined {
  if (rendererOf(field.typeId) === 'USER') return members.get(text.toLowerCase())?.toString()
  const value = shortenBytes(readAs(field, texts, text) ?? text, limits.fieldValue)
  return problemOfValue(field, value, () => false) === undefined ? value : undefined
}

/** Interprets the labels and dates of another tracker. */
function readAs(field: Pick<Field, 'typeId' | 'options'>, texts: string[], text: string) {
  const { options } = field
  const optionOf = (name: string) =>
    options.find(({ value }) => value === name) ?? options.find(({ label }) => label.toLowerCase() === name.toLowerCase())
  switch (rendererOf(field.typeId)) {
    case 'SELECT':
      return optionOf(text)?.value
    case 'MULTISELECT': {
      const chosen = (texts.length > 1 || optionOf(text) ? texts : text.split(/[,;]/)).map(name => optionOf(name.trim())?.value)
      return chosen.includes(undefined) ? undefined : JSON.stringify([...new Set(chosen)])
    }
    case 'DATE': {
      const iso = parseDate(text)?.toISOString()
      // A time of day would be lost.
      return iso?.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : undefined
    }
    case 'CHECKBOX':
      if (/^(true|yes|1)$/i.test(text)) return '1'
      return /^(false|no|0)$/i.test(text) ? '' : undefined
    default:
      return undefined
  }
}
