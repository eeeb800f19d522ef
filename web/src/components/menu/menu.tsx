import type { ReactNode, RefObject } from 'react'
import { CheckIcon } from '../icons/icons.tsx'
import styles from './menu.module.css'
import { Panel } from './panel.tsx'

export interface MenuProps {
  /** Names the list for screen readers. */
  label: string
  anchor: RefObject<HTMLElement | null>
  open: boolean
  onClose: () => void
  choices: readonly MenuChoice[]
  /** The id for `aria-controls`. */
  id?: string
  /** Several choices may be checked; choosing leaves the menu open. */
  multiple?: boolean
}
interface MenuChoice {
  key: string | number
  label: string
  /** Before the label. */
  icon?: ReactNode
  /** Dimmed, at the right. */
  detail?: string | undefined
  /** Dimmed, under the label: why it cannot be chosen. */
  note?: string | undefined
  isChosen?: boolean
  isDisabled?: boolean
  /** Has a line above it. */
  startsGroup?: boolean
  /** In a menu of check boxes: an action, which closes the menu. */
  isAction?: boolean
  onChoose?: () => void
}

/** A menu under a button. */
export function Menu({ label, anchor, open, onClose, choices, id, multiple = false }: MenuProps) {
  if (!open) return null
  return (
    <Panel role="menu" label={label} id={id} anchor={anchor} onClose={onClose}>
      {choices.map(
        ({ key, label: text, icon, detail, note, isChosen = false, isDisabled = false, startsGroup, isAction = !multiple, onChoose }) => (
          <button
            key={key}
            type="button"
            role={isAction ? 'menuitem' : 'menuitemcheckbox'}
            {...(isAction ? { 'aria-current': isChosen || undefined } : { 'aria-checked': isChosen })}
            aria-disabled={isDisabled || undefined}
            data-chosen={isChosen || undefined}
            tabIndex={-1}
            data-starts-group={startsGroup || undefined}
            className={styles.entry}
            onClick={() => {
              if (isDisabled) return
              if (isAction) onClose()
              onChoose?.()
            }}
          >
            {multiple && <span className={styles.tick}>{isChosen && <CheckIcon fontSize="small" />}</span>}
            {icon}
            <span className={styles.words}>
              {text}
              {note && <span className={styles.note}>{note}</span>}
            </span>
            {detail && <span className={styles.detail}>{detail}</span>}
          </button>
        ),
      )}
    </Panel>
  )
}
