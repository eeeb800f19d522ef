import type { ComponentProps } from 'react'
import { classNames } from '../../lib/display/class-names.ts'
import styles from './data-table.module.css'

/** A plain table of a card: rows of 36 px behind hairlines. Its cells know the classes `tight`, `whole`, `number` and `row-button`. */
export function DataTable({ className, ...table }: ComponentProps<'table'>) {
  return <table className={classNames(styles.table, className)} {...table} />
}
