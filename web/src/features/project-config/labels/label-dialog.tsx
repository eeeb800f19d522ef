import { organizationAdmin } from '@tessera/contract/permissions'
import { labelColor, setLabel } from '@tessera/contract/projects/labels'
import { Controller, useForm } from 'react-hook-form'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { LabelChip } from '../../../components/label-chip/label-chip.tsx'
import { Select } from '../../../components/select/select.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { undo } from '../../../components/toaster/undo.ts'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { changedFrom } from '../../../lib/forms/changed.ts'
import { nameRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { ColorChoice } from './color-choice.tsx'
import type { Label } from './label.ts'
import styles from './label-dialog.module.css'

interface LabelDialogProps {
  idProject: number
  /** The label to change, as it was when the dialog was opened; a new one without it. */
  label?: Label
  onClose: () => void
}

export function LabelDialog({ idProject, label, onClose }: LabelDialogProps) {
  const save = useCallMutation(setLabel)
  const { isAdmin } = useSession()
  const { register, handleSubmit, control, formState, watch, setError } = useForm({
    defaultValues: { Label: label?.Label ?? '', Color: label?.Color ?? labelColor, Scope: label?.Scope ?? ('project' as const) },
  })
  const submit = handleSubmit(({ Label, Color, Scope }) => {
    const now = { Label: Label.trim(), Color }
    // UNDO leaves alone what it did not change, and is refused when somebody has changed the same since.
    const back = label && {
      idProject,
      idLabel: label.idLabel,
      ...changedFrom(now, { Label: label.Label, Color: label.Color }),
      Before: changedFrom(label, now),
    }
    save.mutate(
      { idProject, ...changedFrom(label, now), ...(label ? { idLabel: label.idLabel } : { Scope }) },
      whenAnswered(onClose, {
        done: label ? 'The label was changed' : 'The label was added',
        ...(back && { next: () => undo(() => save.mutateAsync(back).then(() => 'The label is as before')) }),
        onTaken: message => setError('Label', { message }, { shouldFocus: true }),
      }),
    )
  })
  return (
    <FormDialog
      title={label ? 'Edit Label' : 'New Label'}
      submitLabel={label ? 'SAVE' : 'ADD'}
      disabled={label !== undefined && !formState.isDirty}
      busy={save.isPending}
      isDirty={formState.isDirty}
      error={formMessage(save.error, label ? 'label' : 'project')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Label"
        {...register('Label', { validate: nameRule('a name for the label') })}
        problem={formState.errors.Label?.message}
      />
      <Controller
        control={control}
        name="Color"
        render={({ field }) => <ColorChoice value={field.value} onChange={field.onChange} stored={label?.Color} />}
      />
      <div className={styles.preview}>
        <LabelChip name={watch('Label').trim() || 'Label'} color={watch('Color')} />
      </div>
      {!label && (
        <Controller
          control={control}
          name="Scope"
          render={({ field }) => (
            <Select
              label="Offered in"
              value={field.value}
              options={[
                { value: 'project', label: 'This project' },
                { value: 'organization', label: 'All projects of the organization', isDisabled: !isAdmin },
              ]}
              onChange={field.onChange}
              helperText={isAdmin ? undefined : `Labels of the organization need the permission ${organizationAdmin}`}
            />
          )}
        />
      )}
    </FormDialog>
  )
}
