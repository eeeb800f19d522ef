export interface Location {
  pathname: string
  search: string
  hash: string
  /** What the page that led here passed on. */
  state: unknown
  /** Identifies the entry in the browser's history. */
  key: string
  /** Its position there, which tells how far a step back or forward goes. */
  index: number
}

/** A part of an address as text; as it stands there if it is not encoded properly. */
export function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
