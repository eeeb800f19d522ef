import { useEffect } from 'react'
import { focusHeading } from '../../lib/navigation/arrival.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { ButtonLink } from '../button/button.tsx'
import { WarningIcon } from '../icons/icons.tsx'
import { PageContent } from '../page-content/page-content.tsx'
import { EmptyState } from './empty-state.tsx'

/** The page of something that does not exist, or that the person may not see: both look the same. */
export function NotFound({ noun, wasHere = false }: { noun: 'project' | 'ticket'; wasHere?: boolean }) {
  const title = `There is no such ${noun}`
  usePageTitle(title)
  useEffect(() => {
    if (wasHere) focusHeading()
  }, [wasHere])
  return (
    <PageContent>
      <div role="alert">
        <EmptyState isPage icon={<WarningIcon />} title={title} action={<ButtonLink to="/home">GO HOME</ButtonLink>}>
          {wasHere ? 'It was deleted meanwhile, or you no longer have access.' : 'It does not exist, or you may not see it.'}
        </EmptyState>
      </div>
    </PageContent>
  )
}
