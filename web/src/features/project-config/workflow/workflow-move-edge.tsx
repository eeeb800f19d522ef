import { BaseEdge, type EdgeProps, type InternalNode, useInternalNode } from '@xyflow/react'
import { stateNodeSize } from './workflow-state-node.tsx'

interface Point {
  x: number
  y: number
}

const gap = 3

function center({ internals: { positionAbsolute: at } }: InternalNode): Point {
  return { x: at.x + stateNodeSize.width / 2, y: at.y + stateNodeSize.height / 2 }
}
/** Where the line from the middle of a state to `toward` leaves the state. */
function border(middle: Point, toward: Point): Point {
  const [dx, dy] = [toward.x - middle.x, toward.y - middle.y]
  const share = 1 / Math.max(Math.abs(dx) / (stateNodeSize.width / 2 + gap), Math.abs(dy) / (stateNodeSize.height / 2 + gap), 1e-6)
  return { x: middle.x + dx * Math.min(share, 1), y: middle.y + dy * Math.min(share, 1) }
}

/** An arrow from state to state that keeps clear of the one back and of what stands between. */
export function WorkflowMoveEdge({ id, source, target, data, markerEnd, style, interactionWidth }: EdgeProps) {
  const from = useInternalNode(source)
  const to = useInternalNode(target)
  if (!from || !to) return null
  const [a, b] = [center(from), center(to)]
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
  const isLong = length > 1.8 * stateNodeSize.width
  const bend = (data?.isBothWays ? 44 : 0) + (isLong ? length * 0.16 : 0)
  // To the left of the way it goes, so that there and back bend apart.
  const control = { x: (a.x + b.x) / 2 + ((b.y - a.y) / length) * bend * 2, y: (a.y + b.y) / 2 - ((b.x - a.x) / length) * bend * 2 }
  const [start, end] = [border(a, control), border(b, control)]
  return (
    <BaseEdge
      id={id}
      path={`M ${start.x},${start.y} Q ${control.x},${control.y} ${end.x},${end.y}`}
      {...(markerEnd && { markerEnd })}
      {...(style && { style })}
      {...(interactionWidth && { interactionWidth })}
    />
  )
}
