import type { ReactNode } from 'react'
import styles from './add-form.module.css'
import { Button } from './button/button.tsx'

interface AddFormProps {
  /** On the button: "ADD MEMBER". */
  label: string
  disabled: boolean
  onSubmit: () => void
  /** What says whom or what to add. */
  children: ReactNode
}

/** One line at the foot of a list that adds to it. */
export function AddForm({ label, disabled, onSubmit, children }: AddFormProps) {
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Button type="submit" disabled={disabled} className={styles.button}>
        {label}
      </Button>
    </form>
  )
}
