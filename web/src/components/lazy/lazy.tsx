import { type ComponentType, Suspense, use, useEffect, useEffectEvent, useState } from 'react'
import { HeldKeys } from '../../lib/input/keys/held-keys.ts'
import { ErrorState } from '../empty-state/error-state.tsx'
import { notify } from '../toaster/toaster.tsx'
import { LoadingBar } from './loading-bar.tsx'

/** An update of the server removes the parts of the version before: then only a reload helps. */
export const partProblem =
  'A part of the application could not be loaded. Check the connection and try again. If Tessera was updated meanwhile, reload the page.'

/**
 * Like React's `lazy`, with a `load` that returns the component itself. One that cannot be loaded does not affect the page around it or what is typed
 * there: a dialog reports the error and closes, anything else offers a retry. The next opening tries again. Keys typed while a dialog is loading
 * trigger no shortcut. A dialog, which is what has an `onClose`, needs no `Suspense`, unless with `keepsTyped` the caller shows what it likes and
 * handles the keys meanwhile. With `isSilent` the caller also reports that a part could not be loaded. `prepare` loads it ahead; once it is
 * loaded, it is drawn at once.
 */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>, { keepsTyped = false, isSilent = false } = {}) {
  let part: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined
  const start = () => {
    part ??= load().then(
      component => {
        loaded = component
        return component
      },
      () => Unloaded as ComponentType<Props>,
    )
    return part
  }

  function Unloaded({ onClose, onRetry }: { onClose?: () => void; onRetry: () => void }) {
    const tell = useEffectEvent(() => {
      if (!onClose) return
      if (!isSilent) notify.error(partProblem)
      onClose()
    })
    useEffect(() => {
      part = undefined
      tell()
    }, [])
    return onClose ? null : <ErrorState dense message={partProblem} onRetry={onRetry} />
  }

  function Loaded(props: Props) {
    const [mine, take] = useState(start)
    const Part = use(mine)
    return <Part {...props} {...((Part as unknown) === Unloaded && { onRetry: () => take(start()) })} />
  }
  function Lazy(props: Props) {
    // `use` suspends for a moment even if its promise is fulfilled.
    const [Ready] = useState(() => loaded)
    if (Ready) return <Ready {...props} />
    if (keepsTyped || !('onClose' in props)) return <Loaded {...props} />
    return (
      <Suspense
        fallback={
          <>
            <HeldKeys />
            <LoadingBar label="Loading" />
          </>
        }
      >
        <Loaded {...props} />
      </Suspense>
    )
  }
  const prepare = async () => {
    // Nobody has seen that it failed: when it is needed, it is tried again.
    if (((await start()) as unknown) === Unloaded) part = undefined
  }
  return Object.assign(Lazy, { prepare: () => void prepare() })
}
