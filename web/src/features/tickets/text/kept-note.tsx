import { Button } from '../../../components/button/button.tsx'
import { formatDateTime } from '../../../lib/display/format.ts'
import styles from './kept-note.module.css'

/** Says when a restored text was typed, in milliseconds since 1970, and offers to discard it. */
export function KeptNote({ at, onDiscard }: { at: number; onDiscard: () => void }) {
  return (
    <div role="status" className={styles.note}>
      <span>Typed {formatDateTime(Math.floor(at / 1000))}, not saved yet.</span>
      <Button onClick={onDiscard}>DISCARD</Button>
    </div>
  )
}
