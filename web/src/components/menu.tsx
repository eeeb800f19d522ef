import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useState } from 'react'

export interface MenuProps {
  /** Names the list for screen readers. */
  label: string
  anchor: RefObject<HTMLElement | null>
  open: boolean
  onClose: () => void
  choices: readonly MenuChoice[]
  /** What `aria-controls` names. */
  id?: string
  /** Any number of choices hold at once; choosing leaves the menu open. */
  multiple?: boolean
}
interface MenuChoice {
  key: string | number
  label: string
  /** Before the label. */
  icon?: ReactNode
  /** Pale, at the right. */
  detail?: string | undefined
  /** Pale, under the label: why it cannot be chosen. */
  note?: string | undefined
  isChosen?: boolean
  isDisabled?: boolean
  onChoose?: () => void
}

const loadPanel = async () => ({ default: (await import('./menu-panel.tsx')).MenuPanel })
const MenuPanel = lazy(loadPanel)
/** Pages show first; what their menus need comes after it, in milliseconds. */
const patience = 2000

/** A menu under a button. */
export function Menu(props: MenuProps) {
  const [seen, note] = useState({ open: false, times: 0 })
  if (props.open !== seen.open) note({ open: props.open, times: seen.times + Number(props.open) })
  useEffect(() => {
    const timer = setTimeout(loadPanel, patience)
    return () => clearTimeout(timer)
  }, [])
  // A panel opened again while it fades would begin at the choice that had the focus last.
  return <Suspense>{seen.times > 0 && <MenuPanel key={seen.times} {...props} />}</Suspense>
}
