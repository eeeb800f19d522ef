import type { ReactNode } from 'react'
import { CheckBox } from '../../../components/check-box/check-box.tsx'

interface RowHeadProps {
  name: string
  /** Shown instead of the name. */
  children?: ReactNode
  disabled: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onOpen: () => void
}

/** The first cells of a row: a check box that selects it, and its name, which opens it. */
export function RowHead({ name, children = name, disabled, isChosen, onChoose, onOpen }: RowHeadProps) {
  return (
    <>
      <td className="tight">
        <CheckBox label={`Select ${name}`} disabled={disabled} checked={isChosen} onChange={onChoose} />
      </td>
      <th scope="row">
        {disabled ? (
          children
        ) : (
          <button type="button" className="row-button" onClick={onOpen}>
            {children}
          </button>
        )}
      </th>
    </>
  )
}
