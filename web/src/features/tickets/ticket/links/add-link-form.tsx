import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { findTickets, type LinkKind, setTicketLink } from '@tessera/contract/tickets/links'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Autocomplete } from '../../../../components/autocomplete/autocomplete.tsx'
import { Button } from '../../../../components/button/button.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { Select } from '../../../../components/select/select.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { type CallError, callQuery } from '../../../../lib/calls/api.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { refusalMessage } from '../../../../lib/forms/refusal-messages.ts'
import { useDebounced } from '../../../../lib/state/use-debounced.ts'
import type { Ticket } from '../../ticket.ts'
import { nameOf } from '../../ticket.ts'
import styles from './add-link-form.module.css'
import { kinds, kindWords } from './kind-words.ts'

interface AddLinkFormProps {
  ticket: Ticket
  onAdded: (kind: LinkKind, other: { id: number; code: string }) => void
  onClose: () => void
}

type Found = Response<typeof findTickets>[number]

/** The search waits until nothing was typed for this long, in milliseconds. */
const pause = 200

function problemOf(error: CallError | null) {
  return error?.status === 404 ? 'That ticket does not exist, or you may not see it' : refusalMessage(error)
}

/** Links the ticket with another one of the organization, found by its key or by words of its title. */
export function AddLinkForm({ ticket, onAdded, onClose }: AddLinkFormProps) {
  const { idTicket } = ticket
  const [kind, setKind] = useState<LinkKind>('relates')
  const [other, choose] = useState<(Found & { text: string }) | null>(null)
  const [text, setText] = useState('')
  const wanted = useDebounced(text.trim(), pause)
  const link = useCallMutation(setTicketLink)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const found = useQuery({
    ...callQuery(findTickets, { idTicket, Text: wanted }),
    enabled: wanted !== '' && wanted !== other?.text,
    placeholderData: keepPreviousData,
  })
  const others = wanted === '' ? [] : (found.data ?? []).filter(({ id }) => id !== idTicket)
  const options = others.map(each => ({ ...each, text: `${nameOf(each)} ${each.Title}` }))
  const isOfSent = link.variables?.idOther === other?.id && link.variables?.Kind === kind
  const problem = isOfSent ? problemOf(link.error) : undefined
  /** What is chosen and typed. */
  const entered = `${kind} ${text}`
  const latest = useRef(entered)
  useLayoutEffect(() => {
    latest.current = entered
  })
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (other && !link.isPending)
          link.mutate(
            { idTicket, idOther: other.id, Kind: kind },
            {
              onSuccess: () => {
                // What was entered meanwhile stays.
                if (latest.current === entered) onClose()
                onAdded(kind, { id: other.id, code: nameOf(other) })
              },
              onError: problem => {
                if (latest.current !== entered) notify.failure(problem)
              },
            },
          )
      }}
      onKeyDown={event => {
        if (event.key === 'Escape' && !event.defaultPrevented && !event.nativeEvent.isComposing) onClose()
      }}
    >
      <Select
        label="This ticket"
        value={kind}
        options={kinds.map(value => ({ value, label: kindWords[value] }))}
        onChange={setKind}
        className={styles.kind}
      />
      <Autocomplete
        ref={input}
        label="Ticket"
        placeholder="Key or words of the title"
        options={options}
        value={other}
        onChange={choose}
        text={text}
        onTextChange={setText}
        loading={wanted !== text.trim() || found.isFetching}
        emptyText={text.trim() === '' ? 'Type a key or words of the title' : 'No other ticket that you can see matches'}
        renderOption={each => (
          <>
            <PhaseMark phase={each.Phase} />
            <span className={styles.code}>{nameOf(each)}</span>
            <span className={styles.title}>{each.Title}</span>
          </>
        )}
        problem={problem}
        className={styles.ticket}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="contained" disabled={!other || link.isPending} aria-busy={link.isPending}>
          LINK
        </Button>
        <Button onClick={onClose}>CANCEL</Button>
      </div>
    </form>
  )
}
