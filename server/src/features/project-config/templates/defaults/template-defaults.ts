import type { Request } from '@tessera/contract/call'
import type { setTicketTemplate } from '@tessera/contract/projects/project-config'
import { invalid, notFoundAt } from '../../../../lib/failure.ts'
import { problemOfValue, storedValue } from '../../../tickets/values/field-values.ts'

export type TemplateDefaults = NonNullable<Request<typeof setTicketTemplate>['Defaults']>

/** The things that defaults name, as far as they exist. */
export interface Known {
  fields: { id: number; key: string; typeId: number; options: { value: string; label: string }[] }[]
  labels: ReadonlySet<number>
  templates: ReadonlySet<number>
  members: ReadonlySet<number>
}

/** The defaults without empty parts; undefined when nothing is left. */
export function filled({ Title, data, Labels, Children }: TemplateDefaults): TemplateDefaults | undefined {
  const values = Object.entries(data ?? {}).filter(([, value]) => value !== '')
  const defaults = {
    ...(Title !== undefined && { Title }),
    ...(values.length > 0 && { data: Object.fromEntries(values) }),
    ...(Labels?.length && { Labels }),
    ...(Children?.length && { Children }),
  }
  return Object.keys(defaults).length > 0 ? defaults : undefined
}

/** 404 for what the project or the template does not have, 400 for a value that does not fit its field and for a child of an archived template. Values become what is stored. */
export function requireKnown(
  defaults: TemplateDefaults,
  { fields, labels, templates, archived, members }: Known & { archived: ReadonlySet<number> },
) {
  const { data = {}, Labels = [], Children = [] } = defaults
  const fieldOf = new Map(fields.map(field => [field.key, field]))
  for (const [key, given] of Object.entries(data)) {
    const field = fieldOf.get(key)
    if (!field) throw notFoundAt([`Defaults.data.${key}`])
    const value = storedValue(field.typeId, given)
    data[key] = value
    const problem = problemOfValue(field, value, id => members.has(id))
    if (problem) throw invalid(`Defaults.data.${key}`, problem)
  }
  const isTemplate = (id: number) => templates.has(id) || archived.has(id)
  if (!Labels.every(id => labels.has(id))) throw notFoundAt(['Defaults.Labels'])
  if (!Children.every(({ idTemplate }) => isTemplate(idTemplate))) throw notFoundAt(['Defaults.Children'])
  const place = Children.findIndex(({ idTemplate }) => archived.has(idTemplate))
  if (place >= 0) throw invalid(`Defaults.Children.${place}.idTemplate`, 'is archived: no tickets are created from it')
}

/** The defaults without what was deleted, archived or has become invalid since. */
export function remaining(
  { Title, data = {}, Labels = [], Children = [] }: TemplateDefaults,
  { fields, labels, templates, members }: Known,
) {
  const fieldOf = new Map(fields.map(field => [field.key, field]))
  const fits = ([key, value]: [string, string]) => {
    const field = fieldOf.get(key)
    return field !== undefined && problemOfValue(field, value, id => members.has(id)) === undefined
  }
  return filled({
    ...(Title !== undefined && { Title }),
    data: Object.fromEntries(Object.entries(data).filter(fits)),
    Labels: Labels.filter(id => labels.has(id)),
    Children: Children.filter(({ idTemplate }) => templates.has(idTemplate)),
  })
}
