import { stateNodeSize } from './workflow-layout.ts'
import type { Place } from './workflow-places.ts'

/** Between the end of an arrow and its state, and between an arrow and a state that it passes, in px. */
const gap = 3
const clearance = 8

/** A curve from `start` to `end`, bent toward `control`. */
interface Curve {
  start: Place
  control: Place
  end: Place
}

/** The curve of a move between two states, given by their upper left corners, that crosses as few states as can be, its own included. */
export function curveBetween(from: Place, to: Place, others: readonly Place[], isBothWays: boolean): Curve {
  const [a, b] = [center(from), center(to)]
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
  const wide = [60, 110, 160, 220, 300]
  // Opposite moves bend apart, each to its left; between states that nearly touch, less than that is enough.
  const bends = isBothWays ? [44, 24, 12, ...wide.flatMap(more => [44 + more, -(74 + more)])] : [0, ...wide.flatMap(more => [more, -more])]
  let best: Curve | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const bend of bends) {
    const aim = { x: (a.x + b.x) / 2 + ((b.y - a.y) / length) * bend * 2, y: (a.y + b.y) / 2 - ((b.x - a.x) / length) * bend * 2 }
    const [start, end] = [border(a, aim), border(b, aim)]
    const isStraight = Math.abs(bend) < 44
    const curve = { start, control: isStraight ? { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 } : aim, end }
    const crossed =
      others.filter(state => crosses(curve, state, clearance)).length + [from, to].filter(own => crosses(curve, own, 0)).length
    if (crossed < fewest) {
      best = curve
      fewest = crossed
    }
    if (crossed === 0) break
  }
  return best ?? { start: a, control: a, end: b }
}

function center({ x, y }: Place): Place {
  return { x: x + stateNodeSize.width / 2, y: y + stateNodeSize.height / 2 }
}

/** Where the line from the center of a state toward `aim` leaves the state. */
function border(middle: Place, aim: Place): Place {
  const [dx, dy] = [aim.x - middle.x, aim.y - middle.y]
  const share = 1 / Math.max(Math.abs(dx) / (stateNodeSize.width / 2 + gap), Math.abs(dy) / (stateNodeSize.height / 2 + gap), 1e-6)
  return { x: middle.x + dx * share, y: middle.y + dy * share }
}

function crosses({ start, control, end }: Curve, state: Place, distance: number) {
  const steps = 24
  for (let step = 0; step <= steps; step++) {
    const t = step / steps
    const x = (1 - t) ** 2 * start.x + 2 * t * (1 - t) * control.x + t ** 2 * end.x
    const y = (1 - t) ** 2 * start.y + 2 * t * (1 - t) * control.y + t ** 2 * end.y
    const isInside =
      x > state.x - distance &&
      x < state.x + stateNodeSize.width + distance &&
      y > state.y - distance &&
      y < state.y + stateNodeSize.height + distance
    if (isInside) return true
  }
  return false
}
