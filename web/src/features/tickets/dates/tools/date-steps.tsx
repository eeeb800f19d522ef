import type { ReactNode } from 'react'
import { Button } from '../../../../components/button/button.tsx'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { ChevronRightIcon } from '../../../../components/icons/icons.tsx'
import { Tooltip } from '../../../../components/tooltip/tooltip.tsx'
import { useActions } from '../../../../lib/input/actions.ts'
import styles from './date-tools.module.css'

interface DateStepsProps {
  title: string
  /** What one step is: `month`. */
  unit: string
  onToday: () => void
  /** Undefined where there is nothing before. */
  onBack: (() => void) | undefined
  onForward: (() => void) | undefined
  /** Beside the title. */
  children?: ReactNode
}

/** Which days are shown, and the buttons to others. */
export function DateSteps({ title, unit, onToday, onBack, onForward, children }: DateStepsProps) {
  useActions([
    { label: 'Today', run: onToday },
    ...(onBack ? [{ label: `Previous ${unit}`, run: onBack }] : []),
    ...(onForward ? [{ label: `Next ${unit}`, run: onForward }] : []),
  ])
  return (
    <>
      <Button onClick={onToday}>TODAY</Button>
      <div className={styles.steps}>
        <Tooltip title={`Previous ${unit}`}>
          <IconButton aria-label={`Previous ${unit}`} disabled={!onBack} onClick={() => onBack?.()} className={styles.back}>
            <ChevronRightIcon />
          </IconButton>
        </Tooltip>
        <Tooltip title={`Next ${unit}`}>
          <IconButton aria-label={`Next ${unit}`} disabled={!onForward} onClick={() => onForward?.()}>
            <ChevronRightIcon />
          </IconButton>
        </Tooltip>
      </div>
      <div className={styles.heading}>
        <h2 className={styles.title}>{title}</h2>
        {children}
      </div>
    </>
  )
}
