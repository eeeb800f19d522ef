import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import {
  getTicketStateList,
  getTicketTemplateList,
  restoreTicketTemplates,
  setTicketTemplateOrder,
} from '@tessera/contract/projects/project-config'
import { useState } from 'react'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { ListIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useRestore } from '../deletion/use-restore.ts'
import { ConfigListCard } from '../list-card/config-list-card.tsx'
import type { ProjectRights } from '../project-rights.ts'

const TicketTemplateDialog = lazy(async () => (await import('./ticket-template-dialog.tsx')).TicketTemplateDialog)
const DeleteTemplatesDialog = lazy(async () => (await import('./delete-templates-dialog.tsx')).DeleteTemplatesDialog)

export function TicketTemplateListCard({ rights }: { rights: ProjectRights }) {
  const { idProject } = rights
  const query = useQuery(callQuery(getTicketTemplateList, { idProject }))
  const { data } = query
  const archived = useQuery(callQuery(getTicketTemplateList, { idProject, Archived: 1 }))
  const states = useQuery(callQuery(getTicketStateList, { idProject })).data
  const restore = useRestore(restoreTicketTemplates, idProject, 'template')
  const [opened, open] = useState<number | 'new'>()
  const [toDelete, setToDelete] = useState<number[]>()
  const hasNoStates = states?.length === 0
  return (
    <>
      <ConfigListCard
        title="Ticket Templates"
        noun="template"
        rights={rights}
        needs={permission.manageTemplates}
        columns={['Template']}
        rows={data?.map(({ idTicketTemplate, Description }) => ({ id: idTicketTemplate, name: Description, cells: [] }))}
        query={query}
        others={[archived]}
        order={setTicketTemplateOrder}
        onOpen={open}
        onDelete={setToDelete}
        newLabel="NEW TEMPLATE"
        notYet={hasNoStates ? 'A template needs an initial state: add a state first' : undefined}
        archived={(archived.data ?? []).map(({ idTicketTemplate, Description }) => ({ id: idTicketTemplate, name: Description }))}
        onRestore={restore}
        empty={
          <EmptyState dense icon={<ListIcon />} title="There are no templates yet">
            A template is a type of ticket: the state it starts in and the fields it has.
          </EmptyState>
        }
      />
      {opened !== undefined && (
        <TicketTemplateDialog
          idProject={idProject}
          {...(opened !== 'new' && { idTicketTemplate: opened })}
          onClose={() => open(undefined)}
        />
      )}
      {toDelete && data && (
        <DeleteTemplatesDialog
          idProject={idProject}
          templates={data.filter(({ idTicketTemplate }) => toDelete.includes(idTicketTemplate))}
          onRestore={restore}
          onClose={() => setToDelete(undefined)}
        />
      )}
    </>
  )
}
