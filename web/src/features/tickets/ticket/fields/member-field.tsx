import { useQuery } from '@tanstack/react-query'
import { messages } from '@tessera/contract/messages'
import { getProjectUserList } from '@tessera/contract/tickets/assignees'
import { type ComponentProps, useState } from 'react'
import { hasFailed } from '../../../../components/empty-state/load-problem.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { PersonField } from './searched-fields.tsx'

/** The person of a ticket's USER field. A project may have thousands of members: they are read when the list opens. */
export function MemberField({ idTicket, options, ...field }: { idTicket: number } & ComponentProps<typeof PersonField>) {
  const [wasOpened, setOpened] = useState(false)
  const users = useQuery({ ...callQuery(getProjectUserList, { idTicket, Recent: 1 }), enabled: wasOpened })
  const members = users.data?.map(({ id, text }) => ({ value: String(id), label: text }))
  const isMember = members?.some(({ value }) => value === field.value)
  const own = options.filter(({ value }) => value === field.value)
  return (
    <PersonField
      {...field}
      options={members ? [...(isMember ? [] : own), ...members] : options}
      loading={users.isFetching && !members}
      emptyText={hasFailed(users) ? 'This could not be loaded' : messages.noItems}
      onOpen={() => setOpened(true)}
    />
  )
}
