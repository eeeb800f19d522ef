import dagre from '@dagrejs/dagre'
import { scaled } from '../../../../lib/display/larger-font.ts'
import type { Move } from '../workflow.ts'
import type { Place } from './workflow-places.ts'

/** Of a state in the diagram, in px. */
export const stateNodeSize = {
  get width() {
    return scaled(176)
  },
  get height() {
    return scaled(48)
  },
}
/** Between two adjacent states, in px. */
export const gap = 44

/** The most spacious first; the first that fits is used. */
const attempts = [
  { rankdir: 'LR', ranksep: 90, nodesep: gap },
  { rankdir: 'LR', ranksep: 56, nodesep: 32 },
  { rankdir: 'TB', ranksep: 56, nodesep: gap },
  { rankdir: 'TB', ranksep: 32, nodesep: 32 },
] as const

/** Whether states at these places, with their normal size, are in sight at once. */
export function fitsInto(places: readonly Place[], room: { width: number; height: number }) {
  const spread = (numbers: number[]) => Math.max(...numbers) - Math.min(...numbers)
  return (
    spread(places.map(({ x }) => x)) + stateNodeSize.width <= room.width &&
    spread(places.map(({ y }) => y)) + stateNodeSize.height <= room.height
  )
}

/** How far a picture that is larger than the room is moved, in px: its beginning is in sight, or else the middle shows the state where tickets start. */
export function beginningIn(room: { width: number; height: number }, places: readonly Place[], first: Place): Place {
  const moved = (all: number[], start: number, size: number, most: number) => {
    const least = Math.min(...all)
    const extent = Math.max(...all) + size - least
    if (extent <= most) return (most - extent) / 2 - least
    const beginning = gap / 2 - least
    return start + size + beginning <= most ? beginning : (most - size) / 2 - start
  }
  return {
    x: moved(
      places.map(({ x }) => x),
      first.x,
      stateNodeSize.width,
      room.width,
    ),
    y: moved(
      places.map(({ y }) => y),
      first.y,
      stateNodeSize.height,
      room.height,
    ),
  }
}

/** The position of each state, by id: along the moves, in the direction in which the diagram fits into `room`, in px. */
export function layOut(
  states: readonly { id: number }[],
  moves: readonly Move[],
  room: { width: number; height: number },
): Map<number, Place> {
  const pictures = attempts.map(attempt => arranged(states, moves, attempt))
  const shareOf = ({ width, height }: { width: number; height: number }) => Math.max(width / room.width, height / room.height)
  const fits = pictures.find(picture => shareOf(picture) <= 1)
  return (fits ?? pictures.toSorted((a, b) => shareOf(a) - shareOf(b))[0])?.places ?? new Map()
}

function arranged(states: readonly { id: number }[], moves: readonly Move[], attempt: (typeof attempts)[number]) {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ ...attempt, marginx: 16, marginy: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of states) graph.setNode(String(id), { ...stateNodeSize })
  // Without moves the states are in a row, in their own order.
  const shown = moves.length > 0 ? moves : states.slice(1).map((to, before) => ({ from: states[before]?.id ?? to.id, to: to.id }))
  for (const { from, to } of shown) graph.setEdge(String(from), String(to))
  dagre.layout(graph)
  const places = new Map(
    states.map(({ id }) => {
      const { x, y } = graph.node(String(id))
      return [id, { x: x - stateNodeSize.width / 2, y: y - stateNodeSize.height / 2 }]
    }),
  )
  const { width = 0, height = 0 } = graph.graph()
  return { places, width, height }
}
