import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { type PermissionId, permission, permissionName } from '@tessera/contract/permissions'
import {
  addProjectMember,
  getProjectMemberCandidates,
  getProjectMembers,
  removeProjectMember,
  restoreProjectMember,
} from '@tessera/contract/projects/projects'
import { useRef, useState } from 'react'
import { AddForm } from '../../../components/add-form/add-form.tsx'
import { Autocomplete } from '../../../components/autocomplete/autocomplete.tsx'
import { Avatar } from '../../../components/avatar/avatar.tsx'
import { Breakable } from '../../../components/breakable/breakable.tsx'
import { RemovalDialog } from '../../../components/confirm-dialog/removal-dialog.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { CloseIcon, PeopleIcon } from '../../../components/icons/icons.tsx'
import { useLongList } from '../../../components/long-list/use-long-list.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { SectionCard } from '../../../components/section-card/section-card.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { listOf } from '../../../lib/display/word-list.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { OpenTickets } from '../../people/open-tickets.tsx'
import { isRefused, type ProjectRights, refusalIn } from '../project-rights.ts'
import styles from './project-member-list-card.module.css'

interface Candidate {
  id: number
  LoginName: string
  FullName: string
  text: string
}

export function ProjectMemberListCard({ rights }: { rights: ProjectRights }) {
  const { idProject, held, frozen } = rights
  const query = useQuery(callQuery(getProjectMembers, { idProject }))
  const { data } = query
  const refused = isRefused(rights, permission.manageProject)
  const candidates = useQuery({ ...callQuery(getProjectMemberCandidates, { idProject }), enabled: !refused })
  const add = useCallMutation(addProjectMember)
  const remove = useCallMutation(removeProjectMember)
  const restore = useCallMutation(restoreProjectMember)
  const [chosen, choose] = useState<Candidate | null>(null)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const members = useLongList(data, ({ Login, FullName }) => `${Login} ${FullName}`, { one: 'member', many: 'members' })
  /** As they were when the dialog was opened: somebody else may remove them meanwhile. */
  const [leaver, setLeaver] = useState<Response<typeof getProjectMembers>[number]>()
  const bringBack = async ({ idUser, FullName, Login }: { idUser: number; FullName: string; Login: string }) => {
    const { Withheld } = await restore.mutateAsync({ idProject, idUser })
    const without = listOf(Withheld.map(id => permissionName(id as PermissionId)))
    return `${FullName || Login} is a member again${without && `, without what you do not hold: ${without}`}`
  }

  const submit = () => {
    if (!chosen) {
      setProblem('Choose a person first')
      field.current?.focus()
      return
    }
    add.mutate(
      { idProject, idUser: chosen.id },
      {
        onSuccess: ({ Added }) => {
          const name = chosen.FullName || chosen.LoginName
          if (Added === 1) notify.success(`${name} is a member now`)
          else notify.info(`${name} is a member already`)
          // Who was chosen meanwhile stays.
          choose(now => (now === chosen ? null : now))
        },
        onError: problem => notify.failure(problem),
      },
    )
  }
  useActions([
    {
      label: 'Add a member',
      words: 'person people new',
      refused: refusalIn(rights, permission.manageProject),
      run: () => field.current?.focus(),
    },
  ])
  const noCandidate = candidates.data?.length ? 'Nobody matches' : 'Everybody in this organization is a member'
  const emptyText = hasFailed(candidates) ? 'This could not be loaded' : noCandidate
  return (
    <SectionCard
      title="Members"
      count={data?.length}
      actions={members.search}
      footer={
        <PermissionGate idProject={idProject} needs={permission.manageProject} held={held} reason={frozen} isWide>
          {isOff => (
            <AddForm disabled={isOff || add.isPending} onSubmit={submit}>
              <Autocomplete
                ref={field}
                aria-label="Add a person"
                placeholder="Add a person"
                className={styles.person}
                disabled={isOff}
                options={(candidates.data ?? []).map(person => ({
                  ...person,
                  text: person.FullName ? `${person.FullName} (${person.LoginName})` : person.LoginName,
                }))}
                value={chosen}
                loading={candidates.isPending}
                emptyText={emptyText}
                onChange={person => {
                  setProblem(undefined)
                  choose(person)
                }}
                problem={problem}
              />
            </AddForm>
          )}
        </PermissionGate>
      }
    >
      <LoadProblem of={[query]} />
      {query.isPending && <Skeleton height={80} className={styles.loading} />}
      {data?.length === 0 && (
        <EmptyState dense icon={<PeopleIcon />} title="There are no members yet">
          Members see this project and can do what their permissions allow.
        </EmptyState>
      )}
      <ul aria-label="Members" className={styles.list}>
        {members.shown.map(member => (
          <li key={member.idProjectMember} className={styles.member}>
            <Avatar name={member.FullName || member.Login} />
            <span className={styles.who}>
              <span className={styles.login}>
                <Breakable>{member.Login}</Breakable>
              </span>
              <wbr />
              {member.FullName}
            </span>
            {!refused && (
              <Tooltip title="Remove from the project">
                <IconButton small aria-label={`Remove ${member.Login} from the project`} onClick={() => setLeaver(member)}>
                  <CloseIcon fontSize="small" />
                </IconButton>
              </Tooltip>
            )}
          </li>
        ))}
      </ul>
      {members.rest}
      <LoadProblem of={[candidates]} title="The people you can add could not be loaded" />
      {leaver && (
        <RemovalDialog
          title={`Remove ${leaver.Login} from the project?`}
          remove={() => remove.mutateAsync({ idProject, idProjectMember: leaver.idProjectMember })}
          removed={`${leaver.FullName || leaver.Login} is no longer a member`}
          restore={() => bringBack(leaver)}
          onClose={() => setLeaver(undefined)}
        >
          <p className={styles.words}>
            Their permissions and their roles on the tickets of this project go as well. What they wrote stays.
          </p>
          <OpenTickets login={leaver.Login} idProject={idProject} isInQuestion />
        </RemovalDialog>
      )}
    </SectionCard>
  )
}
