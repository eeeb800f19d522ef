import { setSearch } from '@tessera/contract/projects/saved-searches'
import { Controller, useForm } from 'react-hook-form'
import { FormDialog } from '../../../components/form-dialog/form-dialog.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { whenAnswered } from '../../../components/toaster/when-answered.ts'
import { ToggleGroup } from '../../../components/toggle-group/toggle-group.tsx'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { changedFrom } from '../../../lib/forms/changed.ts'
import { nameRule } from '../../../lib/forms/field-rules.ts'
import { formMessage } from '../../../lib/forms/refusal-messages.ts'
import { problemOfText } from '../query-field/problem.ts'
import type { SavedSearch } from './saved-search.ts'
import styles from './saved-searches.module.css'

interface SaveSearchDialogProps {
  /** The saved search to change, as it was when the dialog was opened; a new one without it. */
  saved?: SavedSearch
  /** The query of a new search. */
  query?: string
  onClose: () => void
}

export function SaveSearchDialog({ saved, query = '', onClose }: SaveSearchDialogProps) {
  const save = useCallMutation(setSearch)
  const { register, handleSubmit, control, formState, setError } = useForm({
    defaultValues: { Name: saved?.Name ?? '', Query: saved?.Query ?? query, Scope: saved?.Scope ?? ('private' as const) },
  })
  const submit = handleSubmit(({ Name, Query, Scope }) =>
    save.mutate(
      { ...(saved && { idSearch: saved.idSearch }), ...changedFrom(saved, { Name: Name.trim(), Query: Query.trim(), Scope }) },
      whenAnswered(onClose, {
        done: saved ? 'The search was changed' : 'The search was saved',
        onTaken: message => setError('Name', { message }, { shouldFocus: true }),
      }),
    ),
  )
  return (
    <FormDialog
      title={saved ? 'Edit Search' : 'Save Search'}
      submitLabel="SAVE"
      disabled={saved !== undefined && !formState.isDirty}
      busy={save.isPending}
      isDirty={formState.isDirty}
      error={formMessage(save.error, saved && 'search')}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        {...register('Name', { validate: nameRule('a name for the search') })}
        problem={formState.errors.Name?.message}
      />
      <TextField label="Query" {...register('Query', { validate: queryRule })} problem={formState.errors.Query?.message} />
      {/* A search that others already use cannot become private, unless by the person who made it. */}
      {saved?.Mine !== 0 && (
        <Controller
          control={control}
          name="Scope"
          render={({ field }) => (
            <ToggleGroup
              label="Who sees it"
              value={field.value}
              onChange={field.onChange}
              options={[
                { value: 'private', label: 'Only me' },
                { value: 'organization', label: 'Everyone in the organization' },
              ]}
              className={styles.scope}
            />
          )}
        />
      )}
    </FormDialog>
  )
}

function queryRule(query: string) {
  return query.trim() === '' ? 'Enter a query' : problemOfText(query)?.message
}
