import { Fragment } from 'react'
import { PhaseMark } from '../../../components/icons/phase-mark.tsx'
import { LabelChip } from '../../../components/label-chip/label-chip.tsx'
import type { FoundTicket } from './found.ts'
import { Marked, MarkedText } from './marked.tsx'
import styles from './result-lines.module.css'

interface ResultLinesProps {
  ticket: FoundTicket
  words: readonly string[]
  /** Its project, unless all results are in the same one. */
  project: string | undefined
}

/** A search result: key and title, then the snippet. */
export function ResultLines({ ticket, words, project }: ResultLinesProps) {
  const path = [project, ...(ticket.Path ?? []).map(({ Title }) => Title)].filter(Boolean).join(' › ')
  const state = ticket.Trashed ? 'In the trash' : ticket.State
  return (
    <span className={styles.lines}>
      <PhaseMark phase={ticket.Phase} />
      <span className={styles.called}>
        <span className={styles.key}>
          {ticket.pcode}-{ticket.id}
        </span>{' '}
        <span className={styles.title} data-closed={ticket.Phase === 3 || undefined}>
          <MarkedText text={ticket.Title} words={words} />
        </span>{' '}
        {ticket.Labels.map(({ idLabel, Label, Color }) => (
          <Fragment key={idLabel}>
            <LabelChip name={Label} color={Color} />{' '}
          </Fragment>
        ))}
      </span>
      {/* It may be cut off. */}
      <span className={styles.state} title={state}>
        {state}
      </span>
      {ticket.Snippet && (
        <span className={styles.snippet}>
          <Marked pieces={ticket.Snippet} />
        </span>
      )}
      {path && <span className={styles.path}>{path}</span>}
    </span>
  )
}
