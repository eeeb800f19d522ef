import { useQuery } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getProjectList } from '@tessera/contract/projects'
import { Suspense, useState } from 'react'
import { Button } from '../../components/button/button.tsx'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { FolderIcon } from '../../components/icons/icons.tsx'
import { lazy } from '../../components/lazy/lazy.tsx'
import { RowList } from '../../components/row-list/row-list.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { callQuery } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'

const NewProjectDialog = lazy(async () => ({ default: (await import('./new-project-dialog.tsx')).NewProjectDialog }))

export function ProjectListCard() {
  const { isAdmin } = useSession()
  const { data, error, refetch } = useQuery(callQuery(getProjectList, {}))
  const [isAdding, add] = useState(false)
  const newProject = (
    <Button variant={data?.length === 0 ? 'contained' : 'outlined'} onClick={() => add(true)}>
      NEW PROJECT
    </Button>
  )
  return (
    <SectionCard title="Projects" count={data?.length} actions={isAdmin && newProject}>
      <RowList
        label="projects"
        rows={data?.map(({ idProject, Title, ShortCode }) => ({ id: idProject, text: Title, note: ShortCode }))}
        error={error}
        onRetry={() => void refetch()}
        path={id => `/view-project/${id}`}
        icon={<FolderIcon />}
        empty={<EmptyState dense icon={<FolderIcon />} title={messages.noProjects} />}
      />
      <Suspense>{isAdding && <NewProjectDialog onClose={() => add(false)} />}</Suspense>
    </SectionCard>
  )
}
