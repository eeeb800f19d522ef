import { Suspense, useEffect, useState } from 'react'
import { lazy } from './lazy.tsx'
import type { MenuProps } from './menu-panel.tsx'

const loadPanel = async () => ({ default: (await import('./menu-panel.tsx')).MenuPanel })
const MenuPanel = lazy(loadPanel)
/** Pages show first; what their menus need comes after it, in milliseconds. */
const patience = 2000

/** A menu under a button. */
export function Menu(props: MenuProps) {
  const [seen, note] = useState({ open: false, times: 0 })
  if (props.open !== seen.open) note({ open: props.open, times: seen.times + Number(props.open) })
  useEffect(() => {
    const timer = setTimeout(() => void loadPanel().catch(() => undefined), patience)
    return () => clearTimeout(timer)
  }, [])
  // A panel opened again while it fades would begin at the choice that had the focus last.
  return <Suspense>{seen.times > 0 && <MenuPanel key={seen.times} {...props} />}</Suspense>
}
