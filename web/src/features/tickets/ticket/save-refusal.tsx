import { useEffect } from 'react'
import { Alert } from '../../../components/alert/alert.tsx'
import type { CallError } from '../../../lib/calls/api.ts'
import { focusHeading } from '../../../lib/navigation/arrival.ts'
import { BlockedRefusal } from './links/blocked-refusal.tsx'
import styles from './ticket-detail.module.css'

const partGone = 'Something among your changes was deleted meanwhile. Nothing was saved: save the rest again.'

/** The ticket exists, but not everything that the save names. */
function isAboutPart({ code, fields }: CallError) {
  return code === 'not_found' && fields.length > 0
}

/** Why the server refused a save. */
export function SaveRefusal({ problem, hasClashes, onClose }: { problem: CallError; hasClashes: boolean; onClose: () => void }) {
  // When it is closed, its button had the focus.
  useEffect(() => focusHeading, [])
  const words = isAboutPart(problem) ? partGone : problem.message
  return (
    <Alert severity="error" className={styles.alert} onClose={onClose}>
      {problem.code === 'blocked' ? <BlockedRefusal problem={problem} /> : words}
      {problem.code === 'conflict' && hasClashes && '. Choose below which value to keep, then save again.'}
    </Alert>
  )
}
