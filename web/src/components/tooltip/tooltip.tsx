import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import styles from './tooltip.module.css'

const delay = 400
/** A tooltip that follows another one within this time appears at once, in milliseconds. */
const streak = 600
let lastShown = 0

type Anchor = HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }

interface TooltipProps {
  title: string
  children: ReactElement<Anchor>
  /** The child has its own accessible name; the tooltip adds a description. */
  describeChild?: boolean
  onOpen?: () => void
}

/** A tooltip for the hovered or focused child; it is the child's accessible name unless it has one. */
export function Tooltip({ title, children, describeChild = false, onOpen }: TooltipProps) {
  const anchor = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  const own = children.props
  const ownRef = own.ref
  const ref = useCallback(
    (element: HTMLElement | null) => {
      anchor.current = element
      if (typeof ownRef === 'function') return ownRef(element)
      if (ownRef) ownRef.current = element
    },
    [ownRef],
  )
  useEffect(() => () => clearTimeout(timer.current), [])

  const open = (after: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setOpen(true)
      onOpen?.()
    }, after)
  }
  const close = (after = 0) => {
    clearTimeout(timer.current)
    if (isOpen) lastShown = Date.now()
    timer.current = setTimeout(() => setOpen(false), after)
  }
  if (!title) return children
  return (
    <>
      {cloneElement(children, {
        ...(describeChild ? isOpen && { 'aria-describedby': id } : { 'aria-label': own['aria-label'] ?? title }),
        ref,
        onPointerEnter: event => {
          own.onPointerEnter?.(event)
          if (event.pointerType !== 'touch') open(Date.now() - lastShown < streak ? 0 : delay)
        },
        onPointerLeave: event => {
          own.onPointerLeave?.(event)
          close(100)
        },
        onFocus: event => {
          own.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) open(0)
        },
        onBlur: event => {
          own.onBlur?.(event)
          close()
        },
        onClick: event => {
          own.onClick?.(event)
          close()
        },
      })}
      {isOpen && (
        <TooltipBubble
          anchor={anchor}
          text={title}
          id={id}
          onPointerEnter={() => clearTimeout(timer.current)}
          onPointerLeave={() => close(100)}
          onClose={() => close()}
        />
      )}
    </>
  )
}

interface TooltipBubbleProps {
  anchor: RefObject<Element | null>
  /** The tooltip begins to the right of it. */
  beyond?: Element | undefined
  text: string
  id?: string
  /** Called on Escape, and when the anchor moves. */
  onClose: () => void
  onPointerEnter?: () => void
  onPointerLeave?: () => void
}

/** The tooltip's bubble, under its anchor or, without room there, above it. */
export function TooltipBubble({ anchor, beyond, text, onClose, ...rest }: TooltipBubbleProps) {
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = bubble.current
    if (!element || !anchor.current) return
    const around = anchor.current.getBoundingClientRect()
    const { width, height } = element.getBoundingClientRect()
    const below = around.bottom + 8
    const room = document.documentElement.clientWidth - width - 4
    const start = beyond ? beyond.getBoundingClientRect().right : around.left + (around.width - width) / 2
    element.style.left = `${Math.max(4, Math.min(start, room))}px`
    element.style.top = `${below + height > window.innerHeight ? around.top - height - 8 : below}px`
  }, [anchor, beyond, text])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    const ended = new AbortController()
    const first = { capture: true, signal: ended.signal }
    window.addEventListener('keydown', onKey, first)
    window.addEventListener('scroll', onClose, first)
    window.addEventListener('resize', onClose, first)
    return () => ended.abort()
  }, [onClose])
  return createPortal(
    <section aria-label="Hint" data-tooltip="">
      {/* A press is meant for what it covers. */}
      <div ref={bubble} role="tooltip" className={styles.bubble} onPointerDown={onClose} {...rest}>
        {text}
      </div>
    </section>,
    document.body,
  )
}
