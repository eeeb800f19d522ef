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
