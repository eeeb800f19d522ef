import { useQuery } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getProjectList } from '@tessera/contract/projects/projects'
import { useState } from 'react'
import { Button } from '../../components/button/button.tsx'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { FolderIcon } from '../../components/icons/icons.tsx'
import { lazy } from '../../components/lazy/lazy.tsx'
import { RowList } from '../../components/row-list/row-list.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { formatNumber } from '../../lib/display/format.ts'
import { useActions } from '../../lib/input/actions.ts'
import { useSession } from '../../lib/session/session.tsx'

const NewProjectDialog = lazy(async () => (await import('./dialogs/new-project-dialog.tsx')).NewProjectDialog)

/** With the numbers of open tickets, which follow every change of one. */
export const projectsWithCounts = callQuery(getProjectList, { Counts: 1 })

function openTickets({ Open = 0, Mine = 0 }: { Open?: number; Mine?: number }) {
  if (Open === 0) return 'No open tickets'
  return `${formatNumber(Open)} open${Mine > 0 ? ` · ${formatNumber(Mine)} assigned to you` : ''}`
}

export function ProjectListCard() {
  const { isAdmin } = useSession()
  const list = useQuery(projectsWithCounts)
  const { data } = list
  const [isAdding, add] = useState(false)
  useActions(isAdmin ? [{ label: 'New project', run: () => add(true) }] : [])
  const newProject = (
    <Button variant={data?.length === 0 ? 'contained' : 'outlined'} onClick={() => add(true)}>
      NEW PROJECT
    </Button>
  )
  return (
    <SectionCard title="Project list" count={data?.length} actions={isAdmin && newProject}>
      <RowList
        label="projects"
        rows={data?.map(({ idProject, Title, ShortCode, ...counts }) => ({
          id: idProject,
          icon: <FolderIcon />,
          text: Title,
          detail: openTickets(counts),
          note: ShortCode,
        }))}
        load={list}
        path={id => `/view-project/${id}`}
        empty={<EmptyState dense icon={<FolderIcon />} title={messages.noProjects} />}
      />
      {isAdding && <NewProjectDialog onClose={() => add(false)} />}
    </SectionCard>
  )
}
