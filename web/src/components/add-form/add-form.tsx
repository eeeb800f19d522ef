import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import styles from './add-form.module.css'

interface AddFormProps {
  /** On the button: "ADD MEMBER". */
  label: string
  disabled: boolean
  onSubmit: () => void
  /** The input for whom or what to add. */
  children: ReactNode
}

/** A form at the foot of a list that adds an entry. */
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
