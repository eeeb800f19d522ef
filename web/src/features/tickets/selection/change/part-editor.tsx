import { useQuery } from '@tanstack/react-query'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketFieldList, getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { getProjectRoleList, getProjectUserList } from '@tessera/contract/tickets/assignees'
import { MultiSelectField } from '../../../../components/autocomplete/multi-select-field.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { Select } from '../../../../components/select/select.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { ParentField } from '../../moving/parent-field.tsx'
import { ValueField } from '../../ticket/fields/value-field.tsx'
import { type ChangeDraft, type Part, type RoleHow, valueIn } from './change-draft.ts'
import styles from './change-form.module.css'

/** Roles and members of the project. */
export function usePeople(idTicket: number) {
  const roles = useQuery({ ...callQuery(getProjectRoleList, { idTicket }), staleTime: seldomStale })
  const users = useQuery({ ...callQuery(getProjectUserList, { idTicket, Recent: 1 }), staleTime: seldomStale })
  return { roles, users }
}

/** The labels that the project offers, with those of its organization. */
export function useLabels(idProject: number, enabled = true) {
  return useQuery({ ...callQuery(getLabelList, { idProject }), staleTime: seldomStale, enabled })
}

/** What a change may choose from in the project. */
export function useOffered(idProject: number, idTicket: number) {
  const states = useQuery({ ...callQuery(getTicketStateList, { idProject }), staleTime: seldomStale })
  const types = useQuery({ ...callQuery(getTicketTemplateList, { idProject }), staleTime: seldomStale })
  const fields = useQuery({ ...callQuery(getTicketFieldList, { idProject }), staleTime: seldomStale })
  const labels = useLabels(idProject)
  return { states, types, fields, labels, ...usePeople(idTicket) }
}

export const labelParts = { AddLabels: 'Add labels', RemoveLabels: 'Remove labels', SetLabels: 'Replace all labels with' } as const

const hows: { value: RoleHow; label: string }[] = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
  { value: 'replace', label: 'Replace with' },
]

interface PartEditorProps {
  idProject: number
  pcode: string
  part: Part
  offered: ReturnType<typeof useOffered>
  draft: ChangeDraft
  set: (patch: Partial<ChangeDraft>) => void
}

/** What becomes of one part of the tickets. */
export function PartEditor(props: PartEditorProps) {
  const { idProject, pcode, part, offered, draft, set } = props
  switch (part) {
    case 'State':
      return (
        <Select
          label="State"
          value={draft.State ?? 0}
          placeholder="Choose a state"
          onChange={State => set({ State })}
          options={(offered.states.data ?? []).map(({ id, Description, phase }) => ({
            value: id,
            label: Description,
            icon: <PhaseMark phase={phase} />,
          }))}
        />
      )
    case 'Type':
      return (
        <Select
          label="Type"
          value={draft.Type ?? 0}
          placeholder="Choose a type"
          onChange={Type => set({ Type })}
          options={(offered.types.data ?? []).map(({ idTicketTemplate, Description }) => ({ value: idTicketTemplate, label: Description }))}
        />
      )
    case 'Parent':
      return <ParentField idProject={idProject} pcode={pcode} value={draft.Parent} onChange={Parent => set({ Parent })} hasTop />
    case 'Watch':
      return (
        <Select
          label="Watch"
          value={draft.Watch}
          onChange={Watch => set({ Watch })}
          options={[
            { value: 1, label: 'Watch them: I get emails about them' },
            { value: 0, label: 'Stop watching them' },
          ]}
        />
      )
    case 'AddLabels':
    case 'RemoveLabels':
    case 'SetLabels':
      return (
        <MultiSelectField
          label={labelParts[part]}
          options={(offered.labels.data ?? []).map(({ idLabel, Label }) => ({ id: idLabel, text: Label }))}
          value={draft[part]}
          onChange={ids => set({ [part]: ids })}
          loading={offered.labels.isPending}
          helperText={part === 'SetLabels' && draft.SetLabels.length === 0 && 'The tickets will have no labels'}
        />
      )
  }
  if (part.startsWith('role.')) return <RoleEditor {...props} idRole={Number(part.slice('role.'.length))} />
  const key = part.slice('data.'.length)
  const field = offered.fields.data?.find(({ Key }) => Key === key)
  if (!field) return null
  return (
    <ValueField
      isForMany
      field={field}
      people={(offered.users.data ?? []).map(({ id, text }) => ({ value: String(id), label: text }))}
      value={valueIn(draft, key)}
      onChange={value => set({ data: { ...draft.data, [key]: value } })}
    />
  )
}

function RoleEditor({ idRole, offered, draft, set }: PartEditorProps & { idRole: number }) {
  const role = draft.roles[idRole] ?? { how: 'add' as const, people: [] }
  const name = offered.roles.data?.find(({ id }) => id === idRole)?.text ?? 'Role'
  const change = (patch: Partial<typeof role>) => set({ roles: { ...draft.roles, [idRole]: { ...role, ...patch } } })
  return (
    <div className={styles.role}>
      <Select label={name} value={role.how} onChange={how => change({ how })} options={hows} />
      <MultiSelectField
        label="People"
        options={offered.users.data ?? []}
        value={role.people}
        onChange={ids => change({ people: ids })}
        loading={offered.users.isPending}
        helperText={role.how === 'replace' && role.people.length === 0 && 'Nobody will have this role'}
      />
    </div>
  )
}
