import { limits } from '@tessera/contract/limits'
import { isAddress, isDay, isNumber } from '@tessera/contract/projects/field-values'
import { bytesProblem } from '../../../../lib/forms/field-rules.ts'

/** The problem with a typed value, in words; the server decides. */
export function problemOfValue(renderer: string, value: string): string | undefined {
  if (value === '') return
  const tooLong = bytesProblem(value, limits.fieldValue)
  if (tooLong) return tooLong
  if (renderer === 'NUMBER' && !isNumber(value)) return 'Enter a number, such as 12.5'
  if (renderer === 'DATE' && !isDay(value)) return 'Enter a complete date that exists'
  if (renderer === 'URL' && !isAddress(value)) return 'Enter an address that begins with https://, http:// or mailto:'
  return
}

/** The chosen options of a MULTISELECT; none for text that is not a list. */
export function selection(value: string): string[] {
  try {
    const list: unknown = JSON.parse(value || '[]')
    return Array.isArray(list) ? list.filter(entry => typeof entry === 'string') : []
  } catch {
    return []
  }
}
