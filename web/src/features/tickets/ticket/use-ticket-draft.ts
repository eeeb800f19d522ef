import { useMemo, useState } from 'react'
import { readKept, useKept } from '../../../lib/forms/drafts/kept.ts'
import { useDraft } from '../../../lib/forms/drafts/use-draft.ts'
import { withoutUploads } from '../text/editor/uploading.ts'
import { type Assignment, type DraftField, isSamePair, type Ticket, type TicketDraft } from '../ticket.ts'

/** A touched field that somebody else changed since it was first touched. */
interface Clash {
  field: DraftField
  theirs: string | number
}

function loadedDraft(ticket: Ticket): TicketDraft {
  const draft: TicketDraft = { Title: ticket.Title, Type: ticket.idTemplate, State: ticket.idState, TicketAssign: [], Labels: [] }
  for (const { Key, Value } of ticket.Fields) draft[`data.${Key}`] = Value
  return draft
}

/** The people with a role after the draft is saved. */
export function assignedPairs(ticket: Ticket, changes: readonly Assignment[]) {
  const kept = ticket.Assignees.filter(pair => !changes.some(change => isSamePair(change, pair)))
  const added = changes.filter(({ Enabled }) => Enabled === 1)
  return [...kept, ...added].map(({ idUser, idRole }) => ({ idUser, idRole }))
}

interface KeptDraft {
  changed: Partial<TicketDraft>
  origins: Partial<Record<DraftField, unknown>>
}

/** The edited texts, of fields too that the ticket no longer has: `useGone` says what was typed. Type and state, which are none, must be chosen again. */
function textsOf(changed: Partial<TicketDraft>): Partial<TicketDraft> {
  const entries = Object.entries(changed).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(entries.map(([field, value]) => [field, withoutUploads(String(value))]))
}

/**
 * The working copy of a ticket. Each edited field remembers its value from before the edit, so that a different value from a save or a reload shows as a
 * clash and is not overwritten.
 */
export function useTicketDraft(ticket: Ticket) {
  const loaded = useMemo(() => loadedDraft(ticket), [ticket])
  const place = `ticket-${ticket.idTicket}`
  const [kept] = useState(() => readKept<KeptDraft>(place))
  const [typed] = useState(() => textsOf(kept?.value.changed ?? {}))
  const { draft, changed, isDirty, set: touch, reset: clear, saved } = useDraft<TicketDraft>(loaded, typed)
  const [origins, setOrigins] = useState<Partial<Record<DraftField, unknown>>>(kept?.value.origins ?? {})
  const written = textsOf(changed)
  const onceLeft = useKept<KeptDraft>(place, Object.keys(written).length > 0 ? { changed: written, origins } : undefined)
  const [isFromBefore, setFromBefore] = useState(Object.keys(written).length > 0)

  const touched = Object.keys(changed) as DraftField[]
  const clashes: Clash[] = touched.flatMap(field => {
    const theirs = loaded[field]
    if (typeof theirs === 'object' || theirs === undefined) return []
    return !(field in origins) || origins[field] === theirs ? [] : [{ field, theirs }]
  })
  const remember = (field: DraftField, value: unknown) => setOrigins(now => ({ ...now, [field]: value }))

  return {
    draft,
    changed,
    isDirty,
    clashes,
    /** When the shown edits were typed, if that was before the page was loaded. */
    keptAt: isFromBefore && isDirty ? kept?.at : undefined,
    set: <Field extends DraftField>(field: Field, value: TicketDraft[Field]) => {
      // What was just saved may not be loaded yet.
      if (!(field in changed)) remember(field, draft[field])
      touch({ [field]: value } as Partial<TicketDraft>)
    },
    keepMine: (field: DraftField) => remember(field, loaded[field]),
    takeTheirs: (field: DraftField) => touch({ [field]: loaded[field] } as Partial<TicketDraft>),
    reset: () => {
      setFromBefore(false)
      clear()
    },
    /** Call when `sent` is stored: further edits are based on it. */
    saved: (sent: Partial<TicketDraft>) => {
      const stored = sent.Title === undefined ? sent : { ...sent, Title: sent.Title.trim() }
      setFromBefore(false)
      saved(sent, stored)
      const over = (now: KeptDraft['origins']) => ({ ...now, ...stored })
      setOrigins(over)
      onceLeft(({ changed, origins }) => {
        const rest = Object.entries(changed).filter(([field, text]) => text !== sent[field as DraftField])
        return rest.length > 0 ? { changed: Object.fromEntries(rest) as Partial<TicketDraft>, origins: over(origins) } : undefined
      })
    },
  }
}
