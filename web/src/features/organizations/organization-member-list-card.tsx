import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import type { Theme } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import {
  getOrganizationData,
  removeOrganizationMember,
  restoreOrganizationMember,
  setOrganizationMember,
} from '@tessera/contract/organizations'
import { organizationAdmin } from '@tessera/contract/permissions'
import { useState } from 'react'
import { AddForm } from '../../components/add-form.tsx'
import { Breakable } from '../../components/breakable.tsx'
import { CheckBox } from '../../components/check-box/check-box.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { CloseIcon, PeopleIcon } from '../../components/icons.tsx'
import { RemovalDialog } from '../../components/removal-dialog.tsx'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { notify } from '../../components/toaster.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { Unseen } from '../../components/unseen.tsx'
import { callQuery, SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { loginRule } from '../../lib/field-rules.ts'
import { useSending } from '../../lib/use-sending.ts'
import styles from './organization-member-list-card.module.css'

const rights = [
  ['Admin', organizationAdmin],
  ['Manager', 'Organization manager'],
] as const

/** Where there is little width it goes to the names. */
const turned = ({ breakpoints }: Theme) => ({
  [breakpoints.down('sm')]: {
    width: 36,
    height: 'auto !important',
    padding: '8px 4px !important',
    '& > span': { writingMode: 'vertical-rl', transform: 'rotate(180deg)', lineHeight: '28px' },
  },
})

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
  const [sent, through] = useSending()
  const change = (idUser: number, name: (typeof rights)[number][0], on: boolean) =>
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
          <AddForm label="ADD MEMBER" disabled={add.isPending} onSubmit={submit}>
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
          </AddForm>
        )
      }
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
                <th scope="col" style={{ paddingLeft: 16 }}>
                  Login
                </th>
                <Box component="th" scope="col" sx={{ display: { xs: 'none', sm: 'table-cell' } }}>
                  Full name
                </Box>
                {rights.map(([name, label]) => (
                  <Box component="th" key={name} scope="col" sx={turned}>
                    <span>{label}</span>
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
                    <Breakable>{member.LoginName}</Breakable>
                    <Box sx={{ display: { sm: 'none' }, fontWeight: 400, color: 'text.secondary' }}>{member.FullName}</Box>
                  </th>
                  <Box component="td" sx={{ display: { xs: 'none', sm: 'table-cell' } }}>
                    {member.FullName}
                  </Box>
                  {rights.map(([name, label]) => (
                    <td key={name}>
                      <CheckBox
                        label={`${label}: ${member.LoginName}`}
                        checked={sent(`${member.idUser} ${name}`) ?? member[name] === 1}
                        disabled={refused}
                        onChange={on => void change(member.idUser, name, on)}
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
      {leaver && (
        <RemovalDialog
          title={`Remove ${leaver.LoginName} from the organization?`}
          remove={() => remove.mutateAsync({ idOrganization, idUser: leaver.idUser })}
          removed={`${leaver.LoginName} is no longer a member`}
          restore={async () => {
            await restore.mutateAsync({ idOrganization, idUser: leaver.idUser })
            return `${leaver.LoginName} is a member again`
          }}
          onClose={() => setLeaving(undefined)}
        >
          They leave every project of this organization, and their sessions in it end at once. What they wrote stays.
        </RemovalDialog>
      )}
    </SectionCard>
  )
}
