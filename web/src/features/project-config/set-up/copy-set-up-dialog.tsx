import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { copyProjectSetUp } from '@tessera/contract/projects/project-set-up'
import { getProjectList } from '@tessera/contract/projects/projects'
import { useRef, useState } from 'react'
import { Autocomplete } from '../../../components/autocomplete/autocomplete.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { counted } from '../../../lib/display/format.ts'
import { listOf } from '../../../lib/display/word-list.ts'
import { refusalMessage } from '../../../lib/forms/refusal-messages.ts'

interface Source {
  id: number
  title: string
  text: string
}

/** Copies the set-up of another project into one that has none. */
export function CopySetUpDialog({ idProject, onClose }: { idProject: number; onClose: () => void }) {
  const projects = useQuery(callQuery(getProjectList, { Archived: 1 }))
  const copy = useCallMutation(copyProjectSetUp)
  const [chosen, choose] = useState<Source | null>(null)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const sources = (projects.data ?? [])
    .filter(project => project.idProject !== idProject)
    .map(({ idProject: id, Title, ShortCode, Archived }) => ({
      id,
      title: Title,
      text: `${Title} [${ShortCode}]${Archived ? ' · archived' : ''}`,
    }))
  const hasNone = projects.data !== undefined && sources.length === 0
  const isGone = copy.error?.code === 'not_found'
  const goneMessage = isGone ? 'You cannot see this project anymore: choose another one' : undefined
  return (
    <FormDialog
      title="Copy From Another Project"
      submitLabel="COPY"
      disabled={hasNone}
      busy={copy.isPending}
      error={isGone ? undefined : refusalMessage(copy.error)}
      onSubmit={() => {
        if (!chosen) {
          setMissing(true)
          field.current?.focus()
          return
        }
        copy.mutate(
          { idProject, idFrom: chosen.id },
          {
            onSuccess: answer => {
              notify.success(`${whatWasCopied(answer)} copied from ${chosen.title}`)
              onClose()
            },
          },
        )
      }}
      onClose={onClose}
    >
      <LoadProblem of={[projects]} />
      <Autocomplete
        ref={field}
        label="Project"
        options={sources}
        value={chosen}
        loading={projects.isPending}
        emptyText={hasNone ? 'There is no other project' : 'No project matches'}
        helperText={hasNone && 'You see no other project in this organization, so there is none to copy from.'}
        problem={isMissing ? 'Choose a project first' : goneMessage}
        onChange={source => {
          setMissing(false)
          copy.reset()
          choose(source)
        }}
      />
      <p>
        States, workflow, fields, templates, roles, labels and settings are copied. Members, permissions, tickets, views, what is archived,
        and default values that name a person are not.
      </p>
    </FormDialog>
  )
}

/** `3 states, 4 fields, and 1 label`. */
function whatWasCopied({ States, Fields, Templates, Roles, Labels }: Response<typeof copyProjectSetUp>) {
  const counts = [
    [States, 'state'],
    [Fields, 'field'],
    [Templates, 'template'],
    [Roles, 'role'],
    [Labels, 'label'],
  ] as const
  return listOf(counts.flatMap(([count, noun]) => (count > 0 ? [counted(count, noun)] : []))) || 'The settings'
}
