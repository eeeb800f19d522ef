import { phaseName } from '@tessera/contract/messages'
import type { Phase } from '@tessera/contract/scalars'

/** A phase by color and by shape: a ring, a disc, a square. `labelled` if no text beside it names the phase. */
export function PhaseMark({ phase, labelled = false }: { phase: Phase; labelled?: boolean }) {
  const name = labelled ? { role: 'img', 'aria-label': phaseName[phase] } : { 'aria-hidden': true }
  return <span className="phase-mark" data-phase={phase} {...name} />
}
