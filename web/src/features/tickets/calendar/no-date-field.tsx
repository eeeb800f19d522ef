import { permission } from '@tessera/contract/permissions'
import { ButtonLink } from '../../../components/button/button.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { CalendarIcon } from '../../../components/icons/icons.tsx'
import { mayInProject, useSession } from '../../../lib/session/session.tsx'

/** Instead of the calendar of a project that has no DATE field, or only one that a query cannot name. */
export function NoDateField({ idProject, unreadable }: { idProject: number; unreadable: string | undefined }) {
  const mayAdd = mayInProject(useSession(), idProject, permission.manageFields)
  const why = unreadable
    ? `The key of its date field, ‘${unreadable}’, means something else in a query, which the calendar asks. A field with another key can be shown.`
    : 'A calendar shows each ticket on the day that one of its fields has.'
  return (
    <EmptyState
      icon={<CalendarIcon />}
      title="There is no date field to show"
      action={mayAdd && <ButtonLink to={`/edit-project/${idProject}`}>ADD A FIELD</ButtonLink>}
    >
      {why}{' '}
      {mayAdd ? 'Add a field of the type DATE to this project.' : 'Ask someone who may manage its fields to add one of the type DATE.'}
    </EmptyState>
  )
}
