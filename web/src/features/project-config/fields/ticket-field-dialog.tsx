import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import {
  createNewTicketField,
  getPropertytypeList,
  type getTicketFieldList,
  propertyType,
  propertyTypes,
  setTicketField,
  setTicketFieldType,
  typesWithOptions,
} from '@tessera/contract/projects/project-config'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { HelpIcon } from '../../../components/icons/icons.tsx'
import { Select } from '../../../components/select/select.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import { type CallError, callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { changedFrom } from '../../../lib/forms/changed.ts'
import { isSame } from '../../../lib/forms/drafts/use-draft.ts'
import { databaseKeyRule, nameRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'
import { FieldTypeChange } from './field-type-change.tsx'
import { FieldOptionList } from './options/field-option-list.tsx'
import { editable, fieldProps, mergedOptions, optionProblem } from './options/field-options.ts'
import { hidesField, proposedKey } from './proposed-key.ts'
import styles from './ticket-field-dialog.module.css'

type Field = Response<typeof getTicketFieldList>[number]

interface TicketFieldDialogProps {
  idProject: number
  /** The field to change, as it was when the dialog was opened; a new one without it. */
  field?: Field
  onClose: () => void
}

function hintFor(key: string) {
  const word = key.trim().toLowerCase()
  return hidesField(word) ? `In a query, ${word} already has another meaning: this field cannot be searched by its key` : undefined
}

/** What the form sends. */
interface Given {
  Label: string
  FieldProps?: Field['FieldProps']
}

const keyHint = 'a unique identifier of at most 64 ASCII characters'

export function TicketFieldDialog({ idProject, field, onClose }: TicketFieldDialogProps) {
  const loaded = useQuery({ ...callQuery(getPropertytypeList, {}), staleTime: 'static' })
  const types = loaded.data ?? propertyTypes
  const create = useCallMutation(createNewTicketField)
  const save = useCallMutation(setTicketField)
  const retype = useCallMutation(setTicketFieldType)
  const [fits, setFits] = useState(false)
  const { register, handleSubmit, formState, setError, setValue, watch } = useForm({
    defaultValues: { Label: field?.Label ?? '', DbKey: field?.Key ?? '' },
  })
  const { errors, dirtyFields, isSubmitted } = formState
  // Until the person writes a key, or empties it.
  const proposeKey = (label: string) => {
    if (!field && !dirtyFields.DbKey) setValue('DbKey', proposedKey(label), { shouldValidate: isSubmitted })
  }
  const [chosenType, chooseType] = useState(field?.FieldType)
  const type = chosenType ?? propertyType.TEXTMULTILINE
  const [read, setRead] = useState(field?.FieldProps ?? [])
  const [options, setOptions] = useState(() => editable(read))
  const [wrongOption, setWrongOption] = useState<{ id: number; message: string }>()
  const isRetyped = field !== undefined && type !== field.FieldType
  // Changing the type also sets the options.
  const hasOptions = typesWithOptions.includes(type) && !isRetyped
  const isChanged = formState.isDirty || chosenType !== field?.FieldType || !isSame(fieldProps(options), read)

  const createField = (DbKey: string, given: Given) =>
    create.mutate(
      { idProject, DbKey, idControlType: type, ...given },
      whenAnswered(onClose, {
        done: messages.fieldCreated,
        failed: messages.fieldCreationFailed,
        onTaken: message => setError('DbKey', { message }, { shouldFocus: true }),
      }),
    )
  const changeField = ({ id: idField, Label }: Field, given: Given) => {
    const changed = changedFrom({ Label, FieldProps: read }, given)
    const answered = whenAnswered(onClose, { done: messages.settingsSaved, failed: messages.saveFailed })
    const onError = (problem: CallError) => {
      answered.onError(problem)
      if (problem.code !== 'conflict') return
      const { FieldProps: theirs } = problem.body as { FieldProps: typeof read }
      setOptions(now => mergedOptions(read, now, theirs))
      setRead(theirs)
    }
    const saveRest = () =>
      save.mutate({ idProject, idField, ...changed, ...(changed.FieldProps && { FieldPropsBefore: read }) }, { ...answered, onError })
    if (!isRetyped) return saveRest()
    const onSuccess = Object.keys(changed).length === 0 ? answered.onSuccess : saveRest
    retype.mutate({ idProject, idField, idControlType: type }, { ...answered, onSuccess })
  }
  const submit = handleSubmit(({ Label, DbKey }) => {
    const wrong = hasOptions ? optionProblem(options) : undefined
    setWrongOption(wrong)
    if (wrong) return
    const given = { Label: Label.trim(), ...(hasOptions && { FieldProps: fieldProps(options) }) }
    if (field) changeField(field, given)
    else createField(DbKey.trim(), given)
  })
  return (
    <FormDialog
      title={field ? 'Edit Ticket Field' : 'New Ticket Field'}
      submitLabel={field ? 'SAVE' : 'ADD'}
      maxWidth={hasOptions ? 'sm' : 'xs'}
      disabled={field !== undefined && (!isChanged || (isRetyped && !fits))}
      busy={create.isPending || save.isPending || retype.isPending}
      isDirty={isChanged}
      error={formMessage(create.error ?? retype.error ?? save.error, field ? 'field' : 'project')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Label"
        {...register('Label', { validate: nameRule('a label'), onChange: event => proposeKey(event.target.value) })}
        problem={errors.Label?.message}
      />
      <div className={styles.key}>
        <TextField
          label="Database key"
          {...register('DbKey', { validate: databaseKeyRule })}
          problem={errors.DbKey?.message}
          helperText={field ? 'The key stays: values are stored under it' : hintFor(watch('DbKey'))}
          readOnly={Boolean(field)}
          spellCheck={false}
          autoCapitalize="none"
          title={keyHint}
        />
        <Tooltip title={keyHint} describeChild>
          <IconButton small aria-label="What is this?" className={styles.help}>
            <HelpIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      </div>
      <LoadProblem of={[loaded]} />
      <Select
        label="Control type"
        value={type}
        options={types.map(({ id, Description }) => ({ value: id, label: Description }))}
        onChange={chosen => {
          setFits(false)
          chooseType(Number(chosen))
        }}
        helperText={field && 'The type changes only while every stored value fits'}
      />
      {isRetyped && <FieldTypeChange key={type} idProject={idProject} idField={field.id} idControlType={type} onFits={setFits} />}
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
