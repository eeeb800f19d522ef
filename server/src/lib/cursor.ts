/** A cursor as text: what it continues, and where the page before ended. */
export function encodeCursor(continued: string, ...position: unknown[]): string {
  return Buffer.from(JSON.stringify([continued, ...position])).toString('base64url')
}

/** Where the page before ended, as the caller sent it; empty if the cursor continues something else or is none. */
export function decodeCursor(continued: string, cursor: string): unknown[] {
  try {
    const [own, ...position] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return own === continued ? position : []
  } catch {
    return []
  }
}

export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}
