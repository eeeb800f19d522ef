import { phaseName } from '@tessera/contract/messages'
import type { Phase } from '@tessera/contract/scalars'

/** A phase by color and by shape: a ring, a disc, a square. `labeled` if no text beside it names the phase. */
export function PhaseMark({ phase, labeled = false }: { phase: Phase; labeled?: boolean }) {
  const name = labeled ? { role: 'img', 'aria-label': phaseName[phase] } : { 'aria-hidden': true }
  return <span className="phase-mark" data-phase={phase} {...name} />
}
