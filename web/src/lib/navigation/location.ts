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
