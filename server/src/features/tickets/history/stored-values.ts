import type { LinkKind } from '@tessera/contract/tickets/links'

/** The members of an object in a history row; none if it is no such object. */
function membersOf(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? 'null'))
  } catch {
    return {}
  }
}

/** The form of an assignment in a history row. */
export function assigneePair(idUser: number, idRole: number) {
  return JSON.stringify({ idUser, idRole })
}

/** The form of a label in a history row: its name at that time, and its id for restoring it. */
export function labelReference(idLabel: number, Label: string) {
  return JSON.stringify({ idLabel, Label })
}

export function labelOf(text: string | null): string | null {
  const { Label } = membersOf(text)
  return typeof Label === 'string' ? Label : text
}
export function labelIdOf(text: string | null): number | null {
  const { idLabel } = membersOf(text)
  return typeof idLabel === 'number' ? idLabel : null
}

/** The form of a link in a history row, at one of its ends. */
export function linkReference(Kind: LinkKind, idTicket: number) {
  return JSON.stringify({ Kind, idTicket })
}

export function parseLink(text: string | null): { Kind: LinkKind; idTicket: number } | null {
  const { Kind, idTicket } = membersOf(text)
  return typeof Kind === 'string' && typeof idTicket === 'number' ? { Kind: Kind as LinkKind, idTicket } : null
}

/** The form of a comment in a history row: a reference to its version, not the text. */
export function commentReference(idComment: number, version: number) {
  return `${idComment}.${version}`
}

export function parseCommentReference(text: string | null) {
  const match = /^(\d+)\.(\d+)$/.exec(text ?? '')
  return match ? { idComment: Number(match[1]), version: Number(match[2]) } : null
}

/** Parses an assignment in a history row. */
export function parsePair(text: string | null): { idUser: number; idRole: number } | null {
  const { idUser, idRole } = membersOf(text)
  return typeof idUser === 'number' && typeof idRole === 'number' ? { idUser, idRole } : null
}

export function idText(id: number | null) {
  return id === null ? null : String(id)
}
export function idOf(text: string | null) {
  return text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}
