import { useQuery } from '@tanstack/react-query'
import { getUserList } from '@tessera/contract/people/users'
import { useState } from 'react'
import { Avatar } from '../../components/avatar/avatar.tsx'
import { Button } from '../../components/button/button.tsx'
import { EmptyState } from '../../components/empty-state/empty-state.tsx'
import { PeopleIcon } from '../../components/icons/icons.tsx'
import { lazy } from '../../components/lazy/lazy.tsx'
import { RowList } from '../../components/row-list/row-list.tsx'
import { SectionCard } from '../../components/section-card/section-card.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { useActions } from '../../lib/input/actions.ts'
import { useSession } from '../../lib/session/session.tsx'

const NewUserDialog = lazy(async () => (await import('./dialogs/new-user-dialog.tsx')).NewUserDialog)
const EditUserDialog = lazy(async () => (await import('./dialogs/edit-user-dialog.tsx')).EditUserDialog)

export function UserListCard() {
  const { isAdmin } = useSession()
  const list = useQuery(callQuery(getUserList, { Names: 1 }))
  const { data } = list
  const [isAdding, add] = useState(false)
  const [idEdited, edit] = useState<number>()
  useActions(isAdmin ? [{ label: 'New user', run: () => add(true) }] : [])
  return (
    <SectionCard title="User Management" count={data?.length} actions={isAdmin && <Button onClick={() => add(true)}>NEW USER</Button>}>
      <RowList
        label="users"
        rows={data?.map(({ id, LoginName, FullName, Deactivated }) => ({
          id,
          icon: <Avatar name={FullName || LoginName} />,
          text: LoginName,
          detail: FullName,
          ...(Deactivated && { note: 'deactivated' }),
        }))}
        load={list}
        onOpen={edit}
        empty={
          <EmptyState dense icon={<PeopleIcon />} title="There are no users yet">
            People of this organization appear here.
          </EmptyState>
        }
      />
      {isAdding && <NewUserDialog onClose={() => add(false)} />}
      {idEdited !== undefined && <EditUserDialog idUser={idEdited} onClose={() => edit(undefined)} />}
    </SectionCard>
  )
}
