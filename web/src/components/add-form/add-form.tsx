import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import styles from './add-form.module.css'

interface AddFormProps {
  disabled: boolean
  onSubmit: () => void
  /** The input that names the person to add. */
  children: ReactNode
}

/** A form at the foot of a list of members that adds one. */
export function AddForm({ disabled, onSubmit, children }: AddFormProps) {
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
        ADD MEMBER
      </Button>
    </form>
  )
}
