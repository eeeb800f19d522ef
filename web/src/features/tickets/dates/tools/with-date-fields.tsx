import { permission } from '@tessera/contract/permissions'
import { type ReactNode, useEffect } from 'react'
import { ButtonLink } from '../../../../components/button/button.tsx'
import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { ErrorState } from '../../../../components/empty-state/error-state.tsx'
import { CalendarIcon } from '../../../../components/icons/icons.tsx'
import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { mayInProject, useSession } from '../../../../lib/session/session.tsx'
import type { DateField } from '../date-fields.ts'
import { useDateFields } from '../use-date-fields.ts'

interface WithDateFieldsProps<Chosen> extends NoDateFieldProps {
  /** The keys of the fields that the view names. */
  keys: readonly string[]
  /** What is shown of these fields; undefined if they are too few. */
  choose: (fields: readonly DateField[]) => Chosen | undefined
  /** Called with null when there are too few: nothing is read that could fail. */
  onError: (error: null) => void
  children: (chosen: Chosen, fields: readonly DateField[]) => ReactNode
}

/** Reads the DATE fields of a project for a calendar or timeline, and says what is missing if it cannot be shown. */
export function WithDateFields<Chosen>({ keys, choose, onError, children, ...words }: WithDateFieldsProps<Chosen>) {
  const { isPending, error, refetch, fields, unreadable } = useDateFields(words.idProject, keys)
  const chosen = isPending ? undefined : choose(fields)
  const isMissing = !isPending && !chosen
  useEffect(() => {
    if (isMissing) onError(null)
  }, [onError, isMissing])
  if (chosen) return children(chosen, fields)
  if (error) return <ErrorState message={error.message} onRetry={refetch} />
  if (isPending) return <VisuallyHidden role="status">Loading the {words.area}</VisuallyHidden>
  return <NoDateField {...words} unreadable={unreadable} />
}

interface NoDateFieldProps {
  idProject: number
  /** What cannot be shown: `calendar`. */
  area: string
  title: string
  why: string
}

/** `unreadable`: the key of a DATE field that a query cannot name. */
function NoDateField({ idProject, area, title, why, unreadable }: NoDateFieldProps & { unreadable: string | undefined }) {
  const mayAdd = mayInProject(useSession(), idProject, permission.manageFields)
  return (
    <EmptyState
      icon={<CalendarIcon />}
      title={title}
      action={mayAdd && <ButtonLink to={`/edit-project/${idProject}`}>ADD A FIELD</ButtonLink>}
    >
      {unreadable
        ? `The key of its date field, ‘${unreadable}’, means something else in queries, so the ${area} cannot find its days. A field with another key can be shown.`
        : why}{' '}
      {mayAdd ? 'Add a field of the type DATE to this project.' : 'Ask someone who may manage its fields to add one of the type DATE.'}
    </EmptyState>
  )
}
