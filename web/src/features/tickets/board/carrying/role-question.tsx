import { useQuery } from '@tanstack/react-query'
import { getProjectRoles } from '@tessera/contract/projects/projects'
import { useState } from 'react'
import { FormDialog } from '../../../../components/form-dialog/form-dialog.tsx'
import { Select } from '../../../../components/select/select.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { nameOf } from '../../ticket.ts'
import type { Question } from './use-moves.ts'

interface RoleQuestionProps {
  idProject: number
  question: Question
  /** Answers that the ticket stays where it was. */
  onClose: () => void
}

/** After a drop on a person, asks which role they get on the ticket. */
export function RoleQuestion({ idProject, question: { card, person, answer }, onClose }: RoleQuestionProps) {
  const roles = useQuery(callQuery(getProjectRoles, { idProject }))
  const [chosen, choose] = useState<number>()
  const idRole = chosen ?? roles.data?.[0]?.id
  return (
    <FormDialog
      title={`Assign ${nameOf(card)} to ${person}`}
      submitLabel="ASSIGN"
      disabled={idRole === undefined}
      error={roles.error?.message}
      onSubmit={() => answer(idRole)}
      onClose={onClose}
    >
      <Select
        label="Role"
        value={idRole ?? 0}
        options={(roles.data ?? []).map(({ id, Description }) => ({ value: id, label: Description }))}
        onChange={choose}
        helperText={roles.data?.length === 0 ? 'This project has no roles yet, so nobody can be assigned' : undefined}
      />
    </FormDialog>
  )
}
