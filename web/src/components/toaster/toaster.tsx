import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { SessionTimedOut } from '../../lib/calls/api.ts'
import { onRefusedKey, useActions } from '../../lib/input/actions.ts'
import { keepFocusOr } from '../../lib/input/keep-focus.ts'
import { createListeners } from '../../lib/state/listeners.ts'
import { CheckCircleIcon, ErrorIcon, InfoIcon, WarningIcon } from '../icons/icons.tsx'
import styles from './toaster.module.css'
import { useShift } from './use-shift.ts'

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
  /** Milliseconds until it disappears; infinite if it waits for an answer. */
  left: number
  /** It is fading out. */
  isLeaving: boolean
}

const shownAtOnce = 4
const duration = 7000
const fading = 300
const tick = 250

let toasts: readonly Toast[] = []
let count = 0
const { subscribe, notify: render } = createListeners()
function set(next: readonly Toast[]) {
  toasts = next
  render()
}

function dismiss(id: number) {
  if (!toasts.some(toast => toast.id === id && !toast.isLeaving)) return
  set(toasts.map(toast => (toast.id === id ? { ...toast, isLeaving: true } : toast)))
  setTimeout(() => set(toasts.filter(toast => toast.id !== id)), fading)
}

/** Shows a message; the returned function removes it. */
function show(
  kind: Toast['kind'],
  message: string,
  { reason, action, left = duration }: Partial<Pick<Toast, 'reason' | 'action' | 'left'>> = {},
) {
  count += 1
  const id = count
  // An error that comes again replaces its equal. Equal messages with different actions, such as two failed UNDOs, all stay.
  const isRepeated = (toast: Toast) =>
    kind === 'error' && toast.kind === kind && toast.message === message && toast.reason === reason && toast.action === action
  const others = toasts.filter(toast => !isRepeated(toast))
  // A new one replaces the oldest, if possible one without an UNDO, but not one that waits for an answer.
  const expiring = others.filter(toast => Number.isFinite(toast.left))
  const replaced =
    others.length < shownAtOnce
      ? undefined
      : (others.find(toast => toast.isLeaving) ?? expiring.find(toast => toast.action?.label !== 'UNDO') ?? expiring[0])
  set([...others.filter(toast => toast !== replaced), { id, kind, message, reason, action, left, isLeaving: false }])
  return () => dismiss(id)
}

export const notify = {
  info: (message: string, action?: ToastAction) => show('info', message, { action }),
  success: (message: string, action?: ToastAction) => show('success', message, { action }),
  error: (message: string, action?: ToastAction) => show('error', message, { action }),
  /** What failed, with the reason in a second line. Nothing if the session ended, because the reconnect dialog says so. */
  failure: (problem: Error, words?: string, action?: ToastAction) => {
    if (problem instanceof SessionTimedOut) return
    show('error', words ?? problem.message, { reason: words === undefined ? undefined : problem.message, action })
  },
  /** Takes away the failures with these words: what failed has succeeded at a further attempt. */
  clear: (...failures: readonly string[]) => {
    for (const { id, kind, message, action } of toasts) if (kind === 'error' && !action && failures.includes(message)) dismiss(id)
  },
  /** Stays until the returned function is called. */
  working: (message: string) => show('info', message, { left: Number.POSITIVE_INFINITY }),
  /** A warning that stays until the returned function is called. */
  warning: (message: string, action?: ToastAction) => show('warning', message, { action, left: Number.POSITIVE_INFINITY }),
}

let hideReason = () => {}
onRefusedKey(reason => {
  // A key that is pressed again does not fill the corner with the same words.
  hideReason()
  hideReason = notify.info(reason)
})

/** Where the focus was before it came to the messages. It returns there, or else to the open dialog or the page's heading. */
let origin: HTMLElement | null = null
const focusTarget = () =>
  [origin, document.querySelector<HTMLElement>('[data-layer]:not([inert]) [data-first-focus]'), document.querySelector('h1')].find(
    place => place?.isConnected,
  ) ?? document.body
const keepFocusInMessages = (box: HTMLElement | null) => (box ? keepFocusOr(box, focusTarget) : undefined)

/**
 * The toasts, outside of the page, which a dialog makes inert: at most 4, the newest at the bottom, each for 7 s, or longer while the pointer or the
 * focus is on them. A fifth replaces the oldest, if possible one without an UNDO. A pointer that already rested where a toast appears does not pause
 * it until it moves.
 */
export function Toaster({ position = 'bottom-left' }: { position?: 'bottom-left' | 'bottom-right' }) {
  const all = useSyncExternalStore(subscribe, () => toasts)
  const shown = all.slice(-shownAtOnce)
  const list = useRef<HTMLOListElement>(null)
  useShift(list)
  const hasMovedThere = useRef(false)
  /** The message whose action was taken last. */
  const acted = useRef<number>(undefined)
  const isEmpty = all.length === 0
  useActions([
    {
      keys: 'F6',
      label: 'Go to the newest message, or back',
      isEverywhere: true,
      refused: isEmpty ? 'There is no message' : undefined,
      run: () => {
        const isThere = list.current?.contains(document.activeElement)
        const newest = [...(list.current?.querySelectorAll<HTMLElement>('li:last-child button') ?? [])].at(-1)
        ;(isThere ? focusTarget() : newest)?.focus()
      },
    },
  ])
  useEffect(() => {
    hasMovedThere.current = false
    if (isEmpty) return
    const timer = setInterval(() => {
      hasMovedThere.current &&= list.current?.matches(':hover') === true
      // A focus that came by a click, such as that of Dismiss, does not pause the toasts.
      if (document.hidden || hasMovedThere.current || list.current?.querySelector(':focus-visible')) return
      // No re-render for the countdown: only when a toast expires.
      for (const toast of toasts.slice(-shownAtOnce)) {
        toast.left -= tick
        if (toast.left <= 0) dismiss(toast.id)
      }
    }, tick)
    return () => clearInterval(timer)
  }, [isEmpty])
  // Nor does a pointer that rests after its click on Dismiss or UNDO.
  const close = (id: number) => {
    hasMovedThere.current = false
    dismiss(id)
  }
  return createPortal(
    <section
      ref={keepFocusInMessages}
      data-messages
      aria-label="Messages"
      onPointerMove={() => {
        hasMovedThere.current = true
      }}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) origin = relatedTarget as HTMLElement | null
      }}
      aria-live="polite"
      aria-relevant="additions text"
    >
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
              <button type="button" className={styles.button} onClick={() => close(id)}>
                Dismiss
              </button>
              {action && (
                <button
                  type="button"
                  className={styles.button}
                  data-action
                  onClick={() => {
                    // The second click of a double click. A message that fades out by itself can still be clicked.
                    if (acted.current === id) return
                    acted.current = id
                    close(id)
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
