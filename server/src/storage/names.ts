// All name patterns in a storage. The clean-up ignores other names.

export interface BinnedFile {
  key: string
  /** When it was moved there: the name of its folder in the bin. */
  stamp: string
}

/** The mark of a storage: its id and the database it belongs to; null when an older version wrote it. */
export interface StorageMark {
  id: string
  owner: string | null
}

export const markName = 'storage-id'
export const binFolder = 'bin'

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
// An organization's id fits 18 digits.
const keyForm = `[1-9]\\d{0,17}/[0-9a-f]{2}/[0-9a-f]{2}/${uuid}`
const key = new RegExp(`^${keyForm}$`)
const binned = new RegExp(`^${binFolder}/(\\d{8}T\\d{6}Z)/(${keyForm})$`)
const id = new RegExp(`^${uuid}$`)

export function isKey(name: string) {
  return key.test(name)
}

/** Keys come from our own rows; this is a second safeguard against path traversal. */
export function requireKey(name: string) {
  if (!isKey(name)) throw new Error(`not a storage key: ${name}`)
  return name
}

/** The id of the organization, in digits. */
export function organizationOf(key: string) {
  return key.slice(0, key.indexOf('/'))
}

export function isUuid(name: string) {
  return id.test(name)
}

export function binName({ key, stamp }: BinnedFile) {
  return `${binFolder}/${stamp}/${requireKey(key)}`
}

/** Null for any other name. */
export function parseBinName(name: string): BinnedFile | null {
  const [, stamp, key] = binned.exec(name) ?? []
  return stamp !== undefined && key !== undefined ? { stamp, key } : null
}

/** Such as 20261122T040000Z: sorts by time. */
export function stampOf(time: Date) {
  return time.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
}

export function timeOfStamp(stamp: string) {
  return new Date(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

/** Two lines: the storage's id, and the database that it belongs to. */
export function writeMarkText({ id, owner }: StorageMark) {
  return owner === null ? `${id}\n` : `${id}\n${owner}\n`
}

export function parseMark(text: string): StorageMark | null {
  const [id = '', owner = ''] = text.trim().split('\n')
  return isUuid(id) ? { id, owner: owner === '' ? null : owner } : null
}
