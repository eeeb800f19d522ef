import { useQueries, useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import {
  getStateTransitions,
  type getTicketStateList,
  getTicketTemplate,
  getTicketTemplateList,
} from '@tessera/contract/projects/project-config'
import { useId, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { ConfirmDialog } from '../../../components/confirm-dialog/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogContent, DialogTitle } from '../../../components/dialog/dialog.tsx'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { LeaveGuard } from '../../../components/leave-guard/leave-guard.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import styles from './workflow-dialog.module.css'
import { WorkflowEditor } from './workflow-editor.tsx'

interface WorkflowDialogProps {
  idProject: number
  states: Response<typeof getTicketStateList>
  /** Why it is read-only for the person. */
  refusal: string | undefined
  onClose: () => void
}

export function WorkflowDialog({ idProject, states, refusal, onClose }: WorkflowDialogProps) {
  const transitions = useQuery(callQuery(getStateTransitions, { idProject }))
  const types = useQuery(callQuery(getTicketTemplateList, { idProject }))
  const loads = [transitions, types]
  const { entries, isReading } = useQueries({
    queries: (types.data ?? []).map(({ idTicketTemplate }) => callQuery(getTicketTemplate, { idProject, idTicketTemplate })),
    combine: answers => ({
      entries: answers.flatMap(answer => answer.data?.idEntryState ?? []),
      isReading: answers.some(({ isPending }) => isPending),
    }),
  })
  // The moves that are drawn stay when somebody adds a ticket type, which is read then.
  const [isShown, show] = useState(false)
  if (!isShown && transitions.data && types.data && !isReading) show(true)
  const [isDirty, setDirty] = useState(false)
  const [isAsking, ask] = useState(false)
  const id = useId()
  const close = () => (isDirty ? ask(true) : onClose())
  return (
    <>
      <Dialog onClose={close} maxWidth="xl" aria-labelledby={id} className={styles.dialog}>
        <DialogTitle id={id}>Flow Diagram</DialogTitle>
        {isShown && transitions.data ? (
          <WorkflowEditor
            idProject={idProject}
            states={states}
            entries={entries}
            stored={transitions.data}
            refusal={refusal}
            onDirty={setDirty}
            onCancel={close}
            onSaved={onClose}
            onReload={transitions.refetch}
          />
        ) : (
          <>
            <DialogContent>
              <LoadProblem of={loads} />
              {!loads.some(hasFailed) && <Skeleton height={360} />}
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>CANCEL</Button>
            </DialogActions>
          </>
        )}
      </Dialog>
      <LeaveGuard isDirty={isDirty} />
      <ConfirmDialog
        open={isAsking}
        title="Discard your changes to the workflow?"
        confirmLabel="DISCARD"
        cancelLabel="KEEP EDITING"
        onClose={() => ask(false)}
        onConfirm={onClose}
      >
        The moves you added and removed are not saved yet.
      </ConfirmDialog>
    </>
  )
}
