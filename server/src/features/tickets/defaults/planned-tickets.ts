import { limits } from '@tessera/contract/limits'
import { counted } from '../../../counted.ts'
import { Failure } from '../../../lib/failure.ts'
import type { TemplateDefaults } from '../../project-config/templates/defaults/template-defaults.ts'

/** A ticket that is about to be created. */
export interface PlannedTicket {
  title: string
  templateId: number
  stateId: number
  /** Its place in the list of planned tickets; null for the first, which goes below the parent that the caller names. */
  parent: number | null
  level: number
  values: { fieldId: number; key: string; value: string }[]
  labelIds: number[]
}

/** A template that new tickets may have, with its defaults as far as they are still valid. */
export interface UsableTemplate {
  id: number
  stateId: number
  defaults: TemplateDefaults | undefined
  fields: { id: number; key: string }[]
}

/** Children and grandchildren. */
export const mostLevels = 2

/** The ticket, its children and grandchildren, parents first. `own` are the first one's values, by key, which replace defaults. */
export function planFrom(
  templates: ReadonlyMap<number, UsableTemplate>,
  idTemplate: number,
  title: string,
  own: Readonly<Record<string, string>>,
): PlannedTicket[] {
  const planned: PlannedTicket[] = []
  const add = (templateId: number, ticketTitle: string, parent: number | null, level: number) => {
    const template = templates.get(templateId)
    if (!template) return
    const { data: defaults, Labels = [], Children = [] } = template.defaults ?? {}
    const data: Record<string, string> = { ...defaults, ...(parent === null ? own : {}) }
    const place = planned.length
    const values = template.fields.flatMap(({ id, key }) =>
      Object.hasOwn(data, key) && data[key] ? [{ fieldId: id, key, value: data[key] }] : [],
    )
    planned.push({ title: ticketTitle, templateId, stateId: template.stateId, parent, level, values, labelIds: Labels })
    if (level < mostLevels) for (const { idTemplate: id, Title } of Children) add(id, Title, place, level + 1)
  }
  add(idTemplate, title, null, 0)
  return planned
}

/** 422 when the tickets have so much text that creating them would take long. */
export function requireFewTexts(planned: readonly PlannedTicket[]) {
  let bytes = 0
  for (const { title, values, labelIds } of planned) {
    bytes += Buffer.byteLength(title) + bytesOfRow * (values.length + labelIds.length)
    for (const { value } of values) bytes += Buffer.byteLength(value)
  }
  if (bytes <= limits.templateBytes) return
  const [most, found] = [limits.templateBytes, bytes].map(count => (count / 2 ** 20).toFixed(1))
  throw new Failure(
    'rule',
    `This template makes ${counted(planned.length, 'ticket')} with ${found} MB of text, and ${most} MB is the most: give it fewer children, or shorter texts`,
  )
}
const bytesOfRow = 64

export function levelsBelow(planned: readonly PlannedTicket[]) {
  return Math.max(0, ...planned.map(({ level }) => level))
}
