import { useQuery } from '@tanstack/react-query'
import { getTicketTemplate, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { callQuery } from '../../../lib/calls/api.ts'
import { seldomStale } from '../../../lib/calls/live/seldom-stale.ts'

/** How many of the parent's newest children are read to find their usual type. */
const siblingsAsked = 50

/** The request for the types of a project, or for those with this field. */
export function typesWith(idProject: number, idField: number | undefined) {
  return { idProject, ...(idField !== undefined && { idField }) }
}

/** The type that most of the tickets have; of those that are equally frequent the newest. */
function usualType(tickets: readonly { Type: string }[]) {
  const byType = [...Map.groupBy(tickets, ({ Type }) => Type)]
  return byType.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0]
}

interface NewTicket {
  idProject: number
  idParent: number | undefined
  /** A field that it gets a value in. */
  idField: number | undefined
}

/** The types that a new ticket may have, and the one that it gets: the chosen one, or else the one that most of its siblings have. */
export function useTicketType({ idProject, idParent, idField }: NewTicket, chosen: number | undefined) {
  const templates = useQuery(callQuery(getTicketTemplateList, typesWith(idProject, idField)))
  const types = templates.data ?? []
  const siblings = useQuery({
    ...callQuery(queryTickets, { idProject, idParent: idParent ?? null, Limit: siblingsAsked }),
    enabled: idParent !== undefined,
  })
  const usual = usualType(siblings.data?.Tickets ?? [])
  const proposed = types.find(({ Description }) => Description === usual) ?? types[0]
  const isTypeGone = chosen !== undefined && templates.isSuccess && !types.some(({ idTicketTemplate }) => idTicketTemplate === chosen)
  const idTemplate = isTypeGone ? undefined : (chosen ?? proposed?.idTicketTemplate)
  const { Defaults: defaults } =
    useQuery({
      ...callQuery(getTicketTemplate, { idProject, idTicketTemplate: idTemplate ?? 0 }),
      enabled: idTemplate !== undefined,
      staleTime: seldomStale,
    }).data ?? {}
  return { templates, types, isLoading: templates.isPending || siblings.isLoading, isTypeGone, idTemplate, defaults }
}
