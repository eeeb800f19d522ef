import { personKey } from '../../../../lib/state/person-key.ts'
import { storeLocally } from '../../../../lib/state/store-locally.ts'
import { type LanesBy, readLanes } from '../../list/view/ticket-view.ts'

// A person's settings for a project's board, in this browser. Like other preferences, they survive a logout.

export interface Collapsed {
  columns: ReadonlySet<string>
  /** By `foldKey`. */
  lanes: ReadonlySet<string>
}

export interface KeptBoard extends Collapsed {
  lanesBy: LanesBy
  /** The large cells that are shown as a whole, by `cellKey`. */
  whole: ReadonlySet<string>
}

const prefix = 'tessera.board.'

/** Each grouping has its own entry, because its columns are different. */
function keyOf(idUser: number | undefined, idProject: number, group: string) {
  return personKey(prefix, idUser, `${idProject}.${group}`)
}

/** Without `idUser`, the settings of any person. */
export function keptBoard(idProject: number, group: string, idUser?: number): KeptBoard {
  const stored = readJson(localStorage.getItem(keyOf(idUser, idProject, group)))
  const names = (value: unknown) => new Set(Array.isArray(value) ? value.map(String).slice(0, most) : [])
  // Lanes by parent were stored as `true`.
  const lanesBy = stored.lanes === true ? 1 : readLanes(stored.lanes)
  return { lanesBy, columns: names(stored.closedColumns), lanes: names(stored.closedLanes), whole: names(stored.wholeCells) }
}
export function keepBoard(idUser: number, idProject: number, group: string, { lanesBy, columns, lanes, whole }: KeptBoard) {
  const key = keyOf(idUser, idProject, group)
  const isPlain = lanesBy === 0 && [columns, lanes, whole].every(({ size }) => size === 0)
  const settings = {
    lanes: lanesBy,
    closedColumns: [...columns],
    closedLanes: [...lanes].slice(-most),
    wholeCells: [...whole].slice(-most),
  }
  storeLocally(key, isPlain ? '' : JSON.stringify(settings))
}

const most = 500

function readJson(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
