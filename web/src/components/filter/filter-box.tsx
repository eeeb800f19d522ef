import type { ReactNode } from 'react'
import { IconButton } from '../icon-button/icon-button.tsx'
import { CloseIcon } from '../icons/icons.tsx'
import styles from './filter-box.module.css'

/** The style of a filter's control; an active filter is highlighted. */
export function filterControl(isSet: boolean) {
  return { className: styles.control, 'data-set': isSet || undefined }
}

interface FilterBoxProps {
  /** Names the filter for screen readers: "Phase". */
  label: string
  isSet: boolean
  onClear: () => void
  children: ReactNode
}

/** A filter with a button that clears it. */
export function FilterBox({ label, isSet, onClear, children }: FilterBoxProps) {
  return (
    <div className={styles.box}>
      {children}
      {isSet && (
        <IconButton small aria-label={`Clear ${label}`} onClick={onClear} className={styles.clear}>
          <CloseIcon fontSize="small" />
        </IconButton>
      )}
    </div>
  )
}
