import { stateNodeSize } from './workflow-layout.ts'
import type { Place } from './workflow-places.ts'

/** Between the end of an arrow and its state, and between an arrow and a state that it passes, in px. */
const gap = 3
const clearance = 8

/** A curve from `start` to `end`, bent towards `control`. */
interface Curve {
  start: Place
  control: Place
  end: Place
}

/** The curve of a move between two states, given by their upper left corners, that crosses as few of the `others` as can be. */
export function curveBetween(from: Place, to: Place, others: readonly Place[], isBothWays: boolean): Curve {
  const [a, b] = [center(from), center(to)]
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
  // Opposite moves bend apart, each to its left.
  const least = isBothWays ? 44 : 0
  const bends = [least, ...[60, 110, 160, 220, 300].flatMap(more => (isBothWays ? [least + more, -(least + more + 30)] : [more, -more]))]
  let best: Curve | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const bend of bends) {
    const control = { x: (a.x + b.x) / 2 + ((b.y - a.y) / length) * bend * 2, y: (a.y + b.y) / 2 - ((b.x - a.x) / length) * bend * 2 }
    const curve = { start: border(a, control), control, end: border(b, control) }
    const crossed = others.filter(state => crosses(curve, state)).length
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

/** Where the line from the centre of a state towards `control` leaves the state. */
function border(middle: Place, control: Place): Place {
  const [dx, dy] = [control.x - middle.x, control.y - middle.y]
  const share = 1 / Math.max(Math.abs(dx) / (stateNodeSize.width / 2 + gap), Math.abs(dy) / (stateNodeSize.height / 2 + gap), 1e-6)
  return { x: middle.x + dx * Math.min(share, 1), y: middle.y + dy * Math.min(share, 1) }
}

function crosses({ start, control, end }: Curve, state: Place) {
  const steps = 24
  for (let step = 0; step <= steps; step++) {
    const t = step / steps
    const x = (1 - t) ** 2 * start.x + 2 * t * (1 - t) * control.x + t ** 2 * end.x
    const y = (1 - t) ** 2 * start.y + 2 * t * (1 - t) * control.y + t ** 2 * end.y
    const isInside =
      x > state.x - clearance &&
      x < state.x + stateNodeSize.width + clearance &&
      y > state.y - clearance &&
      y < state.y + stateNodeSize.height + clearance
    if (isInside) return true
  }
  return false
}
