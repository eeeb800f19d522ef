import { BaseEdge, type EdgeProps, useNodes } from '@xyflow/react'
import { curveBetween } from './workflow-curve.ts'

/** An arrow between two states that avoids the opposite arrow and the states in between. */
export function WorkflowMoveEdge({ id, source, target, data, markerEnd, style, interactionWidth }: EdgeProps) {
  const nodes = useNodes()
  const from = nodes.find(node => node.id === source)
  const to = nodes.find(node => node.id === target)
  if (!from || !to) return null
  const others = nodes.filter(node => node !== from && node !== to).map(({ position }) => position)
  const { start, control, end } = curveBetween(from.position, to.position, others, data?.isBothWays === true)
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
