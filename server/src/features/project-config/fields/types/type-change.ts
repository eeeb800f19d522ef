import { limits } from '@tessera/contract/limits'
import { isOneLine, isSeen } from '@tessera/contract/names'
import { type Renderer, rendererOf, typesWithOptions } from '@tessera/contract/projects/project-config'
import { problemOfValue } from '../../../tickets/values/field-values.ts'
import type { Option } from '../field-options.ts'

interface StoredValue {
  value: string
  tickets: number
}
interface TypeChange {
  /** The options of the field afterwards. */
  options: Option[]
  unfit: (StoredValue & { reason: string })[]
}

/** A text field with more distinct values than this does not become a SELECT. */
const fewValues = 100

const texts: readonly (Renderer | undefined)[] = ['TEXT', 'TEXTMULTILINE']

/** The field's own options; for a text that becomes a SELECT, the texts that can be options. */
function optionsFor(field: { typeId: number; options: readonly Option[] }, target: Renderer | undefined, values: readonly StoredValue[]) {
  if (typesWithOptions.includes(field.typeId)) return [...field.options]
  if (target !== 'SELECT') return []
  return values.filter(({ value }) => problemOfOption(value) === undefined).map(({ value }) => ({ value, label: value }))
}

/** What a field of one type becomes as another. Stored values stay as they are: those that would not mean the same do not fit. */
export function typeChange(field: { typeId: number; options: readonly Option[] }, to: number, values: readonly StoredValue[]): TypeChange {
  const [from, target] = [rendererOf(field.typeId), rendererOf(to)]
  const kept = typesWithOptions.includes(to) ? optionsFor(field, target, values) : []
  const problem = (value: string) => {
    if (target === 'SELECT' && !typesWithOptions.includes(field.typeId))
      return values.length > fewValues ? `there are more than ${fewValues} different values` : problemOfOption(value)
    return problemOfMeaning(from, target, field.options, value) ?? problemOfValue({ typeId: to, options: kept }, value, () => false)
  }
  return {
    options: kept,
    unfit: values.flatMap(stored => {
      const reason = problem(stored.value)
      return reason === undefined ? [] : [{ ...stored, reason }]
    }),
  }
}

/** Why a value cannot be the label of an option, for which `FieldOption` has the rules. */
function problemOfOption(value: string) {
  if (!isOneLine(value)) return 'has several lines'
  if (!isSeen(value)) return 'has no character that people see'
  return [...value].length > limits.name || value.trim() !== value
    ? `must be at most ${limits.name} characters without blanks at the ends`
    : undefined
}

/** Why a value would be misread. */
function problemOfMeaning(from: Renderer | undefined, to: Renderer | undefined, options: readonly Option[], value: string) {
  if (from === to) return undefined
  if (to === 'TEXT' && /[\r\n]/.test(value)) return 'has several lines'
  if (!texts.includes(to)) return undefined
  if (from === 'USER') return 'stands for a person'
  if (from === 'CHECKBOX') return 'stands for a tick'
  if (from === 'MULTISELECT') return 'is a list of options'
  const label = from === 'SELECT' ? options.find(option => option.value === value)?.label : undefined
  return label === undefined || label === value ? undefined : `stands for the option ${label}`
}
