import { limits } from '@tessera/contract/limits'
import { lineFeeds } from '@tessera/contract/names'
import { isAddress, isDay, isNumber } from '@tessera/contract/projects/field-values'
import { propertyType, type Renderer, rendererOf } from '@tessera/contract/projects/project-config'
import { idOf } from '../history/stored-values.ts'

export const valuesTooLarge = `The values of a ticket may take at most ${limits.ticketValues / 2 ** 20} MB together`

interface FieldRule {
  typeId: number
  options: readonly { value: string }[]
}

/** The problem with a field's new value, as a phrase that follows its path; undefined when it may be stored. `''` means no value and is always allowed. */
export function problemOfValue({ typeId, options }: FieldRule, value: string, isMember: (userId: number) => boolean): string | undefined {
  if (value === '') return undefined
  const renderer = rendererOf(typeId)
  return renderer && problems[renderer](value, options, isMember)
}

const problems: Record<Renderer, (value: string, options: FieldRule['options'], isMember: (id: number) => boolean) => string | undefined> =
  {
    TEXTMULTILINE: () => undefined,
    TEXT: () => undefined,
    SELECT: (value, options) => (options.some(option => option.value === value) ? undefined : 'must be one of the options'),
    NUMBER: value => (isNumber(value) ? undefined : 'must be a number, such as 12.5'),
    DATE: value => (isDay(value) ? undefined : 'must be a date as YYYY-MM-DD'),
    CHECKBOX: value => (value === '1' ? undefined : 'must be 1 or empty'),
    MULTISELECT: (value, options) =>
      isSelection(value, new Set(options.map(option => option.value))) ? undefined : 'must be a JSON list of options, each at most once',
    USER: (value, _options, isMember) => (isMember(idOf(value) ?? 0) ? undefined : 'must be the id of a member of the project'),
    URL: value => (isAddress(value) ? undefined : 'must be an address that begins with http:, https: or mailto:'),
  }

function isSelection(value: string, options: ReadonlySet<string>) {
  let list: unknown
  try {
    list = JSON.parse(value)
  } catch {
    return false
  }
  return Array.isArray(list) && list.every(entry => options.has(entry)) && new Set(list).size === list.length
}

/** The options of a stored MULTISELECT value; a value that is no JSON list is returned as a single option. */
export function selectionOf(value: string): string[] {
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.map(String) : [value]
  } catch {
    return [value]
  }
}

/** The value as it is stored: a text has LF line ends, a list without entries is no value, so that searches find it as empty. */
export function storedValue(typeId: number, value: string) {
  if (typeId === propertyType.TEXTMULTILINE) return lineFeeds(value)
  return typeId === propertyType.MULTISELECT && selectionOf(value).length === 0 ? '' : value
}
