import { useEffect } from 'react'

let places = 0

/** Registers unsaved input while `isDirty`. */
export function useUnsaved(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return
    places += 1
    return () => {
      places -= 1
    }
  }, [isDirty])
}
/** Whether anything typed on the page or in a dialog would be lost with the page. */
export function hasUnsaved() {
  return places > 0
}

/** While `isDirty`, the browser asks before the page is closed or reloaded. */
export function useCloseWarning(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
}
