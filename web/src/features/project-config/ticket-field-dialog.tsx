import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'

import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import {
  createNewTicketField,
  getPropertytypeList,
  type getTicketFieldList,
  setTicketField,
  typesWithOptions,
} from '@tessera/contract/project-config'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormDialog } from '../../components/form-dialog.tsx'
import { HelpIcon } from '../../components/icons.tsx'
import { LoadProblem } from '../../components/load-problem.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { whenAnswered } from '../../components/when-answered.ts'
import { callQuery, useCallMutation } from '../../lib/api.ts'
import { databaseKeyRule, nameRule } from '../../lib/field-rules.ts'
import { isSame } from '../../lib/use-draft.ts'
import { FieldOptionList } from './field-option-list.tsx'
import { editable, fieldProps, optionProblem } from './field-options.ts'

interface TicketFieldDialogProps {
  idProject: number
  /** The field to change; a new one without it. */
  field?: Response<typeof getTicketFieldList>[number]
  onClose: () => void
}

const keyHint = 'a unique identifier of at most 64 ASCII characters'

export function TicketFieldDialog({ idProject, field, onClose }: TicketFieldDialogProps) {
  const loaded = useQuery({ ...callQuery(getPropertytypeList, {}), staleTime: Number.POSITIVE_INFINITY })
  const types = loaded.data ?? []
  const create = useCallMutation(createNewTicketField)
  const save = useCallMutation(setTicketField)
  const { register, handleSubmit, formState } = useForm({ defaultValues: { Label: field?.Label ?? '', DbKey: field?.Key ?? '' } })
  const { errors } = formState
  const [chosenType, chooseType] = useState(field?.FieldType)
  const type = chosenType ?? types[0]?.id
  const [options, setOptions] = useState(() => editable(field?.FieldProps ?? []))
  const [wrongOption, setWrongOption] = useState<{ id: number; message: string }>()
  const hasOptions = type !== undefined && typesWithOptions.includes(type)
  const isChanged = formState.isDirty || chosenType !== field?.FieldType || !isSame(fieldProps(options), field?.FieldProps ?? [])

  const submit = handleSubmit(({ Label, DbKey }) => {
    const wrong = hasOptions ? optionProblem(options) : undefined
    setWrongOption(wrong)
    if (wrong || type === undefined) return
    const FieldProps = fieldProps(options)
    if (!field) {
      create.mutate(
        { idProject, Label: Label.trim(), DbKey: DbKey.trim(), idControlType: type, ...(hasOptions && { FieldProps }) },
        whenAnswered(onClose, messages.fieldCreated, messages.fieldCreationFailed),
      )
      return
    }
    const changed = {
      ...(Label.trim() !== field.Label && { Label: Label.trim() }),
      ...(hasOptions && !isSame(FieldProps, field.FieldProps) && { FieldProps }),
    }
    save.mutate({ idProject, idField: field.id, ...changed }, whenAnswered(onClose, messages.settingsSaved, messages.saveFailed))
  })
  return (
    <FormDialog
      open
      title={field ? 'Edit Ticket Field' : 'New Ticket Field'}
      submitLabel={field ? 'SAVE' : 'ADD'}
      maxWidth={hasOptions ? 'sm' : 'xs'}
      disabled={field !== undefined && !isChanged}
      busy={create.isPending || save.isPending}
      isDirty={isChanged}
      error={(create.error ?? save.error)?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Label"
        {...register('Label', { validate: nameRule('a label') })}
        error={Boolean(errors.Label)}
        helperText={errors.Label?.message}
      />
      <Box sx={{ position: 'relative' }}>
        <TextField
          label="Database key"
          {...register('DbKey', { validate: databaseKeyRule })}
          error={Boolean(errors.DbKey)}
          helperText={errors.DbKey?.message ?? (field && 'The key stays: values are stored under it')}
          slotProps={{ htmlInput: { readOnly: Boolean(field), spellCheck: false, autoCapitalize: 'none', title: keyHint } }}
        />
        <Tooltip title={keyHint} describeChild>
          <IconButton size="small" aria-label="About the database key" sx={{ position: 'absolute', zIndex: 1, left: 82, top: -4 }}>
            <HelpIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      </Box>
      <LoadProblem of={[loaded]} />
      <TextField
        select
        label="Control type"
        value={types.length > 0 ? (type ?? '') : ''}
        disabled={Boolean(field)}
        onChange={event => chooseType(Number(event.target.value))}
        helperText={field && 'The type stays: stored values depend on it'}
      >
        {types.map(({ id, Description }) => (
          <MenuItem key={id} value={id}>
            {Description}
          </MenuItem>
        ))}
      </TextField>
      {hasOptions && (
        <FieldOptionList
          options={options}
          problem={wrongOption}
          onChange={next => {
            setWrongOption(undefined)
            setOptions(next)
          }}
        />
      )}
    </FormDialog>
  )
}
