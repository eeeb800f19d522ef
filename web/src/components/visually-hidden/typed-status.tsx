import { useDebounced } from '../../lib/state/use-debounced.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

/** In milliseconds: longer than between two keys. */
const pause = 500

/** Says to screen readers what typing has led to, once it has not changed for a moment: with each key it would talk over the keys. */
export function TypedStatus({ children }: { children: string }) {
  return <VisuallyHidden role="status">{useDebounced(children, pause)}</VisuallyHidden>
}
