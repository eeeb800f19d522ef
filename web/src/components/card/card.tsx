import type { ComponentProps } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import styles from './card.module.css'

/** The class of a card, for elements other than `div`: a form, a list. */
export const cardClass = styles.card

export function Card({ className, ...box }: ComponentProps<'div'>) {
  return <div className={classNames(styles.card, className)} {...box} />
}
