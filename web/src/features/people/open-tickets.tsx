import { useQuery } from '@tanstack/react-query'
import { valueText } from '@tessera/contract/query-language/print'
import { searchTickets } from '@tessera/contract/tickets/search'
import { Link } from '../../components/link/link.tsx'
import { callQuery } from '../../lib/calls/api.ts'
import { counted } from '../../lib/display/format.ts'
import { useSession } from '../../lib/session/session.tsx'

interface OpenTicketsProps {
  login: string
  /** Only those of this project. */
  idProject?: number
  /** The link opens a tab of its own, because a question around it is not answered yet. */
  isInQuestion?: boolean
}

function queryOf(login: string) {
  return `assignee:${valueText(login)} is:open`
}

/** Where the open tickets of a person are listed. The list of a project can give many of them to somebody else at once. */
export function openTicketsPath(login: string, idProject?: number) {
  return idProject === undefined
    ? `/search?${new URLSearchParams({ q: queryOf(login) })}`
    : `/view-project/${idProject}?${new URLSearchParams({ q: queryOf(login), layout: 'list' })}`
}

/** How many open tickets a person has a role on, of those that the reader may see, with a link to them. */
export function OpenTickets(props: OpenTicketsProps) {
  return (
    <span role="status">
      <Count {...props} />
    </span>
  )
}

function Count({ login, idProject, isInQuestion }: OpenTicketsProps) {
  const { isAdmin } = useSession()
  const input = { Query: queryOf(login), Limit: 1, ...(idProject && { idProject }) }
  const { data, error } = useQuery(callQuery(searchTickets, input))
  if (error) return 'Their open tickets could not be counted.'
  if (!data) return 'Counting their open tickets…'
  const visible = isAdmin || idProject ? '' : ' that you can see'
  if (data.Total === 0) return `No open tickets${visible} are assigned to them.`
  return (
    <>
      <Link to={openTicketsPath(login, idProject)} underlined target={isInQuestion ? '_blank' : undefined}>
        {counted(data.Total, 'open ticket')}
      </Link>
      {visible} {data.Total === 1 ? 'is' : 'are'} assigned to them.
    </>
  )
}
