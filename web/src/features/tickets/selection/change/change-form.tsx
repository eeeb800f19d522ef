import { useQuery } from '@tanstack/react-query'
import { type PermissionId, permission, permissionName } from '@tessera/contract/permissions'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketFieldList, getTicketStateList } from '@tessera/contract/projects/project-config'
import { getProjectRoleList, getProjectUserList } from '@tessera/contract/tickets/assignees'
import { useRef } from 'react'
import { MultiSelectField } from '../../../../components/autocomplete/multi-select-field.tsx'
import { LoadProblem } from '../../../../components/empty-state/load-problem.tsx'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { CloseIcon } from '../../../../components/icons/icons.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { Select } from '../../../../components/select/select.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { reachableIn } from '../../../../lib/input/keep-focus.ts'
import { ParentField } from '../../moving/parent-field.tsx'
import { ValueField } from '../../ticket/fields/value-field.tsx'
import { type ChangeDraft, isOpen, type Part, type RoleHow, valueIn } from './change-draft.ts'
import styles from './change-form.module.css'

interface ChangeFormProps {
  idProject: number
  pcode: string
  /** Any ticket of the project, because people and roles are read by ticket. */
  idTicket: number
  draft: ChangeDraft
  onChange: (draft: ChangeDraft) => void
  /** Whether the person has a permission in the project. */
  may: (needed: PermissionId) => boolean
}

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

const labelParts = { AddLabels: 'Add labels', RemoveLabels: 'Remove labels', SetLabels: 'Replace all labels with' } as const

const hows: { value: RoleHow; label: string }[] = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
  { value: 'replace', label: 'Replace with' },
]

/** The form for the change, part by part; parts that are not chosen stay as they are. */
export function ChangeForm({ idProject, pcode, idTicket, draft, onChange, may }: ChangeFormProps) {
  const states = useQuery({ ...callQuery(getTicketStateList, { idProject }), staleTime: seldomStale })
  const fields = useQuery({ ...callQuery(getTicketFieldList, { idProject }), staleTime: seldomStale })
  const labels = useLabels(idProject)
  const { roles, users } = usePeople(idTicket)
  const people = users.data ?? []
  const labelChoices = (labels.data ?? []).map(({ idLabel, Label }) => ({ id: idLabel, text: Label }))
  const set = (patch: Partial<ChangeDraft>) => onChange({ ...draft, ...patch })
  /** The part that was chosen last: its field gets the focus. */
  const added = useRef<Part>(draft.parts[0])
  const chooser = useRef<HTMLButtonElement>(null)

  const choices: { part: Part; label: string; needs: PermissionId | undefined }[] = [
    { part: 'State', label: 'State', needs: permission.changeState },
    ...(roles.data ?? []).map(({ id, text }) => ({ part: `role.${id}` as const, label: text, needs: permission.assignPeople })),
    ...(['AddLabels', 'RemoveLabels', 'SetLabels'] as const).map(part => ({
      part,
      label: labelParts[part],
      needs: permission.editTickets,
    })),
    { part: 'Parent', label: 'Parent', needs: permission.editTickets },
    ...(fields.data ?? []).map(({ Key, Label }) => ({ part: `data.${Key}` as const, label: Label, needs: permission.editTickets })),
    { part: 'Watch', label: 'Watch', needs: undefined },
  ]

  const editor = (part: Part) => {
    if (part === 'State')
      return (
        <Select
          label="State"
          value={draft.State ?? 0}
          placeholder="Choose a state"
          onChange={State => set({ State })}
          options={(states.data ?? []).map(({ id, Description, phase }) => ({
            value: id,
            label: Description,
            icon: <PhaseMark phase={phase} />,
          }))}
        />
      )
    if (part === 'Parent')
      return <ParentField idProject={idProject} pcode={pcode} value={draft.Parent} onChange={Parent => set({ Parent })} hasTop />
    if (part === 'Watch')
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
    if (part === 'AddLabels' || part === 'RemoveLabels' || part === 'SetLabels')
      return (
        <MultiSelectField
          label={labelParts[part]}
          options={labelChoices}
          value={draft[part]}
          onChange={ids => set({ [part]: ids })}
          loading={labels.isPending}
          helperText={part === 'SetLabels' && draft.SetLabels.length === 0 && 'The tickets will have no labels'}
        />
      )
    if (part.startsWith('role.')) {
      const idRole = Number(part.slice('role.'.length))
      const role = draft.roles[idRole] ?? { how: 'add' as const, people: [] }
      const name = roles.data?.find(({ id }) => id === idRole)?.text ?? 'Role'
      const change = (patch: Partial<typeof role>) => set({ roles: { ...draft.roles, [idRole]: { ...role, ...patch } } })
      return (
        <div className={styles.role}>
          <Select label={name} value={role.how} onChange={how => change({ how })} options={hows} />
          <MultiSelectField
            label="People"
            options={people}
            value={role.people}
            onChange={ids => change({ people: ids })}
            loading={users.isPending}
            helperText={role.how === 'replace' && role.people.length === 0 && 'Nobody will have this role'}
          />
        </div>
      )
    }
    const key = part.slice('data.'.length)
    const field = fields.data?.find(({ Key }) => Key === key)
    return (
      field && (
        <ValueField
          isForMany
          field={field}
          people={people.map(({ id, text }) => ({ value: String(id), label: text }))}
          value={valueIn(draft, key)}
          onChange={value => set({ data: { ...draft.data, [key]: value } })}
        />
      )
    )
  }
  const open = choices.filter(({ part }) => isOpen(part, draft.parts))
  const nameOf = (part: Part) => choices.find(choice => choice.part === part)?.label ?? ''
  return (
    <>
      <LoadProblem of={[states, fields, labels, roles, users]} />
      {draft.parts.map(part => (
        <div
          key={part}
          ref={row => {
            if (!row || added.current !== part) return
            added.current = undefined
            const people = part.startsWith('role.') && row.querySelector('input')
            ;(people || reachableIn(row)[0])?.focus()
          }}
          className={styles.part}
        >
          <div className={styles.editor}>{editor(part)}</div>
          <IconButton
            aria-label={`Leave ${nameOf(part)} as it is`}
            className={styles.remove}
            onClick={() => {
              set({ parts: draft.parts.filter(other => other !== part) })
              chooser.current?.focus()
            }}
          >
            <CloseIcon fontSize="small" />
          </IconButton>
        </div>
      ))}
      <Select<string>
        ref={chooser}
        label={draft.parts.length === 0 ? 'What to change' : 'What else to change'}
        placeholder="Choose"
        value=""
        onChange={part => {
          added.current = part as Part
          set({ parts: [...draft.parts, part as Part] })
        }}
        options={open.map(({ part, label, needs }) => ({
          value: part,
          label: needs === undefined || may(needs) ? label : `${label} (needs the permission ${permissionName(needs)})`,
          isDisabled: needs !== undefined && !may(needs),
        }))}
        helperText={draft.parts.length === 0 && 'Everything else stays as it is.'}
      />
    </>
  )
}
