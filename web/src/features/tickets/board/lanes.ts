import { type Board, type Card, type Cell, type LaneKind, laneOf } from './data/board-data.ts'

/** What the head of a lane shows. */
export interface LaneTitle {
  name: string
  /** The ticket whose children the lane has. */
  parent?: { id: number; key: string; Title: string }
  /** Of a label. */
  color?: string
}
const none: Record<LaneKind, string> = { Parent: 'Without a parent', Assignee: 'Nobody', Label: 'No label' }

/** The title of a lane, as its cards have it. */
export function laneTitle(by: LaneKind, lane: string, cards: readonly Card[]): LaneTitle {
  if (lane === 'none') return { name: none[by] }
  // A card that was just moved into the lane does not have its person or label yet.
  for (const card of cards) {
    const title = titleOn(card, by, Number(lane))
    if (title) return title
  }
  return { name: '' }
}

function titleOn({ pcode, Path, Labels, Values }: Card, by: LaneKind, id: number): LaneTitle | undefined {
  if (by === 'Parent') {
    const parent = Path?.at(-1)
    const key = `${pcode}-${id}`
    return parent && { name: `${key} ${parent.Title}`, parent: { id, key, Title: parent.Title } }
  }
  if (by === 'Label') {
    const label = Labels.find(({ idLabel }) => idLabel === id)
    return label && { name: label.Label, color: label.Color }
  }
  const person = ((Values?.Assignees ?? []) as { idUser: number; Name: string }[]).find(({ idUser }) => idUser === id)
  return person && { name: person.Name }
}

/** Whether a card can be carried to another lane of this board. */
export function hasOpenLanes({ lanes }: Pick<Board, 'lanes'>) {
  return lanes !== undefined && lanes.by !== 'Parent'
}

/** The name of a cell: its column and, where cards can be carried to other lanes, its lane. Only what differs from the other cell, if there is one. */
export function cellName(board: Board, { column, lane }: Cell, other?: Cell) {
  const label = board.columns.find(({ key }) => key === column)?.Label ?? ''
  if (!board.lanes || !hasOpenLanes(board) || lane === other?.lane) return label
  const cards = board.columns.flatMap(one => one.cards.filter(card => laneOf(card) === lane))
  const { name } = laneTitle(board.lanes.by, lane, cards)
  return column === other?.column ? name : `${label}, ${name}`
}

/** Names a folded lane among those of all boards of a project. */
export function foldKey(by: LaneKind | undefined, lane: string) {
  return by === undefined || by === 'Parent' ? lane : `${by} ${lane}`
}
