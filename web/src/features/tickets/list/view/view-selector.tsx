import { useRef, useState } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { ChevronDownIcon } from '../../../../components/icons/icons.tsx'
import { Menu } from '../../../../components/menu/menu.tsx'
import { presets, type TicketView } from './ticket-view.ts'
import styles from './view-selector.module.css'

/** 'Load View': the ready-made filters. */
export function ViewSelector({ onChange }: { onChange: (change: (view: TicketView) => TicketView) => void }) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button ref={anchor} aria-haspopup="menu" aria-expanded={isOpen} onClick={() => setOpen(true)} className={styles.button}>
        Load View
        <ChevronDownIcon fontSize="small" />
      </Button>
      <Menu
        label="Load View"
        anchor={anchor}
        open={isOpen}
        onClose={() => setOpen(false)}
        choices={presets.map(({ label, apply }) => ({ key: label, label, onChoose: () => onChange(apply) }))}
      />
    </>
  )
}
