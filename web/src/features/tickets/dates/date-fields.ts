import type { Response } from '@tessera/contract/call'
import { type getTicketFieldList, propertyType } from '@tessera/contract/projects/project-config'
import { isQueryName } from '@tessera/contract/query-language/names'

type KnownField = Pick<Response<typeof getTicketFieldList>[number], 'id' | 'Key' | 'Label' | 'FieldType'> & { isArchived?: boolean }

/** A field whose days are shown. */
export interface DateField {
  id: number
  key: string
  label: string
  /** What a query calls it. */
  name: string
  isDue: boolean
  isArchived: boolean
}

/** What a query calls a DATE field; undefined if its key means something else there, such as `created`. */
function queryNameOf(key: string, isDue: boolean) {
  const name = key.toLowerCase()
  if (!isQueryName(name) && name !== 'sort') return key
  return isDue ? 'due' : undefined
}

/** The DATE fields that a query can name; `dueKey` is the key of the due date. */
export function dateFieldsOf(known: readonly KnownField[], dueKey: string | null | undefined): DateField[] {
  return known.flatMap(({ id, Key: key, Label: label, FieldType, isArchived = false }) => {
    const isDue = key === dueKey
    const name = FieldType === propertyType.DATE ? queryNameOf(key, isDue) : undefined
    return name === undefined ? [] : [{ id, key, label, name, isDue, isArchived }]
  })
}

/** The field that a calendar shows: the one with this key, else the due date, else the first. */
export function fieldOf(fields: readonly DateField[], key: string | undefined) {
  return fields.find(one => one.key === key) ?? fields.find(({ isDue }) => isDue) ?? fields[0]
}

/** The fields as the choices of a select. */
export function choicesOf(fields: readonly DateField[]) {
  return fields.map(({ key, label, isArchived }) => ({ value: key, label: isArchived ? `${label} (archived)` : label }))
}
