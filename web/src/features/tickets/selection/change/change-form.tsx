import { type PermissionId, permission } from '@tessera/contract/permissions'
import { needsPermission } from '@tessera/contract/refusals'
import { useRef } from 'react'
import { LoadProblem } from '../../../../components/empty-state/load-problem.tsx'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { CloseIcon } from '../../../../components/icons/icons.tsx'
import { Select } from '../../../../components/select/select.tsx'
import { reachableIn } from '../../../../lib/input/keep-focus.ts'
import { type ChangeDraft, isOpen, type Part } from './change-draft.ts'
import styles from './change-form.module.css'
import { labelParts, PartEditor, useOffered } from './part-editor.tsx'

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

/** The form for the change, part by part; parts that are not chosen stay as they are. */
export function ChangeForm({ idProject, pcode, idTicket, draft, onChange, may }: ChangeFormProps) {
  const offered = useOffered(idProject, idTicket)
  const { states, types, fields, labels, roles, users } = offered
  const set = (patch: Partial<ChangeDraft>) => onChange({ ...draft, ...patch })
  /** The part that was chosen last: its field gets the focus. */
  const added = useRef<Part>(draft.parts[0])
  const chooser = useRef<HTMLButtonElement>(null)

  const choices: { part: Part; label: string; needs: PermissionId | undefined }[] = [
    { part: 'State', label: 'State', needs: permission.changeState },
    ...(types.data && types.data.length > 1 ? [{ part: 'Type' as const, label: 'Type', needs: permission.editTickets }] : []),
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

  const open = choices.filter(({ part }) => isOpen(part, draft.parts))
  const nameOf = (part: Part) => choices.find(choice => choice.part === part)?.label ?? ''
  return (
    <>
      <LoadProblem of={[states, types, fields, labels, roles, users]} />
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
          <div className={styles.editor}>
            <PartEditor idProject={idProject} pcode={pcode} part={part} offered={offered} draft={draft} set={set} />
          </div>
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
          label: needs === undefined || may(needs) ? label : `${label} · ${needsPermission(needs)}`,
          isDisabled: needs !== undefined && !may(needs),
        }))}
        helperText={draft.parts.length === 0 && 'Everything else stays as it is.'}
      />
    </>
  )
}
