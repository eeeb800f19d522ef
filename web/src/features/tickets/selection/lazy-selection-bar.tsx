import { type ComponentProps, Suspense } from 'react'
import { lazy } from '../../../components/lazy/lazy.tsx'
import type { SelectionBar } from './selection-bar.tsx'

const Bar = lazy(async () => (await import('./selection-bar.tsx')).SelectionBar)

/** The bar, loaded with the first selection. Until then the keys of a row are the row's, which is the ticket that was selected. */
export function LazySelectionBar(props: ComponentProps<typeof SelectionBar>) {
  return (
    <Suspense>
      <Bar {...props} />
    </Suspense>
  )
}
