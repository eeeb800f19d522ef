import { Button } from '../../../../components/button/button.tsx'
import { useFontSize } from '../../../../lib/display/larger-font.ts'
import { useMediaQuery } from '../../../../lib/display/use-media-query.ts'
import styles from './workflow-diagram.module.css'
import '@xyflow/react/dist/style.css'
import type { Phase } from '@tessera/contract/scalars'
import {
  Background,
  Controls,
  type Edge,
  MarkerType,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useNodesState,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import { type CSSProperties, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { CheckBox } from '../../../../components/check-box/check-box.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { hasMove, type Move } from '../workflow.ts'
import { beginningIn, fitsInto, gap, layOut, stateNodeSize } from './workflow-layout.ts'
import { WorkflowMoveEdge } from './workflow-move-edge.tsx'
import { forgetPlaces, keepPlaces, keptPlaces, placed } from './workflow-places.ts'
import { type StateNode, WorkflowStateNode } from './workflow-state-node.tsx'

interface WorkflowDiagramProps {
  idProject: number
  states: readonly { id: number; Description: string; phase: Phase }[]
  entries: readonly number[]
  moves: readonly Move[]
  unreachable: readonly number[]
  deadEnds: readonly number[]
  readOnly: boolean
  onMove: (from: number, to: number, on: boolean) => void
}

const nodeTypes = { state: WorkflowStateNode }
const edgeTypes = { move: WorkflowMoveEdge }
/** At zoom 1 the text has its normal size; people pan to what does not fit. */
const fitting = { minZoom: 1, maxZoom: 1.25, padding: 0.06 }

export function WorkflowDiagram(props: WorkflowDiagramProps) {
  const font = useFontSize()
  return (
    <ReactFlowProvider key={font}>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

interface Chosen {
  state?: number
  move?: Move
}

function Canvas(props: WorkflowDiagramProps) {
  const { states, moves, readOnly, onMove } = props
  const [chosen, choose] = useState<Chosen>({})
  const { nodes, onChange, arrange } = useStateNodes(props)
  const nameOf = (id: number) => states.find(state => state.id === id)?.Description ?? ''
  // What was chosen may have been deleted.
  const chosenState = states.find(({ id }) => id === chosen.state)
  const chosenMove = chosen.move && nameOf(chosen.move.from) && nameOf(chosen.move.to) ? chosen.move : undefined
  return (
    <div className={styles.diagram}>
      <div className={styles.canvas}>
        <ReactFlow
          nodes={nodes}
          edges={moves.map(move => ({
            ...edgeOf(move, chosen),
            data: { isBothWays: hasMove(moves, move.to, move.from) },
            ariaLabel: `From ${nameOf(move.from)} to ${nameOf(move.to)}`,
            deletable: !readOnly,
          }))}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          onNodesChange={changes => {
            for (const change of changes) if (change.type === 'select' && change.selected) choose({ state: Number(change.id) })
            onChange(changes)
          }}
          onConnect={({ source, target }) => onMove(Number(source), Number(target), true)}
          isValidConnection={({ source, target }) => source !== target}
          onEdgesDelete={gone => {
            for (const { source, target } of gone) onMove(Number(source), Number(target), false)
            choose({})
          }}
          onEdgesChange={changes => {
            for (const change of changes) {
              if (change.type !== 'select' || !change.selected) continue
              const [from, to] = change.id.split('>').map(Number)
              if (from && to) choose({ move: { from, to } })
            }
          }}
          onPaneClick={() => choose({})}
          nodesConnectable={!readOnly}
          deleteKeyCode={readOnly ? null : ['Delete', 'Backspace']}
          minZoom={0.2}
          maxZoom={1.5}
          proOptions={{ hideAttribution: true }}
        >
          <Background gap={20} size={1} color="var(--line)" />
          <Controls showInteractive={false} />
        </ReactFlow>
        <Button className={styles.arrange} onClick={arrange}>
          ARRANGE
        </Button>
      </div>
      <section aria-label="Chosen in the diagram" className={styles.chosen}>
        {chosenMove && (
          <ChosenMove
            from={nameOf(chosenMove.from)}
            to={nameOf(chosenMove.to)}
            isThere={hasMove(moves, chosenMove.from, chosenMove.to)}
            readOnly={readOnly}
            onSet={on => onMove(chosenMove.from, chosenMove.to, on)}
          />
        )}
        {chosenState && <ChosenState from={chosenState.id} states={states} moves={moves} readOnly={readOnly} onMove={onMove} />}
        {!chosenMove && !chosenState && (
          <p className={styles.hint}>
            {readOnly
              ? 'Select a state to see where it leads.'
              : 'Drag from the right edge of a state to another one to allow the move. Select a state to choose where it leads, or an arrow to remove it.'}
          </p>
        )}
      </section>
    </div>
  )
}

/**
 * The states of a flow diagram where people dragged them to, or else where the moves at the time of opening put them, so that nothing jumps while
 * moves are drawn.
 */
function useStateNodes({ idProject, states, entries, moves, unreachable, deadEnds, readOnly }: WorkflowDiagramProps) {
  const flow = useReactFlow()
  const width = useStore(store => store.width)
  const height = useStore(store => store.height)
  const isNarrow = useMediaQuery('(width < 37.5rem)')
  const [nodes, setNodes, onNodesChange] = useNodesState<StateNode>([])
  // Recomputed only when the set of states changes, not when a move is drawn.
  const known = JSON.stringify(states)
  const isMeasured = width > 0
  useEffect(() => {
    if (!isMeasured) return
    const places = placed(layOut(states, moves, { width, height }), keptPlaces(idProject, isNarrow), stateNodeSize.height + gap)
    setNodes(now =>
      states.map(({ id, Description, phase }) => ({
        id: String(id),
        type: 'state' as const,
        position: now.find(node => node.id === String(id))?.position ?? places.get(id) ?? { x: 0, y: 0 },
        ariaLabel: `State ${Description}`,
        deletable: false,
        data: { name: Description, phase, isEntry: false, isFlawed: false, readOnly },
      })),
    )
  }, [known, isMeasured])
  const hasNodes = nodes.length > 0
  const bringIntoSight = () =>
    requestAnimationFrame(() => {
      const places = flow.getNodes().map(({ position }) => position)
      const first = flow.getNode(String(entries[0] ?? states[0]?.id))?.position ?? { x: 0, y: 0 }
      if (fitsInto(places, { width, height })) void flow.fitView(fitting)
      else void flow.setViewport({ ...beginningIn({ width, height }, places, first), zoom: 1 })
    })
  const show = useEffectEvent(bringIntoSight)
  useEffect(() => {
    if (width && hasNodes) show()
  }, [width, hasNodes])

  const onChange = (changes: NodeChange<StateNode>[]) => {
    onNodesChange(changes)
    // Dropped by mouse or moved by arrow keys: from now on the whole diagram keeps its layout.
    const moved = changes.filter(change => change.type === 'position' && change.position && !change.dragging)
    if (moved.length === 0) return
    const places = new Map(nodes.map(({ id, position }) => [Number(id), position]))
    for (const change of moved) if (change.type === 'position' && change.position) places.set(Number(change.id), change.position)
    keepPlaces(idProject, isNarrow, places)
  }
  const arrange = () => {
    const places = layOut(states, moves, { width, height })
    forgetPlaces(idProject, isNarrow)
    setNodes(now => now.map(node => ({ ...node, position: places.get(Number(node.id)) ?? node.position })))
    bringIntoSight()
  }
  const shownNodes = useMemo(
    () =>
      nodes.map((node): StateNode => {
        const id = Number(node.id)
        return {
          ...node,
          data: { ...node.data, isEntry: entries.includes(id), isFlawed: unreachable.includes(id) || deadEnds.includes(id), readOnly },
        }
      }),
    [nodes, entries, unreachable, deadEnds, readOnly],
  )
  return { nodes: shownNodes, onChange, arrange }
}

/** The arrow of a move; it stands out while it or the state that it leads from is chosen. */
function edgeOf({ from, to }: Move, chosen: Chosen): Edge {
  const isChosen = chosen.move?.from === from && chosen.move.to === to
  const isNear = isChosen || chosen.state === from
  const color = isNear ? 'var(--accent)' : 'var(--text-faint)'
  return {
    id: `${from}>${to}`,
    type: 'move',
    source: String(from),
    target: String(to),
    selected: isChosen,
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color },
    // Not `stroke`, which the styles of the focus could not override.
    style: {
      '--xy-edge-stroke': color,
      '--xy-edge-stroke-selected': 'var(--accent)',
      '--xy-edge-stroke-width': isNear ? 2 : 1.5,
    } as CSSProperties,
    interactionWidth: 24,
  }
}

interface ChosenStateProps extends Pick<WorkflowDiagramProps, 'states' | 'moves' | 'readOnly' | 'onMove'> {
  from: number
}

function ChosenState({ from, states, moves, readOnly, onMove }: ChosenStateProps) {
  const state = states.find(({ id }) => id === from)
  return (
    <>
      <h3 className={styles.title}>From {state?.Description} to</h3>
      {states
        .filter(({ id }) => id !== from)
        .map(({ id, Description, phase }) => (
          <div key={id} className={styles.choice}>
            <CheckBox
              label={`From ${state?.Description} to ${Description}`}
              checked={hasMove(moves, from, id)}
              disabled={readOnly}
              onChange={on => onMove(from, id, on)}
            />
            <PhaseMark phase={phase} />
            {Description}
          </div>
        ))}
    </>
  )
}

interface ChosenMoveProps {
  from: string
  to: string
  isThere: boolean
  readOnly: boolean
  onSet: (on: boolean) => void
}

function ChosenMove({ from, to, isThere, readOnly, onSet }: ChosenMoveProps) {
  return (
    <div className={styles.move}>
      <h3 className={styles.title}>
        From {from} to {to}
      </h3>
      {!readOnly && <Button onClick={() => onSet(!isThere)}>{isThere ? 'REMOVE MOVE' : 'ADD IT AGAIN'}</Button>}
    </div>
  )
}
