import { createPortal } from 'react-dom'

/** A bar at the top of the window while a page or a dialog is being loaded; nothing is seen of it if that is quick. */
export function LoadingBar({ label }: { label: string }) {
  return createPortal(<div role="progressbar" aria-label={label} className="loading-bar" />, document.body)
}
