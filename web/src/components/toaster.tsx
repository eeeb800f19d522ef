import { lazy, Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { SessionTimedOut } from '../lib/api.ts'
import type { ShowToast, Toast, ToastAction, ToasterProps } from './toast-stack.tsx'

const ToastStack = lazy(loadStack)
/** Pages show first; the stack comes after them, in milliseconds, or with the first message. Later the connection may be gone. */
const patience = 2000

/** Goes on trying, in milliseconds: what could not be loaded, this stack says itself. */
const retryAfter = 3000
async function loadStack() {
  try {
    return { default: (await import('./toast-stack.tsx')).ToastStack }
  } catch {
    await new Promise(resolve => setTimeout(resolve, retryAfter))
    return loadStack()
  }
}

/** Messages that wait for the stack, and how to hurry it. */
let waiting: ((show: ShowToast) => void)[] = []
let hurry: (() => void) | undefined
let ready: ShowToast | undefined

function onReady(show: ShowToast) {
  ready = show
  for (const tell of waiting) tell(show)
  waiting = []
}

/** Where messages stand: outside of the page, which a dialog puts out of reach. */
export function Toaster({ position = 'bottom-left' }: ToasterProps) {
  const [isWanted, setWanted] = useState(waiting.length > 0)
  useEffect(() => {
    hurry = () => setWanted(true)
    const timer = setTimeout(hurry, patience)
    return () => {
      clearTimeout(timer)
      hurry = undefined
      ready = undefined
    }
  }, [])
  return createPortal(<Suspense>{isWanted && <ToastStack position={position} onReady={onReady} />}</Suspense>, document.body)
}

/** Shows a message; the answer takes it away. */
function show(toast: Toast) {
  let isOver = false
  let dismiss: (() => void) | undefined
  const tell = (showNow: ShowToast) => {
    if (!isOver) dismiss = showNow(toast)
  }
  if (ready) tell(ready)
  else {
    waiting.push(tell)
    hurry?.()
  }
  return () => {
    isOver = true
    dismiss?.()
  }
}

export const notify = {
  info: (message: string, action?: ToastAction) => show({ kind: 'info', message, action }),
  success: (message: string, action?: ToastAction) => show({ kind: 'success', message, action }),
  error: (message: string, action?: ToastAction) => show({ kind: 'error', message, action }),
  /** What failed, and below it why; nothing where the session ended, as the reconnect dialog says so. */
  failure: (problem: Error, words?: string) => {
    if (problem instanceof SessionTimedOut) return
    show({ kind: 'error', message: words ?? problem.message, detail: words && problem.message })
  },
  /** A warning that stays; the answer takes it away. */
  warning: (message: string, action?: ToastAction) => show({ kind: 'warning', message, action, lasting: true }),
}
