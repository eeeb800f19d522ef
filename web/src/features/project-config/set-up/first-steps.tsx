import { useQuery } from '@tanstack/react-query'
import { permission, setUpPermissions } from '@tessera/contract/permissions'
import { getTicketFieldList, getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { useEffect, useRef, useState } from 'react'
import { Alert } from '../../../components/alert/alert.tsx'
import { Button } from '../../../components/button/button.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { focusHeading } from '../../../lib/navigation/arrival.ts'
import type { ProjectRights } from '../project-rights.ts'

const CopySetUpDialog = lazy(async () => (await import('./copy-set-up-dialog.tsx')).CopySetUpDialog)

/** Says what a new project needs before it can have tickets, and offers the set-up of another one while it has nothing. */
export function FirstSteps({ rights, className }: { rights: ProjectRights; className?: string | undefined }) {
  const { idProject, held } = rights
  const states = useQuery(callQuery(getTicketStateList, { idProject })).data
  const templates = useQuery(callQuery(getTicketTemplateList, { idProject })).data
  const fields = useQuery(callQuery(getTicketFieldList, { idProject })).data
  const [isCopying, setCopying] = useState(false)
  const isEmpty = states?.length === 0 && templates?.length === 0 && fields?.length === 0
  // The button that opened the dialog disappears when the copy is shown.
  const wasEmpty = useRef(isEmpty)
  useEffect(() => {
    if (wasEmpty.current && !isEmpty) focusHeading()
    wasEmpty.current = isEmpty
  }, [isEmpty])
  const missing = setUpPermissions.find(id => !held.includes(id)) ?? permission.manageProject
  return (
    <>
      {states && templates && (states.length === 0 || templates.length === 0) && (
        <Alert
          severity="info"
          className={className}
          action={
            isEmpty && (
              <PermissionGate idProject={idProject} needs={missing} held={held}>
                {isOff => (
                  <Button disabled={isOff} onClick={() => setCopying(true)}>
                    COPY FROM ANOTHER PROJECT…
                  </Button>
                )}
              </PermissionGate>
            )
          }
        >
          {states.length === 0 ? (
            <>
              <b>First step of two:</b> add the states a ticket goes through, with NEW STATE. Then a template can start in one of them.
            </>
          ) : (
            <>
              <b>Second step of two:</b> add a ticket type, with NEW TEMPLATE. Then this project is ready for its first ticket.
            </>
          )}
        </Alert>
      )}
      {isCopying && <CopySetUpDialog idProject={idProject} onClose={() => setCopying(false)} />}
    </>
  )
}
