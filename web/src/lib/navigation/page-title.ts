import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../state/listeners.ts'

let title: string | undefined
const { subscribe, notify } = createListeners()
function become(next: string | undefined) {
  title = next
  notify()
}

/** Puts the page's subject, once it is known, before the product's name in the window's title, while the component is mounted. */
export function usePageTitle(of: string | undefined) {
  useEffect(() => {
    if (!of) return
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
