// The columns that a person added to a project's lists, in this browser. They survive a logout, as preferences do.

const prefix = 'tessera.columns.'

function keyOf(idUser: number, idProject: number) {
  return `${prefix}${idUser}.${idProject}`
}

/** Without `idUser`, before it is known who is signed in: of whoever chose some here. */
export function keptColumns(idProject: number, idUser?: number): string[] {
  const key = idUser
    ? keyOf(idUser, idProject)
    : (Object.keys(localStorage).find(known => known.startsWith(prefix) && known.endsWith(`.${idProject}`)) ?? '')
  return columnNames(localStorage.getItem(key))
}
export function keepColumns(idUser: number, idProject: number, columns: readonly string[]) {
  const key = keyOf(idUser, idProject)
  if (columns.length > 0) localStorage.setItem(key, columns.join())
  else localStorage.removeItem(key)
}

const prefixOfDefault = 'tessera.view.'

/** The view that the project's page begins with, as an address has it: kept, so that the page need not wait to know. */
export function keptDefault(idProject: number, idUser?: number): string {
  const key = idUser
    ? `${prefixOfDefault}${idUser}.${idProject}`
    : (Object.keys(localStorage).find(known => known.startsWith(prefixOfDefault) && known.endsWith(`.${idProject}`)) ?? '')
  return localStorage.getItem(key) ?? ''
}
export function keepDefault(idUser: number, idProject: number, search: string) {
  const key = `${prefixOfDefault}${idUser}.${idProject}`
  if (search) localStorage.setItem(key, search)
  else localStorage.removeItem(key)
}

/** Shown at most, beside the columns that every list has. */
export const mostColumns = 6

/** Reads names of columns; each once. */
export function columnNames(text: string | null): string[] {
  const names = (text ?? '').split(',').filter(name => /^[A-Za-z0-9_]{1,64}$/.test(name))
  return [...new Set(names)].slice(0, mostColumns)
}
