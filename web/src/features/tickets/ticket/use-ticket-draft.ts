import { useMemo, useState } from 'react'
import { useDraft } from '../../../lib/use-draft.ts'
import type { Assignment, DraftField, Ticket, TicketDraft } from '../ticket.ts'

/** A touched field that somebody else changed since it was first touched. */
interface Clash {
  field: DraftField
  theirs: string | number
}

function loadedDraft(ticket: Ticket): TicketDraft {
  const draft: TicketDraft = { Title: ticket.Title, State: ticket.idState, TicketAssign: [], Labels: [] }
  for (const { Key, Value } of ticket.Fields) draft[`data.${Key}`] = Value
  return draft
}

/** The people with a role after the draft is saved. */
export function assignedPairs(ticket: Ticket, changes: readonly Assignment[]) {
  const isNamed = (pair: { idUser: number; idRole: number }) =>
    changes.some(({ idUser, idRole }) => idUser === pair.idUser && idRole === pair.idRole)
  const kept = ticket.Assignees.filter(pair => !isNamed(pair)).map(({ idUser, idRole }) => ({ idUser, idRole }))
  return [...kept, ...changes.filter(({ Enabled }) => Enabled === 1).map(({ idUser, idRole }) => ({ idUser, idRole }))]
}

/**
 * The working copy of a ticket. Each edited field remembers its value from before the edit, so that another value from a save or a reload shows as a clash and is not
 * overwritten.
 */
export function useTicketDraft(ticket: Ticket) {
  const loaded = useMemo(() => loadedDraft(ticket), [ticket])
  const { draft, changed, isDirty, set: touch, reset: clear, saved } = useDraft<TicketDraft>(loaded)
  const [origins, setOrigins] = useState<Partial<Record<DraftField, unknown>>>({})

  const touched = Object.keys(changed) as DraftField[]
  const clashes: Clash[] = touched.flatMap(field => {
    const theirs = loaded[field]
    if (typeof theirs === 'object' || theirs === undefined) return []
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
