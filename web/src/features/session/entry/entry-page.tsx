import type { ReactNode } from 'react'
import { BrandMark } from '../../../components/icons/brand-mark.tsx'
import { PageContent } from '../../../components/page-content/page-content.tsx'
import { PageHeading } from '../../../components/page-content/page-heading.tsx'
import styles from './entry-page.module.css'

interface EntryPageProps {
  title: string
  /** Under the title. */
  note?: string
  children: ReactNode
}

/** A page before the sign-in: the mark, a title and one card. */
export function EntryPage({ title, note, children }: EntryPageProps) {
  return (
    <PageContent maxWidth={440} className={styles.page}>
      <div className={styles.head}>
        <BrandMark size={44} />
        <PageHeading>{title}</PageHeading>
        {note && <p className={styles.note}>{note}</p>}
      </div>
      {children}
    </PageContent>
  )
}
