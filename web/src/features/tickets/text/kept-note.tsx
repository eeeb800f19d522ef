import { flushSync } from 'react-dom'
import { Button } from '../../../components/button/button.tsx'
import { formatDateTime } from '../../../lib/display/format.ts'
import { focusHeading } from '../../../lib/navigation/arrival.ts'
import styles from './kept-note.module.css'

/** Says when a restored text was typed, in milliseconds since 1970, and offers to discard it. */
export function KeptNote({ at, onDiscard }: { at: number; onDiscard: () => void }) {
  const discard = () => {
    flushSync(onDiscard)
    // The button, which had it, is gone.
    focusHeading()
  }
  return (
    <div role="status" className={styles.note}>
      <span>Typed {formatDateTime(Math.floor(at / 1000))}, not saved yet.</span>
      <Button onClick={discard}>DISCARD</Button>
    </div>
  )
}
