import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { getProjectData } from '@tessera/contract/projects/projects'
import { getChangeSetList } from '@tessera/contract/tickets/bulk'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { Card } from '../../../components/card/card.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { NotFound } from '../../../components/empty-state/not-found.tsx'
import { HistoryIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { Link } from '../../../components/link/link.tsx'
import { MoreButton } from '../../../components/more-button/more-button.tsx'
import { PageContent } from '../../../components/page-content/page-content.tsx'
import { PageHeading } from '../../../components/page-content/page-heading.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { TimeAgo } from '../../../components/time-ago/time-ago.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useOlder } from '../../../lib/calls/use-older.ts'
import { counted, formatDateTime, formatNumber } from '../../../lib/display/format.ts'
import { keepFocus } from '../../../lib/input/keep-focus.ts'
import { usePageTitle } from '../../../lib/navigation/page-title.ts'
import { useIdInAddress } from '../../../lib/navigation/use-navigation.ts'
import { type ChangeSet, whyFinal } from './change-set.ts'
import styles from './project-changes-page.module.css'
import { TicketCodes } from './ticket-codes.tsx'

const RevertDialog = lazy(async () => (await import('./revert-dialog.tsx')).RevertDialog)

const what: Record<ChangeSet['What'], string> = {
  bulk: 'changed',
  import: 'imported',
  restore: 'brought back what was deleted',
  revert: 'reverted a change of',
}
/** What somebody did: "imported 3 tickets". */
function deedOf({ What, Tickets }: ChangeSet) {
  if (What === 'restore') return Tickets === 0 ? what.restore : `${what.restore}, in ${counted(Tickets, 'ticket')}`
  return `${what[What]} ${counted(Tickets, 'ticket')}`
}
/** What was changed, in words. */
function wordsOf({ Field, How, Value }: ChangeSet['Changes'][number]) {
  if (Field === 'Trash') return How === 'added' ? 'moved to the trash' : 'taken out of the trash'
  if (How === 'varies') return `${Field}: several values`
  return `${Field}: ${Value ?? 'none'}${How === 'set' ? '' : ` ${How}`}`
}
const mostChanges = 4

export function ProjectChangesPage() {
  const idProject = useIdInAddress()
  return idProject === undefined ? <NotFound noun="project" /> : <Changes key={idProject} idProject={idProject} />
}

/** Changes of many tickets of a project, the latest first. */
function Changes({ idProject }: { idProject: number }) {
  const its = useQuery(callQuery(getProjectData, { idProject }))
  const project = its.data
  const input = { idProject, Limit: limits.pageSize }
  const first = useQuery(callQuery(getChangeSetList, input))
  const older = useOlder(getChangeSetList, input, first.data, ({ idChangeSet }) => idChangeSet)
  const [reverting, revert] = useState<ChangeSet>()
  usePageTitle(project ? `Changes of ${project.Title}` : 'Changes')
  if ([its, first].some(({ error }) => error?.status === 404)) return <NotFound noun="project" wasHere={project !== undefined} />
  const sets = first.data && [...first.data, ...older.rows]
  return (
    <PageContent maxWidth={960}>
      <PageHeading>Changes</PageHeading>
      <p className={styles.intro}>
        Changes of many tickets at once in{' '}
        <Link underlined to={`/view-project/${idProject}`}>
          {project?.Title ?? 'this project'}
        </Link>
        . They can be reverted for {limits.revertDays} days.
      </p>
      <Card ref={keepFocus}>
        {first.isPending && (
          <>
            <VisuallyHidden role="status">Loading the changes</VisuallyHidden>
            <Skeleton height={240} />
          </>
        )}
        <LoadProblem of={[its, first]} />
        {sets?.length === 0 && (
          <EmptyState icon={<HistoryIcon />} title="No changes yet">
            Bulk changes, imports and restored deletions appear here.
          </EmptyState>
        )}
        {sets && sets.length > 0 && (
          <ul aria-label="Changes">
            {sets.map(set => {
              const refusal = whyFinal(set) ?? set.Refused
              const deed = deedOf(set)
              return (
                <li key={set.idChangeSet} className={styles.row}>
                  <div id={`change-${set.idChangeSet}`} className={styles.words}>
                    <div>
                      <b>{set.By || 'Somebody'}</b> {deed}
                    </div>
                    {set.Changes.length > 0 && (
                      <div className={styles.what}>
                        {set.Changes.slice(0, mostChanges).map(wordsOf).join(' · ')}
                        {set.Changes.length > mostChanges && ` · ${set.Changes.length - mostChanges} more`}
                      </div>
                    )}
                    {project && set.Some.length > 0 && (
                      <div className={styles.what}>
                        <TicketCodes pcode={project.ShortCode} ids={set.Some} />
                        {set.Tickets > set.Some.length && ` and ${formatNumber(set.Tickets - set.Some.length)} more`}
                      </div>
                    )}
                    <time dateTime={new Date(set.At * 1000).toISOString()} title={formatDateTime(set.At)} className={styles.time}>
                      <TimeAgo at={set.At} />
                    </time>
                  </div>
                  {refusal === undefined ? (
                    <Button
                      aria-label={`Revert: ${deed}`}
                      aria-describedby={`change-${set.idChangeSet}`}
                      onClick={() => {
                        revert(set)
                        // The dialog opens once the project is known.
                        if (!project) void its.refetch()
                      }}
                    >
                      REVERT
                    </Button>
                  ) : (
                    <span className={styles.refusal}>{refusal}</span>
                  )}
                </li>
              )
            })}
          </ul>
        )}
        <MoreButton label="SHOW MORE" list={older} />
      </Card>
      {reverting && project && (
        <RevertDialog idProject={idProject} set={reverting} pcode={project.ShortCode} onClose={() => revert(undefined)} />
      )}
    </PageContent>
  )
}
