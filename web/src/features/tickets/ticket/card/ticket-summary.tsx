import { type RefObject, useEffect, useState } from 'react'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { scaled, useFontSize } from '../../../../lib/display/larger-font.ts'
import type { Ticket } from '../../ticket.ts'
import { selection } from '../fields/field-value.ts'
import styles from './ticket-summary.module.css'

/** Whether the ticket's facts are scrolled out of sight above. */
export function useIsPast(card: RefObject<HTMLElement | null>) {
  const [isPast, setPast] = useState(false)
  const font = useFontSize()
  useEffect(() => {
    const facts = card.current?.querySelector('dl')
    if (!facts) return
    /** The height of what stays at the top of the window, in pixels. */
    const bars = scaled(110)
    const observer = new IntersectionObserver(
      ([entry]) => setPast(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.bottom < bars),
      { rootMargin: `-${bars}px 0px 0px 0px` },
    )
    observer.observe(facts)
    return () => observer.disconnect()
  }, [card, font])
  return isPast
}

/** The most important facts, shown beside a long text. A copy, hidden from screen readers, which have the facts themselves. */
export function TicketSummary({ ticket }: { ticket: Ticket }) {
  const people = [...new Set(ticket.Assignees.map(({ Name }) => Name))]
  return (
    <p aria-hidden className={styles.summary}>
      <span>
        <PhaseMark phase={ticket.Phase} /> {ticket.State}
      </span>
      <span>{ticket.Type}</span>
      <span>{people.length === 0 ? 'Nobody assigned' : people.join(', ')}</span>
      <span>{[...ticket.Labels.map(({ Label }) => Label), ...choices(ticket)].join(', ')}</span>
    </p>
  )
}

/** The chosen options of the ticket's fields. */
function choices({ Fields }: Ticket) {
  return Fields.flatMap(({ Label, Value, Renderer, FieldProps }) => {
    if (Renderer !== 'SELECT' && Renderer !== 'MULTISELECT') return []
    const values = Renderer === 'SELECT' ? [Value] : selection(Value)
    const words = FieldProps.filter(({ value }) => values.includes(value)).map(({ label }) => label)
    return words.length > 0 ? [`${Label}: ${words.join(', ')}`] : []
  })
}
