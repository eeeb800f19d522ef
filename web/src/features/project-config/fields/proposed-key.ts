import { limits } from '@tessera/contract/limits'
import { isQueryName } from '@tessera/contract/query-language/names'
import { databaseKeyRule } from '../../../lib/forms/field-rules.ts'

/** How letters are written that do not consist of one from A to Z and marks. */
const spelled: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }

/** A database key for a new field with this label: `Fix Version/s` → `fix_version_s`. Empty if none can be made of it, or queries understand it as something else. */
export function proposedKey(label: string) {
  const key = label
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, letter => spelled[letter] ?? '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, limits.databaseKey)
    .replaceAll(/^_+|_+$/g, '')
  return databaseKeyRule(key) === undefined && !hidesField(key) ? key : ''
}

/** Whether the key has another meaning in queries, which hides a field with it; `due` may be a field as well. */
export function hidesField(key: string) {
  return isQueryName(key) && key !== 'due'
}
