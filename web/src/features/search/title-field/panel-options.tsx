import type { ReactNode } from 'react'
import type { Session } from '../../../lib/session/session.tsx'
import type { Suggestion } from '../query-field/use-suggestions.ts'
import { type Found, type FoundTicket, formatTotal } from '../results/found.ts'
import { ResultLines } from '../results/result-lines.tsx'
import styles from './search-panel.module.css'

export interface Option {
  key: string
  /** Where it leads; without it, it completes the text. */
  to?: string
  text?: string
  content: ReactNode
}

/** Completes the text that is typed. */
export function suggestionOption({ Text, Label, From, To }: Suggestion, text: string): Option {
  return {
    key: `suggestion-${Text}`,
    text: text.slice(0, From) + Text + text.slice(To),
    content: (
      <span className={styles.suggestion}>
        <b>{Text}</b> {Label.toLowerCase() !== Text.toLowerCase() && Label}
      </span>
    ),
  }
}

export function ticketOption(ticket: FoundTicket, words: readonly string[], projects: Session['projects']): Option {
  const project = projects.length > 1 ? projects.find(({ id }) => id === ticket.idProject) : undefined
  return {
    key: `ticket-${ticket.id}`,
    to: `/view-ticket/${ticket.id}`,
    content: <ResultLines ticket={ticket} words={words} project={project?.Title} />,
  }
}

export function allPath(query: string) {
  return `/search?${new URLSearchParams({ q: query })}`
}
/** Lead to the page with all results, and with those of this project. */
export function allOptions(query: string, answer: Found | undefined, project: Session['projects'][number] | undefined): Option[] {
  const everywhere = {
    key: 'all',
    to: allPath(query),
    content: <span className={styles.all}>All results{answer && ` (${formatTotal(answer)})`}</span>,
  }
  if (!project) return [everywhere]
  const here = {
    key: 'all-here',
    to: `${allPath(query)}&project=${project.id}`,
    content: <span className={styles.all}>All results in {project.Title}</span>,
  }
  return [everywhere, here]
}
