import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { createCalendarFeed, getCalendarFeedList } from '@tessera/contract/projects/calendar-feeds'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Alert } from '../../../../components/alert/alert.tsx'
import { Button } from '../../../../components/button/button.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { CallError, callQuery } from '../../../../lib/calls/api.ts'
import { useCallMutation } from '../../../../lib/calls/mutations/use-call-mutation.ts'
import { timeZone } from '../../../../lib/display/zone.ts'
import { nameRule } from '../../../../lib/forms/field-rules.ts'
import { firstCharacters } from '../../../../lib/forms/first-characters.ts'
import { formMessage } from '../../../../lib/forms/refusal-messages.ts'
import type { DateField } from '../../dates/date-fields.ts'
import type { TicketView } from '../../list/view/ticket-view.ts'
import { queryOfView } from '../../list/view/view-query.ts'
import styles from './calendar-feeds.module.css'
import type { MadeAddress } from './feed-address.tsx'

interface NewFeedFormProps {
  idProject: number
  view: TicketView
  field: DateField
  /** The project's title. */
  project: string
  onMade: (made: MadeAddress) => void
}

/** Makes a feed of what the calendar shows. */
export function NewFeedForm({ idProject, view, field, project, onMade }: NewFeedFormProps) {
  const create = useCallMutation(createCalendarFeed)
  const [problem, setProblem] = useState<string>()
  const { data: feeds = [] } = useQuery(callQuery(getCalendarFeedList, { idProject }))
  const Name = freeName(`${project}: ${field.label}`, new Set(feeds.map(feed => feed.Name)))
  const { register, handleSubmit, formState } = useForm({ values: { Name }, resetOptions: { keepDirtyValues: true } })
  const submit = handleSubmit(async values => {
    setProblem(undefined)
    try {
      const Name = values.Name.trim()
      const Query = await queryOfView(idProject, view)
      const { idFeed, Address } = await create.mutateAsync({ idProject, Name, Query, Field: field.key, Zone: timeZone() })
      onMade({ idFeed, name: Name, address: Address })
    } catch (error) {
      setProblem(error instanceof CallError ? formMessage(error, 'project') : (error as Error).message)
    }
  })
  return (
    <form noValidate onSubmit={submit} className={styles.form}>
      {problem && <Alert severity="error">{problem}</Alert>}
      <TextField
        label="Name"
        {...register('Name', { validate: nameRule('a name for the feed') })}
        problem={formState.errors.Name?.message}
        helperText={`The name of the calendar in other programs. It has the tickets that the current query and filters find, by ${field.label}.`}
      />
      <Button type="submit" variant="contained" disabled={formState.isSubmitting} aria-busy={formState.isSubmitting}>
        CREATE ADDRESS
      </Button>
    </form>
  )
}

/** The name, with a number if there is a feed of that name. */
function freeName(wanted: string, taken: ReadonlySet<string>) {
  const named = (number: number) => {
    const end = number === 1 ? '' : ` ${number}`
    return firstCharacters(wanted, limits.name - end.length) + end
  }
  let number = 1
  while (taken.has(named(number))) number++
  return named(number)
}
