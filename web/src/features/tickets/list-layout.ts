/** How a list lays out its rows, by the room it has. */
export type ListLayout = 'cards' | 'compact' | 'full'

/** For a list so many pixels wide; a phone has cards whatever its width. */
export function layoutFor(width: number): ListLayout {
  return width < 540 ? 'cards' : width < 860 ? 'compact' : 'full'
}
/** In pixels. */
export function rowHeightOf(layout: ListLayout) {
  return layout === 'cards' ? 60 : 36
}
