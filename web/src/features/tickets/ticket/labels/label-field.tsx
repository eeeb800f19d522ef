import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { getLabelList, labelColor, setLabel, type TicketLabel } from '@tessera/contract/projects/labels'
import { useEffect, useRef, useState } from 'react'
import { MultiAutocomplete } from '../../../../components/autocomplete/autocomplete.tsx'
import { LabelChip } from '../../../../components/label-chip/label-chip.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { readableOn } from '../../../../lib/display/label-color.ts'
import { bestMatches, folded } from '../../../../lib/forms/best-matches.ts'
import { refusalMessage } from '../../../../lib/forms/refusal-messages.ts'
import { type LabelChange, labelChanges, type Ticket } from '../../ticket.ts'
import styles from './ticket-labels.module.css'

interface LabelFieldProps {
  ticket: Ticket
  /** The labels that are chosen now. */
  shown: readonly TicketLabel[]
  onChange: (changes: LabelChange[]) => void
  /** Called when the field is left, by Escape, by Ctrl+S or otherwise. */
  onClose: (isByKey: boolean) => void
}

/** The id of the entry that makes a new label. */
const newLabel = 0

function choiceOf({ idLabel, Label, Color }: TicketLabel) {
  return { id: idLabel, text: Label, Color }
}

/** Chooses a ticket's labels by typing. People who may manage labels can create new ones here. */
export function LabelField({ ticket, shown, onChange, onClose }: LabelFieldProps) {
  const { idProject } = ticket
  const labels = useQuery({ ...callQuery(getLabelList, { idProject }), staleTime: seldomStale })
  const create = useCallMutation(setLabel)
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  // Another label may be chosen while one is being created.
  const latest = useRef(shown)
  useEffect(() => {
    latest.current = shown
  }, [shown])

  const wanted = text.trim().toLowerCase()
  const known = labels.data ?? []
  const matches = bestMatches(known, ({ Label }) => Label, text).map(choiceOf)
  const isNew = wanted !== '' && !known.some(({ Label }) => Label.toLowerCase() === wanted) && wanted.length <= limits.name
  const mayCreate = labels.isSuccess && isNew && ticket.Permissions.includes(permission.manageFields)
  const creation = mayCreate ? [{ id: newLabel, text: `Create the label “${text.trim()}”`, Color: '' }] : []
  // Enter chooses the first: a label that has only the words, each somewhere, is not what was typed.
  const isWhole = known.some(({ Label }) => folded(Label).includes(folded(wanted)))
  const options = isWhole ? [...matches, ...creation] : [...creation, ...matches]
  // Resetting one under way would lose its answer.
  const forgetProblem = () => create.isError && create.reset()
  const take = (ids: number[]) => {
    forgetProblem()
    onChange(labelChanges(ticket.Labels, ids))
    setText('')
  }
  const isFull = shown.length >= limits.labelsPerTicket
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field in it
    <div
      className={styles.field}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget) && !create.isPending) onClose(false)
      }}
      onKeyDown={event => {
        // The first Escape closes the list.
        const isMeant = !event.defaultPrevented && !event.nativeEvent.isComposing && !create.isPending
        // Closed first: below an open list Ctrl+S does not save.
        const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
        if ((event.key === 'Escape' || isSave) && isMeant) onClose(true)
      }}
    >
      <MultiAutocomplete
        ref={input}
        aria-label="Labels"
        placeholder="Search labels"
        options={options}
        value={shown.map(choiceOf)}
        text={text}
        onTextChange={typed => {
          setText(typed)
          forgetProblem()
        }}
        loading={labels.isPending}
        emptyText={known.length === 0 ? 'There are no labels yet' : 'No label matches'}
        chipStyle={({ Color }) => ({ backgroundColor: Color, color: readableOn(Color) })}
        renderOption={({ id, text: name, Color }) => (id === newLabel ? name : <LabelChip name={name} color={Color} />)}
        problem={refusalMessage(create.error)}
        helperText={isFull && `A ticket carries at most ${limits.labelsPerTicket} labels`}
        onChange={chosen => {
          const ids = chosen.map(({ id }) => id)
          if (ids.length > limits.labelsPerTicket) return
          if (!ids.includes(newLabel)) take(ids)
          // A second Enter would create it again.
          else if (!create.isPending)
            create.mutate(
              { idProject, Label: text.trim(), Color: labelColor },
              { onSuccess: ({ idLabel }) => take([...latest.current.map(label => label.idLabel), idLabel]) },
            )
        }}
      />
    </div>
  )
}
