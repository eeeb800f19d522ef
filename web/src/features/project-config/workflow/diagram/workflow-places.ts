import { storeLocally } from '../../../../lib/state/store-locally.ts'

/** The position of a state in the diagram. */
export interface Place {
  x: number
  y: number
}

// Kept in this browser until somebody signs out; narrow screens have a layout of their own.
function storage(idProject: number, isNarrow: boolean) {
  return `tessera.workflow.${idProject}${isNarrow ? '.narrow' : ''}`
}

/** The places to which states were dragged, by id. */
export function keptPlaces(idProject: number, isNarrow: boolean): Map<number, Place> {
  const places = new Map<number, Place>()
  try {
    const stored = JSON.parse(localStorage.getItem(storage(idProject, isNarrow)) ?? '[]') as unknown
    for (const [id, x, y] of stored as [unknown, unknown, unknown][]) {
      if ([id, x, y].every(Number.isFinite)) places.set(id as number, { x: x as number, y: y as number })
    }
  } catch {
    // Unreadable data counts as none.
  }
  return places
}

export function keepPlaces(idProject: number, isNarrow: boolean, places: ReadonlyMap<number, Place>) {
  const rows = [...places].map(([id, { x, y }]) => [id, x, y])
  storeLocally(storage(idProject, isNarrow), JSON.stringify(rows))
}

export function forgetPlaces(idProject: number, isNarrow: boolean) {
  storeLocally(storage(idProject, isNarrow), '')
}

/** The stored positions of the states; a state without one goes below the diagram, under its position in the layout. */
export function placed(layout: ReadonlyMap<number, Place>, kept: ReadonlyMap<number, Place>, gap: number): Map<number, Place> {
  const known = [...layout.keys()].flatMap(id => kept.get(id) ?? [])
  if (known.length === 0) return new Map(layout)
  const newcomers = [...layout].filter(([id]) => !kept.has(id))
  const top = Math.min(...newcomers.map(([, { y }]) => y))
  const below = Math.max(...known.map(({ y }) => y)) + gap
  return new Map([...layout].map(([id, place]) => [id, kept.get(id) ?? { x: place.x, y: place.y - top + below }]))
}
