import { Suspense, useRef, useState } from 'react'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { isCovered, useActions } from '../../../lib/input/actions.ts'
import { HeldKeys } from '../../../lib/input/keys/held-keys.ts'
import { navigate } from '../../../lib/navigation/navigation.ts'
import type { Destination } from './main-menu.tsx'

const ShortcutListDialog = lazy(
  async () => (await import('../../../components/shortcut-list-dialog/shortcut-list-dialog.tsx')).ShortcutListDialog,
)
const Palette = lazy(async () => (await import('../../palette/palette.tsx')).Palette, { keepsTyped: true })

/** The actions of every page, with what they open. Renders nothing else. */
export function GlobalActions({ destinations }: { destinations: readonly Destination[] }) {
  const [isListing, list] = useState(false)
  /** Over a dialog the palette leaves out actions of the page below. */
  const [palette, openPalette] = useState<{ isOverDialog: boolean }>()
  const typed = useRef('')
  const close = () => openPalette(undefined)
  const typeAhead = (letter: string) => {
    typed.current += letter
  }
  useActions([
    {
      keys: 'Ctrl+K',
      label: 'Find an action, a page or a ticket',
      isEverywhere: true,
      run: () => {
        typed.current = ''
        openPalette(palette ? undefined : { isOverDialog: isCovered() })
      },
    },
    { keys: '?', label: 'List the shortcuts', isEverywhere: true, run: () => list(true) },
    { keys: '1 … 9', label: 'Choose in an open menu' },
    { keys: 'g h', label: 'Go home', isEverywhere: true, run: () => void navigate('/home') },
    ...destinations
      .filter(({ path }) => path !== '/home')
      .map(({ label, path }) => ({ label, isEverywhere: true, run: () => void navigate(path) })),
    { label: 'Logout', isEverywhere: true, run: () => void navigate('/logout') },
  ])
  return (
    <>
      {isListing && <ShortcutListDialog onClose={() => list(false)} />}
      <Suspense fallback={<HeldKeys onType={typeAhead} />}>{palette && <Palette {...palette} typed={typed} onClose={close} />}</Suspense>
    </>
  )
}
