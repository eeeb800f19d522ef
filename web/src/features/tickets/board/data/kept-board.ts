import { personKey } from '../../../../lib/state/person-key.ts'
import { storeLocally } from '../../../../lib/state/store-locally.ts'
import { type LanesBy, readLanes } from '../../list/view/ticket-view.ts'

// A person's settings for a project's board, in this browser. Like other preferences, they survive a logout.

export interface Collapsed {
  columns: ReadonlySet<string>
  /** By `foldKey`. */
  lanes: ReadonlySet<string>
}

interface KeptBoard extends Collapsed {
  lanesBy: LanesBy
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
  return { lanesBy, columns: names(stored.closedColumns), lanes: names(stored.closedLanes) }
}
export function keepBoard(idUser: number, idProject: number, group: string, { lanesBy, columns, lanes }: KeptBoard) {
  const key = keyOf(idUser, idProject, group)
  const isPlain = lanesBy === 0 && columns.size === 0 && lanes.size === 0
  const settings = { lanes: lanesBy, closedColumns: [...columns], closedLanes: [...lanes].slice(-most) }
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
