import { limits } from '@tessera/contract/limits'
import { mergeLists } from '../../../../lib/forms/drafts/merge.ts'
import { lengthRule } from '../../../../lib/forms/field-rules.ts'

interface Option {
  value: string
  label: string
}

/** A choice of a SELECT or MULTISELECT field while it is edited. */
export interface EditedOption {
  /** Unique in this list only; not stored. */
  id: number
  label: string
  /** What tickets store; it never follows the label once stored. */
  value: string
  isStored: boolean
}

let last = 0
export function newOption(label = ''): EditedOption {
  last += 1
  return { id: last, label, value: '', isStored: false }
}
export function editable(stored: readonly Option[]): EditedOption[] {
  return stored.map(({ value, label }) => ({ ...newOption(label), value, isStored: true }))
}

/** The options to send: without blank rows; a new option gets a unique value derived from its label. */
export function fieldProps(options: readonly EditedOption[]) {
  const named = options.filter(({ label, isStored }) => isStored || label.trim() !== '')
  const taken = new Set(named.filter(({ isStored }) => isStored).map(({ value }) => value))
  return named.map(({ label, value, isStored }) => {
    if (isStored) return { value, label: label.trim() }
    let own = label.trim()
    for (let number = 2; taken.has(own); number++) own = `${label.trim()} ${number}`
    taken.add(own)
    return { value: own, label: label.trim() }
  })
}

/** The edited options with what somebody else changed since they were read. */
export function mergedOptions(read: readonly Option[], edited: readonly EditedOption[], theirs: readonly Option[]): EditedOption[] {
  const stored = new Set(theirs.map(({ value }) => value))
  return editable(mergeLists(read, fieldProps(edited), theirs, ({ value }) => value)).map(option =>
    stored.has(option.value) ? option : { ...option, value: '', isStored: false },
  )
}

const lengthOfOption = lengthRule(limits.name - 8)

/** The first invalid option, and why. */
export function optionProblem(options: readonly EditedOption[]) {
  const seen = new Set<string>()
  for (const { id, label, isStored } of options) {
    const name = label.trim()
    if (name === '' && isStored) return { id, message: 'Enter a name, or remove the option' }
    const tooLong = lengthOfOption(name)
    if (tooLong) return { id, message: tooLong }
    if (name !== '' && seen.has(name)) return { id, message: 'There is already an option with this name' }
    seen.add(name)
  }
  return undefined
}
