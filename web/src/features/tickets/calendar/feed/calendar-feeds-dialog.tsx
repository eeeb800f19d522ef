import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { getProjectData } from '@tessera/contract/projects/projects'
import { useState } from 'react'
import { PlainDialog } from '../../../../components/dialog/plain-dialog.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { counted, formatNumber } from '../../../../lib/display/format.ts'
import type { DateField } from '../../dates/date-fields.ts'
import type { TicketView } from '../../list/view/ticket-view.ts'
import styles from './calendar-feeds.module.css'
import { FeedAddress, type MadeAddress } from './feed-address.tsx'
import { FeedList } from './feed-list.tsx'
import { NewFeedForm } from './new-feed-form.tsx'

interface CalendarFeedsDialogProps {
  idProject: number
  view: TicketView
  field: DateField
  fields: readonly DateField[]
  onClose: () => void
}

/** Makes secret addresses at which calendar programs read what the calendar shows, and lists the person's own. */
export function CalendarFeedsDialog({ idProject, view, field, fields, onClose }: CalendarFeedsDialogProps) {
  const project = useQuery(callQuery(getProjectData, { idProject }))
  const [made, setMade] = useState<MadeAddress>()
  return (
    <PlainDialog title="Calendar feed" className={styles.content} onClose={onClose}>
      <p>
        A calendar program that subscribes to a feed shows the tickets of this calendar, and keeps them up to date. Whoever has the address
        of the feed sees their titles and states without signing in, for as long as you may see them yourself.
      </p>
      {project.data?.Archived === 1 && <p>This project is archived: nobody can read its feeds, and it gets no new ones.</p>}
      {project.data?.Archived === 0 && (
        <NewFeedForm idProject={idProject} view={view} field={field} project={project.data.Title} onMade={setMade} />
      )}
      {made && <FeedAddress key={made.address} made={made} />}
      <FeedList
        idProject={idProject}
        fields={fields}
        onRenewed={setMade}
        onDeleted={idFeed => setMade(now => (now?.idFeed === idFeed ? undefined : now))}
      />
      <p className={styles.note}>
        A feed goes from {counted(limits.feedYearsBack, 'year')} ago to {counted(limits.feedYearsAhead, 'year')} ahead and has at most{' '}
        {formatNumber(limits.feedTickets)} tickets, those of the coming days first.
      </p>
    </PlainDialog>
  )
}
