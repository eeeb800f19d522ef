import type { Response } from '@tessera/contract/call'
import type { previewBulkChange } from '@tessera/contract/tickets/bulk'
import { Link } from '../../../../components/link/link.tsx'
import { MoreButton } from '../../../../components/more-button/more-button.tsx'
import { counted, formatNumber } from '../../../../lib/display/format.ts'
import styles from './change-preview.module.css'

export type PreviewPage = Omit<Response<typeof previewBulkChange>, 'idPreview'>

/** How many tickets a list of refusals names; the others are only counted. */
const namedAtMost = 50

/** Tickets by their codes, each a link. */
export function TicketCodes({ pcode, ids }: { pcode: string; ids: readonly number[] }) {
  return (
    <>
      {ids.slice(0, namedAtMost).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link underlined to={`/view-ticket/${id}`} target="_blank">
            {pcode}-{id}
          </Link>
        </span>
      ))}
      {ids.length > namedAtMost && ` and ${formatNumber(ids.length - namedAtMost)} more`}
    </>
  )
}

interface ChangePreviewProps {
  pcode: string
  pages: readonly PreviewPage[]
  list: { hasMore: boolean; isFetching: boolean; error: Error | null; more: () => void }
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
          <p className={styles.tickets}>
            <TicketCodes pcode={pcode} ids={Tickets} />
          </p>
        </div>
      ))}
      {first.Changed > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section aria-label="Before and after" tabIndex={0} className={styles.scroll}>
          <ul>
            {pages
              .flatMap(({ Rows }) => Rows)
              .map(({ id, Changes }) => (
                <li key={id} className={styles.row}>
                  <span className={styles.code}>
                    {pcode}-{id}
                  </span>
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
