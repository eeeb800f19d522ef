import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { previewBulkChange } from '@tessera/contract/tickets/bulk'
import type { ComponentProps } from 'react'
import { Link } from '../../../../components/link/link.tsx'
import { MoreButton } from '../../../../components/more-button/more-button.tsx'
import { counted, formatNumber } from '../../../../lib/display/format.ts'
import styles from './change-preview.module.css'

export type PreviewPage = Omit<Response<typeof previewBulkChange>, 'idPreview'>

type Titles = PreviewPage['Titles']

interface TicketLinesProps {
  pcode: string
  ids: readonly number[]
  titles: Titles
  /** Why they stay as they are. */
  label: string
}

/** Tickets that stay as they are: each a link, with its title. */
export function TicketLines({ pcode, ids, titles = [], label }: TicketLinesProps) {
  const titleOf = new Map(titles.map(({ id, Title }) => [id, Title]))
  const unnamed = ids.length - limits.namedTickets
  return (
    <ul className={styles.tickets} aria-label={label}>
      {ids.slice(0, limits.namedTickets).map(id => (
        <li key={id} className={styles.head}>
          <Link underlined to={`/view-ticket/${id}`} target="_blank" className={styles.code}>
            {pcode}-{id}
          </Link>
          <TicketTitle title={titleOf.get(id)} />
        </li>
      ))}
      {unnamed > 0 && <li>and {formatNumber(unnamed)} more</li>}
    </ul>
  )
}

/** On one line, as far as it fits. */
function TicketTitle({ title }: { title: string | undefined }) {
  return (
    <bdi className={styles.title} title={title}>
      {title}
    </bdi>
  )
}

interface ChangePreviewProps {
  pcode: string
  pages: readonly PreviewPage[]
  list: ComponentProps<typeof MoreButton>['list']
  /** The word for tickets that are listed with a reason. */
  refused?: 'refused' | 'not reverted'
}

/** The preview of a change: how many tickets change, which are refused and why, and the values before and after. */
export function ChangePreview({ pcode, pages, list, refused: refusedWord = 'refused' }: ChangePreviewProps) {
  const [first] = pages
  if (!first) return null
  const refused = new Set(first.Refused.flatMap(({ Tickets }) => Tickets)).size
  const parts = [
    first.Changed === 0 ? 'No tickets change' : `${counted(first.Changed, 'ticket')} ${first.Changed === 1 ? 'changes' : 'change'}`,
    ...(first.Along
      ? [
          `${counted(first.Along, 'ticket')} below ${first.Changed === 1 ? 'it' : 'them'} ${first.Along === 1 ? 'goes' : 'go'} to the trash too`,
        ]
      : []),
    ...(first.Same > 0 ? [`${formatNumber(first.Same)} ${first.Same === 1 ? 'stays' : 'stay'} the same`] : []),
    ...(refused > 0 ? [`${formatNumber(refused)} ${refused === 1 ? 'is' : 'are'} ${refusedWord}`] : []),
  ]
  return (
    <>
      <p role="status" className={styles.summary}>
        {parts.join(', ')}.
      </p>
      {first.Refused.map(({ Reason, Tickets }) => (
        <div key={Reason}>
          <p>
            {Reason} ({formatNumber(Tickets.length)}):
          </p>
          <TicketLines pcode={pcode} ids={Tickets} titles={first.Titles} label={Reason} />
        </div>
      ))}
      {first.Changed > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section aria-label="Before and after" tabIndex={0} className={styles.scroll}>
          <ul>
            {pages
              .flatMap(({ Rows, Titles = [] }) => Rows.map(row => ({ ...row, title: Titles.find(({ id }) => id === row.id)?.Title })))
              .map(({ id, Changes, title }) => (
                <li key={id} className={styles.row}>
                  <div className={styles.head}>
                    <span className={styles.code}>
                      {pcode}-{id}
                    </span>
                    <TicketTitle title={title} />
                  </div>
                  <dl className={styles.changes}>
                    {Changes.map(({ Field, Before, After }, index) => (
                      <div key={index}>
                        <dt>{Field}:</dt>
                        <dd>
                          {Before !== null && <del className={styles.before}>{Before}</del>} {Before !== null && '→ '}
                          {After ?? 'none'}
                        </dd>
                      </div>
                    ))}
                  </dl>
                </li>
              ))}
          </ul>
          <MoreButton label="SHOW MORE" list={list} />
        </section>
      )}
    </>
  )
}
