import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import {
  getOrganizationData,
  getOrganizationMemberCandidates,
  removeOrganizationMember,
  restoreOrganizationMember,
  setOrganizationMember,
} from '@tessera/contract/people/organizations'
import { organizationAdmin } from '@tessera/contract/permissions'
import { useId, useRef, useState } from 'react'
import { AddForm } from '../../components/add-form/add-form.tsx'
import { Breakable } from '../../components/breakable/breakable.tsx'
import { CheckBox } from '../../components/check-box/check-box.tsx'
import { RemovalDialog } from '../../components/confirm-dialog/removal-dialog.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { IconButton } from '../../components/icon-button/icon-button.tsx'
import { CloseIcon, PeopleIcon } from '../../components/icons/icons.tsx'
import { lazy } from '../../components/lazy/lazy.tsx'
import { Link } from '../../components/link/link.tsx'
import { useLongList } from '../../components/long-list/use-long-list.tsx'
import { ScrollArea } from '../../components/scroll-area/scroll-area.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { notify } from '../../components/toaster/toaster.tsx'
import { Tooltip } from '../../components/tooltip/tooltip.tsx'
import { VisuallyHidden } from '../../components/visually-hidden/visually-hidden.tsx'
import { callQuery, SessionTimedOut } from '../../lib/calls/api.ts'
import { useCallMutation } from '../../lib/calls/mutations/use-call-mutation.ts'
import { loginRule } from '../../lib/forms/field-rules.ts'
import { useSending } from '../../lib/forms/use-sending.ts'
import { useActions } from '../../lib/input/actions.ts'
import { useSearch, withParameters } from '../../lib/navigation/use-search.ts'
import { useSession } from '../../lib/session/session.tsx'
import { OpenTickets } from '../people/open-tickets.tsx'
import styles from './organization-member-list-card.module.css'

const UserAccessDialog = lazy(async () => (await import('../people/user-access-dialog.tsx')).UserAccessDialog)

const rights = [
  ['Admin', organizationAdmin],
  ['Manager', 'Organization manager'],
] as const
type Right = (typeof rights)[number][0]
type Member = Response<typeof getOrganizationData>['Members'][number]

export function OrganizationMemberListCard({ organization }: { organization: Response<typeof getOrganizationData> }) {
  const { idOrganization, Members, Editable } = organization
  const queries = useQueryClient()
  const set = useCallMutation(setOrganizationMember)
  const remove = useCallMutation(removeOrganizationMember)
  const restore = useCallMutation(restoreOrganizationMember)
  /** As they were when the dialog was opened: somebody else may remove them meanwhile. */
  const [leaver, setLeaver] = useState<Member>()
  const list = useLongList(Members, ({ LoginName, FullName }) => `${LoginName} ${FullName}`, { one: 'member', many: 'members' })
  const refused = Editable === 0
  // A super user reads other organizations here; what is asked about a person is answered for the session's.
  const isHere = idOrganization === useSession().idOrganization
  const showsAccess = isHere && !refused
  const [search, changeSearch] = useSearch()
  const asked = showsAccess ? Members.find(({ idUser }) => idUser === Number(search.get('member'))) : undefined
  const [sent, through] = useSending()
  const change = (idUser: number, name: Right, on: boolean) =>
    through(`${idUser} ${name}`, on, async () => {
      const right = { [name]: on ? 1 : 0 }
      try {
        await set.mutateAsync({ idOrganization, idUser, ...right })
        queries.setQueryData(
          callQuery(getOrganizationData, { idOrganization }).queryKey,
          now => now && { ...now, Members: now.Members.map(member => (member.idUser === idUser ? { ...member, ...right } : member)) },
        )
        notify.success(messages.permissionsUpdated)
      } catch (failure) {
        notify.failure(failure as Error, messages.permissionsRefused)
      }
    })
  return (
    <SectionCard
      title="Members"
      count={Members.length}
      actions={list.search}
      footer={!refused && <AddMember organization={organization} />}
    >
      {Members.length === 0 ? (
        <EmptyState dense icon={<PeopleIcon />} title="There are no members yet">
          Members sign in to this organization; its admins give them projects.
        </EmptyState>
      ) : (
        <ScrollArea label="Members">
          <DataTable aria-label="Members" className={styles.table}>
            <thead>
              <tr>
                <th scope="col" style={{ paddingLeft: '1rem' }}>
                  Login
                </th>
                <th scope="col" className={styles.wideOnly}>
                  Full name
                </th>
                {rights.map(([name, label]) => (
                  <th key={name} scope="col" className={styles.turned}>
                    <span>{label}</span>
                  </th>
                ))}
                <th className="tight" scope="col">
                  <VisuallyHidden>Remove</VisuallyHidden>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.shown.map(member => (
                <MemberRow
                  key={member.idUser}
                  member={member}
                  showsAccess={showsAccess}
                  refused={refused}
                  isOn={name => sent(`${member.idUser} ${name}`) ?? member[name] === 1}
                  onChange={(name, on) => void change(member.idUser, name, on)}
                  onRemove={() => setLeaver(member)}
                />
              ))}
            </tbody>
          </DataTable>
        </ScrollArea>
      )}
      {list.rest}
      {asked && (
        <UserAccessDialog
          idUser={asked.idUser}
          login={asked.LoginName}
          onClose={() => changeSearch(now => withParameters(now, { member: '' }))}
        />
      )}
      {leaver && (
        <RemovalDialog
          title={`Remove ${leaver.LoginName} from the organization?`}
          remove={() => remove.mutateAsync({ idOrganization, idUser: leaver.idUser })}
          removed={`${leaver.LoginName} is no longer a member`}
          restore={async () => {
            await restore.mutateAsync({ idOrganization, idUser: leaver.idUser })
            return `${leaver.LoginName} is a member again`
          }}
          onClose={() => setLeaver(undefined)}
        >
          <p className={styles.words}>
            They leave every project of this organization, and their sessions in it end at once. What they wrote stays.
          </p>
          {isHere && <OpenTickets login={leaver.LoginName} isInQuestion />}
        </RemovalDialog>
      )}
    </SectionCard>
  )
}

interface MemberRowProps {
  member: Member
  /** The login leads to what the person may do. */
  showsAccess: boolean
  refused: boolean
  isOn: (right: Right) => boolean
  onChange: (right: Right, on: boolean) => void
  onRemove: () => void
}

function MemberRow({ member: { idUser, LoginName, FullName }, showsAccess, refused, isOn, onChange, onRemove }: MemberRowProps) {
  const login = <Breakable>{LoginName}</Breakable>
  return (
    <tr>
      <th scope="row" style={{ paddingLeft: '1rem' }}>
        {showsAccess ? (
          <Link to={`?member=${idUser}`} inPlace>
            {login}
          </Link>
        ) : (
          login
        )}
        <div className={styles.narrowOnly}>{FullName}</div>
      </th>
      <td className={styles.wideOnly}>{FullName}</td>
      {rights.map(([name, label]) => (
        <td key={name}>
          <CheckBox label={`${label}: ${LoginName}`} checked={isOn(name)} disabled={refused} onChange={on => onChange(name, on)} />
        </td>
      ))}
      <td className="tight">
        {!refused && (
          <Tooltip title={`Remove ${LoginName} from the organization`}>
            <IconButton small onClick={onRemove}>
              <CloseIcon fontSize="small" />
            </IconButton>
          </Tooltip>
        )}
      </td>
    </tr>
  )
}

function AddMember({ organization: { idOrganization, Members } }: { organization: Response<typeof getOrganizationData> }) {
  const add = useCallMutation(setOrganizationMember)
  const [login, setLogin] = useState('')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const known = useId()
  // Former members are offered; any other login can be typed.
  const candidates = useQuery(callQuery(getOrganizationMemberCandidates, { idOrganization })).data ?? []
  const refuse = (message: string) => {
    setProblem(message)
    field.current?.focus()
  }
  const submit = () => {
    const wrong = loginRule(login)
    if (wrong) return refuse(wrong)
    const isSame = ({ LoginName }: { LoginName: string }) => LoginName.toLowerCase() === login.trim().toLowerCase()
    if (Members.some(isSame)) return refuse(`${login.trim()} is a member already`)
    add.mutate(
      { idOrganization, LoginName: login.trim() },
      {
        onSuccess: ({ Invited }) => {
          notify.success(
            Invited ? `${login.trim()} is invited by mail and becomes a member on accepting` : `${login.trim()} is a member now`,
          )
          // What was typed meanwhile stays.
          setLogin(now => (now === login ? '' : now))
        },
        onError: failure => {
          if (!(failure instanceof SessionTimedOut)) refuse(failure.status === 404 ? 'Nobody has this login name' : failure.message)
        },
      },
    )
  }
  useActions([{ label: 'Add a member', words: 'person people new invite', run: () => field.current?.focus() }])
  return (
    <AddForm disabled={add.isPending} onSubmit={submit}>
      <TextField
        ref={field}
        placeholder="Login name"
        value={login}
        onChange={event => {
          setLogin(event.target.value)
          setProblem(undefined)
        }}
        problem={problem}
        aria-label="Login name of a new member"
        list={known}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={known}>
        {candidates.map(({ id, LoginName, FullName }) => (
          <option key={id} value={LoginName}>
            {FullName}
          </option>
        ))}
      </datalist>
    </AddForm>
  )
}
