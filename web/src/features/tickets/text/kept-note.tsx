import { Button } from '../../../components/button/button.tsx'
import { formatDateTime } from '../../../lib/display/format.ts'
import styles from './kept-note.module.css'

/** Says of a text that came back when it was typed, in milliseconds since 1970, and takes it away on request. */
export function KeptNote({ at, onDiscard }: { at: number; onDiscard: () => void }) {
  return (
    <div role="status" className={styles.note}>
      <span>Typed {formatDateTime(Math.floor(at / 1000))}, not saved yet.</span>
      <Button onClick={onDiscard}>DISCARD</Button>
    </div>
  )
}
