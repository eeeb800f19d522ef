import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { Location } from './location.ts'
import { currentPage, guardPage, isLoadingPage, navigate, subscribe } from './navigation.ts'

export function useLocation() {
  return useSyncExternalStore(subscribe, () => currentPage().location)
}

/** The values in the address for the route's `:names`. */
export function useParams() {
  return useSyncExternalStore(subscribe, () => currentPage().params)
}

/** The id in the address; undefined if it is invalid, which a page treats like one that does not exist. */
export function useIdInAddress() {
  const id = Number(useParams().id)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Whether another page is being loaded. */
export function useIsLoadingPage() {
  return useSyncExternalStore(subscribe, isLoadingPage)
}

/** Holds the page while `holds` returns true. While a navigation waits for confirmation, returns functions for the two answers. */
export function useGuard(holds: (to: Location) => boolean) {
  const [leave, setLeave] = useState<() => void>()
  const isHeld = useEffectEvent(holds)
  useEffect(() => guardPage({ holds: to => isHeld(to), ask: go => setLeave(() => go) }), [])
  const stay = () => setLeave(undefined)
  const goOn = () => {
    stay()
    leave?.()
  }
  return { isAsking: leave !== undefined, leave: goOn, stay }
}

export function Navigate({ to }: { to: string }) {
  useEffect(() => void navigate(to, { replace: true }), [to])
  return null
}
