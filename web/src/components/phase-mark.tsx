import { styled, type Theme } from '@mui/material/styles'
import { phaseName } from '@tessera/contract/messages'
import type { Phase } from '@tessera/contract/scalars'

/** How an element with `data-phase` looks; lists of thousands of rows take it once instead of a component in each. */
export const phaseMarkStyle = ({ vars }: Theme) => ({
  display: 'inline-block',
  flex: 'none',
  width: 8,
  height: 8,
  borderRadius: '50%',
  '&[data-phase="1"]': { border: `2px solid ${vars.palette.phase.proposed}` },
  '&[data-phase="2"]': { background: vars.palette.phase.active },
  '&[data-phase="3"]': { borderRadius: 2, background: vars.palette.phase.inactive },
  '@media (forced-colors: active)': { border: '2px solid CanvasText', '&[data-phase="2"]': { background: 'CanvasText' } },
})
const Mark = styled('span')(({ theme }) => phaseMarkStyle(theme))

/** A phase by colour and by shape: a ring, a disc, a square. `labelled` where no word beside it names the phase. */
export function PhaseMark({ phase, labelled = false }: { phase: Phase; labelled?: boolean }) {
  return labelled ? <Mark data-phase={phase} role="img" aria-label={phaseName[phase]} /> : <Mark data-phase={phase} aria-hidden />
}
