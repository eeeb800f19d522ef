import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { SessionTimedOut } from '../../lib/calls/api.ts'
import { CheckCircleIcon, ErrorIcon, InfoIcon, WarningIcon } from '../icons/icons.tsx'
import styles from './toaster.module.css'

const icons = { info: InfoIcon, success: CheckCircleIcon, error: ErrorIcon, warning: WarningIcon }

export interface ToastAction {
  label: string
  onClick: () => void
}
interface Toast {
  id: number
  kind: keyof typeof icons
  message: string
  /** A second line: why it failed. */
  reason: string | undefined
  action: ToastAction | undefined
  /** Milliseconds that it still stands; for ever when it waits for an answer. */
  left: number
  /** It fades, and is gone then. */
  isLeaving: boolean
}

const shownAtOnce = 4
const duration = 7000
const fading = 300
const tick = 250

let toasts: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()
function set(next: readonly Toast[]) {
  toasts = next
  for (const tell of listeners) tell()
}
function listen(tell: () => void) {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

function dismiss(id: number) {
  if (!toasts.some(toast => toast.id === id && !toast.isLeaving)) return
  set(toasts.map(toast => (toast.id === id ? { ...toast, isLeaving: true } : toast)))
  setTimeout(() => set(toasts.filter(toast => toast.id !== id)), fading)
}

/** Shows a message; the answer takes it away. */
function show(
  kind: Toast['kind'],
  message: string,
  { reason, action, left = duration }: Partial<Pick<Toast, 'reason' | 'action' | 'left'>> = {},
) {
  count += 1
  const id = count
  set([...toasts, { id, kind, message, reason, action, left, isLeaving: false }])
  return () => dismiss(id)
}

export const notify = {
  info: (message: string, action?: ToastAction) => show('info', message, { action }),
  success: (message: string, action?: ToastAction) => show('success', message, { action }),
  error: (message: string, action?: ToastAction) => show('error', message, { action }),
  /** What failed, and in a second line why. Nothing where the session ended: the reconnect dialog says so. */
  failure: (problem: Error, words?: string) => {
    if (problem instanceof SessionTimedOut) return
    show('error', words ?? problem.message, { reason: words === undefined ? undefined : problem.message })
  },
  /** Stays until the answer takes it away. */
  working: (message: string) => show('info', message, { left: Number.POSITIVE_INFINITY }),
  /** A warning that stays; the answer takes it away. */
  warning: (message: string, action?: ToastAction) => show('warning', message, { action, left: Number.POSITIVE_INFINITY }),
}

/** Where messages stand, outside of the page, which a dialog puts out of reach: at most 4, the newest at the bottom, each for 7 s unless the pointer or the focus rests on them. */
export function Toaster({ position = 'bottom-left' }: { position?: 'bottom-left' | 'bottom-right' }) {
  const all = useSyncExternalStore(listen, () => toasts)
  const shown = all.slice(-shownAtOnce)
  const list = useRef<HTMLOListElement>(null)
  const isEmpty = all.length === 0
  useEffect(() => {
    if (isEmpty) return
    const timer = setInterval(() => {
      if (document.hidden || list.current?.matches(':hover, :focus-within')) return
      // Nothing is drawn anew for it: only what is over leaves.
      for (const toast of toasts.slice(-shownAtOnce)) {
        toast.left -= tick
        if (toast.left <= 0) dismiss(toast.id)
      }
    }, tick)
    return () => clearInterval(timer)
  }, [isEmpty])
  return createPortal(
    <section aria-label="Messages" aria-live="polite" aria-relevant="additions text">
      <ol ref={list} className={styles.list} data-position={position}>
        {shown.map(({ id, kind, message, reason, action, isLeaving }) => {
          const Icon = icons[kind]
          return (
            <li key={id} data-toast data-kind={kind} data-leaving={isLeaving || undefined} className={styles.toast}>
              <span className={styles.icon}>
                <Icon />
              </span>
              <div className={styles.words}>
                <div>{message}</div>
                {reason && <div className={styles.reason}>{reason}</div>}
              </div>
              <button type="button" className={styles.button} onClick={() => dismiss(id)}>
                Dismiss
              </button>
              {action && (
                <button
                  type="button"
                  className={styles.button}
                  data-action
                  onClick={() => {
                    dismiss(id)
                    action.onClick()
                  }}
                >
                  {action.label}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </section>,
    document.body,
  )
}
