import { useEffect, useSyncExternalStore } from 'react'

let title: string | undefined
const listeners = new Set<() => void>()
function become(next: string | undefined) {
  title = next
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Puts what the page shows before the product's name in the window's title, while it shows it. */
export function usePageTitle(of: string | undefined) {
  useEffect(() => {
    become(of)
    return () => become(undefined)
  }, [of])
}

/** The window's title: the page's, where it has one and somebody is signed in, and the product's. */
export function useWindowTitle(product: string, isSignedIn: boolean) {
  const page = useSyncExternalStore(subscribe, () => title)
  useEffect(() => {
    document.title = isSignedIn && page ? `${page} - ${product}` : product
  }, [page, product, isSignedIn])
}
