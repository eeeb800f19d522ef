import Box from '@mui/material/Box'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import MuiMenu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import type { ReactNode, RefObject } from 'react'
import { CheckIcon } from './icons.tsx'

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

/** The panel of a menu, with all that opens it, places it and moves the focus in it. */
export function MenuPanel({ label, anchor, open, onClose, choices, id, multiple = false }: MenuProps) {
  return (
    <MuiMenu
      {...(id && { id })}
      anchorEl={() => anchor.current}
      open={open}
      onClose={onClose}
      slotProps={{ list: { 'aria-label': label } }}
    >
      {choices.map(({ key, label: text, icon, detail, note, isChosen = false, isDisabled = false, onChoose }) => (
        <MenuItem
          key={key}
          selected={isChosen}
          disabled={isDisabled}
          {...(multiple && { role: 'menuitemcheckbox', 'aria-checked': isChosen })}
          onClick={() => {
            if (!multiple) onClose()
            onChoose?.()
          }}
        >
          {multiple && <ListItemIcon sx={{ width: 16 }}>{isChosen && <CheckIcon fontSize="small" />}</ListItemIcon>}
          {icon}
          {note ? <ListItemText primary={text} secondary={note} slotProps={{ secondary: { variant: 'caption' } }} /> : text}
          {detail && (
            <Box component="span" sx={{ ml: 'auto', pl: 2, color: 'text.secondary', fontSize: 12 }}>
              {detail}
            </Box>
          )}
        </MenuItem>
      ))}
    </MuiMenu>
  )
}
