import { formatBytes } from '../../../lib/display/format.ts'

/** Why a file is refused, in a sentence; `types` are media types. */
export function problemOfFile(file: Pick<File, 'name' | 'type' | 'size'>, types: readonly string[], maxBytes: number): string | undefined {
  if (!types.includes(file.type)) return `${file.name} is not of an accepted type (${types.join(', ')}).`
  if (file.size > maxBytes) return `${file.name} is larger than ${formatBytes(maxBytes)}.`
  if (file.size === 0) return `${file.name} is empty.`
  return
}
