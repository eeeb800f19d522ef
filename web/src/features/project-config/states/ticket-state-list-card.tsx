import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { phaseName } from '@tessera/contract/messages'
import { permission } from '@tessera/contract/permissions'
import { getTicketStateList, restoreTicketStates, setTicketStateOrder } from '@tessera/contract/projects/project-config'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { FlowIcon } from '../../../components/icons/icons.tsx'
import { PhaseMark } from '../../../components/icons/phase-mark.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { useRestore } from '../deletion/use-restore.ts'
import { ConfigListCard } from '../list-card/config-list-card.tsx'
import { type ProjectRights, refusalIn } from '../project-rights.ts'
import styles from './ticket-state-list-card.module.css'

const TicketStateDialog = lazy(async () => (await import('./ticket-state-dialog.tsx')).TicketStateDialog)
const DeleteStatesDialog = lazy(async () => (await import('./delete-states-dialog.tsx')).DeleteStatesDialog)
const WorkflowDialog = lazy(async () => (await import('../workflow/workflow-dialog.tsx')).WorkflowDialog)

export function TicketStateListCard({ rights }: { rights: ProjectRights }) {
  const { idProject } = rights
  const query = useQuery(callQuery(getTicketStateList, { idProject }))
  const { data } = query
  const restore = useRestore(restoreTicketStates, idProject, 'state')
  const [opened, open] = useState<Response<typeof getTicketStateList>[number] | 'new' | 'workflow'>()
  const [toDelete, setToDelete] = useState<number[]>()
  const noStates = data?.length === 0 ? 'The diagram draws the states: add a state first' : undefined
  useActions(data ? [{ label: 'Flow diagram', refused: noStates, run: () => open('workflow') }] : [])
  return (
    <>
      <ConfigListCard
        title="Ticket States"
        noun="state"
        rights={rights}
        needs={permission.manageStates}
        columns={['State', 'Phase']}
        rows={data?.map(({ id, Description, phase }) => ({
          id,
          name: Description,
          cells: [
            <span key="phase" className={styles.phase}>
              <PhaseMark phase={phase} />
              {phaseName[phase]}
            </span>,
          ],
        }))}
        query={query}
        order={setTicketStateOrder}
        onOpen={row => open(row === 'new' ? row : data?.find(({ id }) => id === row))}
        onDelete={setToDelete}
        newLabel="NEW STATE"
        actions={
          <PermissionGate idProject={idProject} needs={permission.viewTickets} held={rights.held} reason={noStates}>
            {isOff => (
              <Button disabled={isOff || !data} onClick={() => open('workflow')}>
                FLOW DIAGRAM
              </Button>
            )}
          </PermissionGate>
        }
        empty={
          <EmptyState dense icon={<FlowIcon />} title="There are no states yet">
            States are the steps of a ticket, each in one phase: Open (Proposed), Doing (Active), Done (Inactive).
          </EmptyState>
        }
      />
      {opened && opened !== 'workflow' && (
        <TicketStateDialog idProject={idProject} {...(opened !== 'new' && { state: opened })} onClose={() => open(undefined)} />
      )}
      {opened === 'workflow' && data && (
        <WorkflowDialog
          idProject={idProject}
          states={data}
          refusal={refusalIn(rights, permission.manageStates)}
          onClose={() => open(undefined)}
        />
      )}
      {toDelete && data && (
        <DeleteStatesDialog idProject={idProject} states={data} ids={toDelete} onRestore={restore} onClose={() => setToDelete(undefined)} />
      )}
    </>
  )
}
