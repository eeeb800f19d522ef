import { useInfiniteQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { getUserAccess } from '@tessera/contract/people/users'
import {
  allPermissions,
  organizationAdmin,
  type PermissionId,
  permission,
  permissionName,
  permissionPresets,
} from '@tessera/contract/permissions'
import { Breakable } from '../../components/breakable/breakable.tsx'
import { PlainDialog } from '../../components/dialog/plain-dialog.tsx'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { hasFailed, LoadProblem } from '../../components/empty-state/load-problem.tsx'
import { FolderIcon } from '../../components/icons/icons.tsx'
import { Link } from '../../components/link/link.tsx'
import { MoreButton } from '../../components/more-button/more-button.tsx'
import { moreOf } from '../../components/more-button/more-of.ts'
import { Skeleton } from '../../components/skeleton/skeleton.tsx'
import { VisuallyHidden } from '../../components/visually-hidden/visually-hidden.tsx'
import { callPages } from '../../lib/calls/api.ts'
import { counted } from '../../lib/display/format.ts'
import { OpenTickets, openTicketsPath } from './open-tickets.tsx'
import styles from './user-access-dialog.module.css'

type Access = Response<typeof getUserAccess>

interface UserAccessDialogProps {
  idUser: number
  login: string
  onClose: () => void
}

/** What a person may do in the organization and in each of their projects; for its admins, who see all projects. */
export function UserAccessDialog({ idUser, login, onClose }: UserAccessDialogProps) {
  const access = useInfiniteQuery(callPages(getUserAccess, { idUser }))
  const person = access.data?.pages[0]
  const projects = access.data?.pages.flatMap(page => page.Projects) ?? []
  return (
    <PlainDialog
      title={
        <>
          What <Breakable>{login}</Breakable> may do
        </>
      }
      onClose={onClose}
    >
      <LoadProblem of={[access]} />
      {!person && !hasFailed(access) && (
        <>
          <VisuallyHidden role="status">Loading the permissions</VisuallyHidden>
          {[0, 1, 2].map(row => (
            <Skeleton key={row} height={44} className={styles.loading} />
          ))}
        </>
      )}
      {person && (
        <>
          {ranks(person).map(rank => (
            <p key={rank} className={styles.rank}>
              {rank}
            </p>
          ))}
          <p className={styles.rank}>
            <OpenTickets login={login} />
          </p>
          {person.Total === 0 ? (
            <EmptyState dense icon={<FolderIcon />} title="Not a member of any project" />
          ) : (
            <>
              <h3 className={styles.heading}>Member of {counted(person.Total, 'project')}</h3>
              <ul aria-label="Projects">
                {projects.map(({ idProject, Title, ShortCode, Archived, Permissions, Open }) => (
                  <li key={idProject} className={styles.project}>
                    <Link to={`/edit-project/${idProject}`} underlined>
                      {Title} [{ShortCode}]
                    </Link>
                    {Archived === 1 && <span className={styles.note}> · archived</span>}
                    <div className={styles.note}>{permissionWords(Permissions as PermissionId[])}</div>
                    {Open > 0 && (
                      <Link to={openTicketsPath(login, idProject)} underlined className={styles.note}>
                        {counted(Open, 'open ticket')}
                      </Link>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
          <MoreButton label="SHOW MORE" list={moreOf(access)} />
        </>
      )}
    </PlainDialog>
  )
}

/** What a person's rank means, and what holds for the permissions below it. */
function ranks({ Active, Super, Admin, Manager, Total }: Access) {
  const kept = Total > 0 ? ' If that is taken away, the permissions below remain.' : ''
  return [
    Active === 0 && 'The account is deactivated: nobody can sign in with it.',
    Super === 1 && `Super user: may do everything in every organization.${kept}`,
    Super === 0 && Admin === 1 && `${organizationAdmin}: may do everything in every project of the organization.${kept}`,
    Manager === 1 && 'Organization manager: manages the people of the organization. This gives no access to projects.',
  ].filter(words => words !== false)
}

/** `Contributor: View tickets, Create tickets, …`: with the preset's name, if a preset has just these. */
function permissionWords(held: readonly PermissionId[]) {
  if (!held.includes(permission.viewTickets)) return `Cannot see the project: ${permissionName(permission.viewTickets)} is missing`
  const preset = permissionPresets.find(
    ({ permissions }) => permissions.length === held.length && permissions.every(id => held.includes(id)),
  )
  const words = held.length === allPermissions.length ? 'all permissions' : held.map(permissionName).join(', ')
  return preset ? `${preset.name}: ${words}` : words
}
