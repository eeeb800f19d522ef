import { limits } from '@tessera/contract/limits'
import { personKey } from '../../../../lib/state/person-key.ts'
import { storeLocally } from '../../../../lib/state/store-locally.ts'

// The columns that a person added to a project's lists, in this browser. Like other preferences, they survive a logout.

const prefix = 'tessera.columns.'

/** Without `idUser`, the columns of any person. */
export function keptColumns(idProject: number, idUser?: number): string[] {
  return columnNames(localStorage.getItem(personKey(prefix, idUser, `${idProject}`)))
}
export function keepColumns(idUser: number, idProject: number, columns: readonly string[]) {
  storeLocally(personKey(prefix, idUser, `${idProject}`), columns.join())
}

const prefixOfDefault = 'tessera.view.'

/** The default view of the project's page, in the form of an address: stored, so that the page need not wait for the server. */
export function keptDefault(idProject: number, idUser?: number): string {
  return localStorage.getItem(personKey(prefixOfDefault, idUser, `${idProject}`)) ?? ''
}
export function keepDefault(idUser: number, idProject: number, search: string) {
  storeLocally(personKey(prefixOfDefault, idUser, `${idProject}`), search)
}

/** What a person may add to the columns that every list has: no screen has room for more. */
export const mostColumns = 6

/** Reads names of columns; each once. A saved view may have more of them than a screen shows: they stay in it when it is saved again. */
export function columnNames(text: string | null): string[] {
  const names = (text ?? '').split(',').filter(name => /^[A-Za-z0-9_]{1,64}$/.test(name))
  return [...new Set(names)].slice(0, limits.listColumns)
}
