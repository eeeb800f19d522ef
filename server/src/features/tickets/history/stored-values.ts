import type { LinkKind } from '@tessera/contract/tickets/links'

/** The form of an assignment in a history row. */
export function assigneePair(idUser: number, idRole: number) {
  return JSON.stringify({ idUser, idRole })
}

/** The form of a label in a history row: its name at that time, and its id for restoring it. */
export function labelReference(idLabel: number, Label: string) {
  return JSON.stringify({ idLabel, Label })
}

export function labelOf(text: string | null): string | null {
  if (text === null) return null
  try {
    return String(JSON.parse(text).Label)
  } catch {
    return text
  }
}

/** The form of a link in a history row, at one of its ends. */
export function linkReference(Kind: LinkKind, idTicket: number) {
  return JSON.stringify({ Kind, idTicket })
}

export function parseLink(text: string | null): { Kind: LinkKind; idTicket: number } | null {
  if (text === null) return null
  try {
    const { Kind, idTicket } = JSON.parse(text)
    return typeof Kind === 'string' && typeof idTicket === 'number' ? { Kind: Kind as LinkKind, idTicket } : null
  } catch {
    return null
  }
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
  if (text === null) return null
  try {
    const { idUser, idRole } = JSON.parse(text)
    return typeof idUser === 'number' && typeof idRole === 'number' ? { idUser, idRole } : null
  } catch {
    return null
  }
}

export function idText(id: number | null) {
  return id === null ? null : String(id)
}
export function idOf(text: string | null) {
  return text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}
