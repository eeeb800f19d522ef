import Button from '@mui/material/Button'
import { useRef, useState } from 'react'
import { ChevronDownIcon } from '../../components/icons.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { presets, type TicketView } from './ticket-view.ts'

/** 'Load View': the ready-made filters. */
export function ViewSelector({ onChange }: { onChange: (change: (view: TicketView) => TicketView) => void }) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        ref={anchor}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        sx={{ textTransform: 'none', letterSpacing: 0, fontSize: 14, fontWeight: 500, px: 1.25 }}
      >
        Load View
        <ChevronDownIcon fontSize="small" color="text.disabled" />
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
