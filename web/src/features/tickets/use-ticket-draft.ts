import type { Request, Response } from '@tessera/contract/call'
import type { Phase } from '@tessera/contract/scalars'
import type { getTicketData, setTicketData } from '@tessera/contract/tickets'
import { useMemo, useState } from 'react'
import { useDraft } from '../../lib/use-draft.ts'

export type Ticket = Response<typeof getTicketData>
type Save = Request<typeof setTicketData>
export type Assignment = NonNullable<Save['TicketAssign']>[number]

/** The editable part of a ticket; fields are named as a conflict names them. */
export interface TicketDraft {
  Title: string
  State: number
  /** The pairs that are given or taken, not all that hold: what others assign meanwhile stays. */
  TicketAssign: Assignment[]
  [data: `data.${string}`]: string
}
export type DraftField = keyof TicketDraft & string

/** A touched field that somebody else changed since it was first touched. */
interface Clash {
  field: DraftField
  theirs: string | number
}

function loadedDraft(ticket: Ticket): TicketDraft {
  const draft: TicketDraft = { Title: ticket.Title, State: ticket.idState, TicketAssign: [] }
  for (const { Key, Value } of ticket.Fields) draft[`data.${Key}`] = Value
  return draft
}

/** Those who hold a role once the draft is saved. */
export function assignedPairs(ticket: Ticket, changes: readonly Assignment[]) {
  const isNamed = (pair: { idUser: number; idRole: number }) =>
    changes.some(({ idUser, idRole }) => idUser === pair.idUser && idRole === pair.idRole)
  const kept = ticket.Assignees.filter(pair => !isNamed(pair)).map(({ idUser, idRole }) => ({ idUser, idRole }))
  return [...kept, ...changes.filter(({ Enabled }) => Enabled === 1).map(({ idUser, idRole }) => ({ idUser, idRole }))]
}

/**
 * What `set-ticket-data` gets: the changed fields and nothing else. `version` is that of the last load, also when a change was begun
 * before it: a field that moved since then would show as a clash.
 */
export function saveRequest(idTicket: number, changed: Partial<TicketDraft>, version: number): Save {
  const { Title, State, TicketAssign, ...rest } = changed
  const data = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.slice('data.'.length), String(value)]))
  return {
    idTicket,
    ...(Title !== undefined && { Title: Title.trim() }),
    ...(State !== undefined && { State }),
    ...(TicketAssign && { TicketAssign }),
    ...(Object.keys(data).length > 0 && { data }),
    Version: version,
  }
}

/** The ticket as it is once `sent` is stored, until the next load brings it. */
export function withSaved(
  ticket: Ticket,
  sent: Save,
  answer: Response<typeof setTicketData>,
  states: readonly { id: number; Description: string; phase?: Phase }[],
): Ticket {
  const state = states.find(({ id }) => id === sent.State)
  return {
    ...ticket,
    Version: answer.Version,
    ...(sent.Title !== undefined && { Title: sent.Title }),
    ...(sent.State !== undefined && {
      idState: sent.State,
      State: state?.Description ?? ticket.State,
      Phase: state?.phase ?? ticket.Phase,
    }),
    ...(answer.States && { OutputStates: answer.States }),
    Fields: ticket.Fields.map(field => {
      // A key may be `toString`, which every object has.
      const value = new Map(Object.entries(sent.data ?? {})).get(field.Key)
      return value === undefined ? field : { ...field, Value: value }
    }),
  }
}

/**
 * The working copy of a ticket. Each touched field remembers what it was when the person began to change it,
 * so that a save or a reload that brings another value shows as a clash and overwrites nobody.
 */
export function useTicketDraft(ticket: Ticket) {
  const loaded = useMemo(() => loadedDraft(ticket), [ticket])
  const { draft, changed, isDirty, set: touch, reset: clear, saved } = useDraft<TicketDraft>(loaded)
  const [origins, setOrigins] = useState<Partial<Record<DraftField, unknown>>>({})

  const touched = Object.keys(changed) as DraftField[]
  const clashes: Clash[] = touched.flatMap(field => {
    const theirs = loaded[field]
    if (field === 'TicketAssign' || typeof theirs === 'object' || theirs === undefined) return []
    return !(field in origins) || origins[field] === theirs ? [] : [{ field, theirs }]
  })
  const remember = (field: DraftField) => setOrigins(now => ({ ...now, [field]: loaded[field] }))

  return {
    draft,
    changed,
    isDirty,
    clashes,
    set: <Field extends DraftField>(field: Field, value: TicketDraft[Field]) => {
      if (!(field in changed)) remember(field)
      touch({ [field]: value } as Partial<TicketDraft>)
    },
    keepMine: remember,
    takeTheirs: (field: DraftField) => touch({ [field]: loaded[field] } as Partial<TicketDraft>),
    reset: clear,
    /** `sent` is stored: what was typed on since then starts from it. */
    saved: (sent: Partial<TicketDraft>) => {
      saved(sent)
      setOrigins(now => ({ ...now, ...sent }))
    },
  }
}
