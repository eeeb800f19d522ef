import { permission } from '@tessera/contract/permissions'
import { ButtonLink } from '../../../../components/button/button.tsx'
import { EmptyState } from '../../../../components/empty-state/empty-state.tsx'
import { CalendarIcon } from '../../../../components/icons/icons.tsx'
import { mayInProject, useSession } from '../../../../lib/session/session.tsx'

interface NoDateFieldProps {
  idProject: number
  /** What cannot be shown: `calendar`. */
  area: string
  title: string
  why: string
  /** The key of a DATE field that a query cannot name. */
  unreadable: string | undefined
}

/** Instead of the calendar or timeline of a project that has too few DATE fields, or some that a query cannot name. */
export function NoDateField({ idProject, area, title, why, unreadable }: NoDateFieldProps) {
  const mayAdd = mayInProject(useSession(), idProject, permission.manageFields)
  return (
    <EmptyState
      icon={<CalendarIcon />}
      title={title}
      action={mayAdd && <ButtonLink to={`/edit-project/${idProject}`}>ADD A FIELD</ButtonLink>}
    >
      {unreadable
        ? `The key of its date field, ‘${unreadable}’, means something else in a query, which the ${area} asks. A field with another key can be shown.`
        : why}{' '}
      {mayAdd ? 'Add a field of the type DATE to this project.' : 'Ask someone who may manage its fields to add one of the type DATE.'}
    </EmptyState>
  )
}
