import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { PageHeading } from '../../../../components/page-content/page-heading.tsx'
import styles from './ticket-heading.module.css'

interface TicketHeadingProps {
  code: string
  title: string
  readOnly: boolean
  onChange: (title: string) => void
}

/** The ticket's code and title; the title is edited in place. */
export function TicketHeading({ code, title, readOnly, onChange }: TicketHeadingProps) {
  const [before, setBefore] = useState<string>()
  const start = useRef<HTMLButtonElement>(null)
  const isEditing = before !== undefined
  const stop = () => {
    flushSync(() => setBefore(undefined))
    start.current?.focus()
  }
  const shown = readOnly ? (
    <span className={styles.title}>{title}</span>
  ) : (
    <button ref={start} type="button" title="Edit" className={styles.title} onClick={() => setBefore(title)}>
      {title || 'Enter a description'}
    </button>
  )
  return (
    <PageHeading className={styles.heading}>
      <span className={styles.kind}>Ticket Detail</span>
      <span className={styles.code}>{code}</span>
      {isEditing ? (
        <span className={styles.editor} data-text={title}>
          <textarea
            // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
            autoFocus
            rows={1}
            aria-label="Description"
            value={title}
            onChange={event => onChange(event.target.value.replaceAll('\n', ' '))}
            onBlur={() => setBefore(undefined)}
            onKeyDown={event => {
              if (event.nativeEvent.isComposing) return
              if (event.key === 'Enter') {
                event.preventDefault()
                stop()
              } else if (event.key === 'Escape') {
                onChange(before)
                stop()
              }
            }}
          />
        </span>
      ) : (
        shown
      )}
    </PageHeading>
  )
}
