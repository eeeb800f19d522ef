import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { counted } from '../../../../lib/display/format.ts'
import type { DatedTickets } from '../dated-tickets.ts'

interface ShownCountProps {
  /** `calendar` */
  area: string
  /** The days that are shown. */
  title: string
  isLoading: boolean
  shown: DatedTickets | undefined
}

/** Tells a screen reader how many tickets the days have. */
export function ShownCount({ area, title, isLoading, shown }: ShownCountProps) {
  const words = isLoading ? `Loading the ${area}` : shown && `${title}: ${counted(shown.total, 'ticket')}`
  return <VisuallyHidden role="status">{words}</VisuallyHidden>
}
