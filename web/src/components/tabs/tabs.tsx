import type { ReactNode } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import { moveFocus } from '../../lib/input/move-focus.ts'
import styles from './tabs.module.css'

interface TabsProps<Value extends string> {
  /** Names the row of tabs for screen readers. */
  label: string
  value: Value
  tabs: readonly { value: Value; label: ReactNode; id?: string; controls?: string | undefined }[]
  onChange: (value: Value) => void
  className?: string | undefined
}

/** A row of tabs; their content is in an element of role `tabpanel`. Arrow keys move and select. */
export function Tabs<Value extends string>({ label, value, tabs, onChange, className }: TabsProps<Value>) {
  return (
    <div
      role="tablist"
      aria-label={label}
      className={classNames(styles.list, className)}
      onKeyDown={event => moveFocus(event, '[role=tab]', { back: 'ArrowLeft', on: 'ArrowRight' })}
    >
      {tabs.map(tab => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={tab.id}
          aria-controls={tab.controls}
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          className={styles.tab}
          onClick={() => onChange(tab.value)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  )
}
