import { limits } from '@tessera/contract/limits'
import { messages, phaseName } from '@tessera/contract/messages'
import { createNewState, setTicketState } from '@tessera/contract/projects/project-config'
import type { Phase } from '@tessera/contract/scalars'
import { Controller, useForm } from 'react-hook-form'
import { LabeledCheckBox } from '../../../components/check-box/check-box.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { PhaseMark } from '../../../components/icons/phase-mark.tsx'
import { Select } from '../../../components/select/select.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { changedFrom } from '../../../lib/forms/changed.ts'
import { nameRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'

interface TicketStateDialogProps {
  idProject: number
  /** The state to change, as it was when the dialog was opened; a new one without it. */
  state?: { id: number; Description: string; phase: Phase; Limit?: number; LimitHolds?: 1 }
  onClose: () => void
}

const phases: readonly Phase[] = [1, 2, 3]

export function TicketStateDialog({ idProject, state, onClose }: TicketStateDialogProps) {
  const create = useCallMutation(createNewState)
  const save = useCallMutation(setTicketState)
  const { register, handleSubmit, control, formState, setError, watch } = useForm({
    defaultValues: {
      State: state?.Description ?? '',
      idPhase: state?.phase ?? (1 as Phase),
      Limit: String(state?.Limit ?? ''),
      LimitHolds: state?.LimitHolds === 1,
    },
  })
  const { errors, isDirty } = formState
  const onTaken = (message: string) => setError('State', { message }, { shouldFocus: true })
  const submit = handleSubmit(({ State, idPhase, Limit, LimitHolds }) => {
    const name = State.trim()
    if (!state) {
      create.mutate(
        { idProject, State: name, idPhase },
        whenAnswered(onClose, { done: messages.stateCreated, failed: messages.stateCreationFailed, onTaken }),
      )
      return
    }
    const changed = changedFrom(
      { State: state.Description, idPhase: state.phase, Limit: state.Limit ?? 0, LimitHolds: state.LimitHolds ?? 0 },
      { State: name, idPhase, Limit: Number(Limit), LimitHolds: LimitHolds && Number(Limit) > 0 ? 1 : 0 } as const,
    )
    save.mutate(
      { idProject, idState: state.id, ...changed },
      whenAnswered(onClose, { done: messages.settingsSaved, failed: messages.saveFailed, onTaken }),
    )
  })
  return (
    <FormDialog
      title={state ? 'Edit Ticket State' : 'New Ticket State'}
      submitLabel={state ? 'SAVE' : 'ADD'}
      disabled={state !== undefined && !isDirty}
      busy={create.isPending || save.isPending}
      isDirty={isDirty}
      error={formMessage(create.error ?? save.error, state ? 'state' : 'project')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="State name"
        {...register('State', { validate: nameRule('a name for the state') })}
        problem={errors.State?.message}
      />
      <Controller
        control={control}
        name="idPhase"
        render={({ field }) => (
          <Select
            label="Phase"
            value={field.value}
            options={phases.map(phase => ({ value: phase, label: phaseName[phase], icon: <PhaseMark phase={phase} /> }))}
            onChange={field.onChange}
          />
        )}
      />
      {state && (
        <>
          <TextField
            label="Limit on the board"
            inputMode="numeric"
            {...register('Limit', {
              validate: value =>
                value.trim() === '' ||
                (/^\d+$/.test(value.trim()) && Number(value) <= limits.columnLimit) ||
                `A number up to ${limits.columnLimit}, or nothing`,
            })}
            problem={errors.Limit?.message}
            helperText="The board marks a column with more tickets. Empty: no limit."
          />
          <LabeledCheckBox
            label="Enforce the limit: while the state is full, no ticket can be moved into it"
            disabled={Number(watch('Limit')) === 0}
            {...register('LimitHolds')}
          />
        </>
      )}
    </FormDialog>
  )
}
