import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import type { Request, Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import {
  getOrganizationData,
  removeOrganizationMember,
  restoreOrganizationMember,
  setOrganizationMember,
} from '@tessera/contract/organizations'
import { organizationAdmin } from '@tessera/contract/permissions'
import { useState } from 'react'
import { CheckBox } from '../../components/check-box.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { CloseIcon, PeopleIcon } from '../../components/icons.tsx'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { notify } from '../../components/toaster.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { undo } from '../../components/undo.ts'
import { Unseen } from '../../components/unseen.tsx'
import { callQuery, SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { loginRule } from '../../lib/field-rules.ts'

const rights = [
  ['Admin', organizationAdmin],
  ['Manager', 'Organization manager'],
] as const

export function OrganizationMemberListCard({ organization }: { organization: Response<typeof getOrganizationData> }) {
  const { idOrganization, Members, Editable } = organization
  const queries = useQueryClient()
  const set = useCallMutation(setOrganizationMember)
  const add = useCallMutation(setOrganizationMember)
  const remove = useCallMutation(removeOrganizationMember)
  const restore = useCallMutation(restoreOrganizationMember)
  const [login, setLogin] = useState('')
  const [problem, setProblem] = useState<string>()
  const [leaving, setLeaving] = useState<number>()
  const leaver = Members.find(({ idUser }) => idUser === leaving)
  const refused = Editable === 0
  /** What is on its way shows as it was ticked. */
  const sent = set.isPending ? set.variables : undefined
  const fail = (failure: Error) => {
    if (!(failure instanceof SessionTimedOut)) notify.error(`${messages.permissionsRefused}: ${failure.message}`)
  }
  const change = (input: Request<typeof setOrganizationMember>) =>
    set.mutate(input, {
      onSuccess: () => {
        queries.setQueryData(
          callQuery(getOrganizationData, { idOrganization }).queryKey,
          now =>
            now &&
            ({
              ...now,
              Members: now.Members.map(member => (member.idUser === input.idUser ? { ...member, ...input } : member)),
            } as typeof now),
        )
        notify.success(messages.permissionsUpdated)
      },
      onError: fail,
    })
  const submit = () => {
    const verdict = loginRule(login)
    if (verdict !== true) return setProblem(verdict)
    add.mutate(
      { idOrganization, LoginName: login.trim() },
      {
        onSuccess: () => {
          notify.success(`${login.trim()} is a member now`)
          setLogin('')
        },
        onError: failure => {
          if (!(failure instanceof SessionTimedOut)) setProblem(failure.message)
        },
      },
    )
  }
  return (
    <SectionCard
      title="Members"
      count={Members.length}
      footer={
        !refused && (
          <Box
            component="form"
            noValidate
            sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, flex: 1, maxWidth: 420 }}
            onSubmit={event => {
              event.preventDefault()
              submit()
            }}
          >
            <TextField
              hiddenLabel
              placeholder="Login name"
              value={login}
              onChange={event => {
                setLogin(event.target.value)
                setProblem(undefined)
              }}
              error={Boolean(problem)}
              helperText={problem}
              slotProps={{
                htmlInput: { 'aria-label': 'Login name of a new member', autoCapitalize: 'none', autoComplete: 'off', spellCheck: false },
              }}
            />
            <Button type="submit" disabled={add.isPending} sx={{ flex: 'none', minHeight: 36 }}>
              ADD MEMBER
            </Button>
          </Box>
        )
      }
    >
      {Members.length === 0 ? (
        <EmptyState dense icon={<PeopleIcon />} title="There are no members yet">
          Members sign in to this organization; its admins give them projects.
        </EmptyState>
      ) : (
        <ScrollArea label="Members">
          <DataTable aria-label="Members">
            <thead>
              <tr>
                <th scope="col" style={{ paddingLeft: 16 }}>
                  Login
                </th>
                <Box component="th" scope="col" sx={{ display: { xs: 'none', sm: 'table-cell' } }}>
                  Full name
                </Box>
                {rights.map(([name, label]) => (
                  <Box component="th" key={name} scope="col" sx={{ whiteSpace: { xs: 'normal !important', sm: 'nowrap' } }}>
                    {label}
                  </Box>
                ))}
                <th className="tight" scope="col">
                  <Unseen>Remove</Unseen>
                </th>
              </tr>
            </thead>
            <tbody>
              {Members.map(member => (
                <tr key={member.idUser}>
                  <th scope="row" style={{ paddingLeft: 16 }}>
                    {member.LoginName}
                    <Box sx={{ display: { sm: 'none' }, fontWeight: 400, color: 'text.secondary' }}>{member.FullName}</Box>
                  </th>
                  <Box component="td" sx={{ display: { xs: 'none', sm: 'table-cell' } }}>
                    {member.FullName}
                  </Box>
                  {rights.map(([name, label]) => (
                    <td key={name}>
                      <CheckBox
                        label={`${label}: ${member.LoginName}`}
                        checked={((sent?.idUser === member.idUser ? sent[name] : undefined) ?? member[name]) === 1}
                        disabled={refused || set.isPending}
                        onChange={on => change({ idOrganization, idUser: member.idUser, [name]: on ? 1 : 0 })}
                      />
                    </td>
                  ))}
                  <td className="tight">
                    {!refused && (
                      <Tooltip title={`Remove ${member.LoginName} from the organization`}>
                        <IconButton size="small" onClick={() => setLeaving(member.idUser)}>
                          <CloseIcon fontSize="small" />
                        </IconButton>
                      </Tooltip>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </DataTable>
        </ScrollArea>
      )}
      <ConfirmDialog
        open={leaver !== undefined}
        title={`Remove ${leaver?.LoginName ?? ''} from the organization?`}
        confirmLabel="REMOVE"
        danger
        busy={remove.isPending}
        onClose={() => setLeaving(undefined)}
        onConfirm={() =>
          leaver &&
          remove.mutate(
            { idOrganization, idUser: leaver.idUser },
            {
              onSuccess: () =>
                notify.success(
                  `${leaver.LoginName} is no longer a member`,
                  undo(async () => {
                    await restore.mutateAsync({ idOrganization, idUser: leaver.idUser })
                    return `${leaver.LoginName} is a member again`
                  }),
                ),
              onError: failure => failure instanceof SessionTimedOut || notify.error(failure.message),
              onSettled: () => setLeaving(undefined),
            },
          )
        }
      >
        They leave every project of this organization, and their sessions in it end at once. What they wrote stays.
      </ConfirmDialog>
    </SectionCard>
  )
}
