import { useState } from 'react'
import { formatNumber } from '../../lib/display/format.ts'
import { folded } from '../../lib/forms/best-matches.ts'
import { Button } from '../button/button.tsx'
import { TypedStatus } from '../visually-hidden/typed-status.tsx'
import styles from './long-list.module.css'

const searchableFrom = 12
const shownAtFirst = 20
const shownMore = 100

/**
 * The rows of a card whose list may be long: those whose text contains what was typed, of which the first are shown. `search` is for the head of the
 * card, null for a short list; `rest` goes below the rows.
 */
export function useLongList<Row>(rows: readonly Row[] | undefined, textOf: (row: Row) => string, names: { one: string; many: string }) {
  const [typed, setTyped] = useState('')
  const [most, setMost] = useState(shownAtFirst)
  const wanted = folded(typed.trim())
  const found = (rows ?? []).filter(row => folded(textOf(row)).includes(wanted))
  const label = `Search ${names.many}`
  return {
    found,
    shown: found.slice(0, most),
    search: (rows?.length ?? 0) >= searchableFrom && (
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        className={styles.search}
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
    ),
    rest: (
      <>
        <TypedStatus>{wanted !== '' && found.length > 0 ? `${formatNumber(found.length)} found` : ''}</TypedStatus>
        {rows && rows.length > 0 && found.length === 0 && (
          <p role="status" className={styles.none}>
            No {names.one} matches
          </p>
        )}
        {found.length > most && (
          <div className={styles.more}>
            <Button onClick={() => setMost(most + shownMore)}>SHOW MORE ({formatNumber(found.length - most)})</Button>
          </div>
        )}
      </>
    ),
  }
}
