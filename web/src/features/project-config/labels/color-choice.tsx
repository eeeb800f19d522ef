import { CheckIcon } from '../../../components/icons/icons.tsx'
import { readableOn } from '../../../lib/display/label-color.ts'
import styles from './color-choice.module.css'
import { labelPalette } from './label-palette.ts'

interface ColorChoiceProps {
  value: string
  onChange: (color: string) => void
  /** The stored color, which is offered too: it need not be in the palette. */
  stored?: string | undefined
}

/** One color of the palette. */
export function ColorChoice({ value, onChange, stored }: ColorChoiceProps) {
  const isOther = stored !== undefined && !labelPalette.some(({ color }) => color === stored)
  const colors: readonly { color: string; name: string }[] = isOther
    ? [{ color: stored, name: 'Current color' }, ...labelPalette]
    : labelPalette
  return (
    <fieldset className={styles.colors}>
      <legend className={styles.legend}>Color</legend>
      {colors.map(({ color, name }) => (
        <label key={color} title={name} className={styles.color} style={{ background: color, color: readableOn(color) }}>
          <input type="radio" name="color" aria-label={name} checked={color === value} onChange={() => onChange(color)} />
          {color === value && <CheckIcon fontSize="small" />}
        </label>
      ))}
    </fieldset>
  )
}
