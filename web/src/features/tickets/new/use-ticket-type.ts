import { useQuery } from '@tanstack/react-query'
import { getTicketTemplate, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { callQuery } from '../../../lib/calls/api.ts'
import { seldomStale } from '../../../lib/calls/live/seldom-stale.ts'

/** The request for the types of a project, or for those with this field. */
export function typesWith(idProject: number, idField: number | undefined) {
  return { idProject, ...(idField !== undefined && { idField }) }
}

/** The types that a new ticket may have, with this field if one is given, and the one that it gets: the chosen one, or else the first. */
export function useTicketType(idProject: number, idField: number | undefined, chosen: number | undefined) {
  const templates = useQuery(callQuery(getTicketTemplateList, typesWith(idProject, idField)))
  const types = templates.data ?? []
  const isTypeGone = chosen !== undefined && templates.isSuccess && !types.some(({ idTicketTemplate }) => idTicketTemplate === chosen)
  const idTemplate = isTypeGone ? undefined : (chosen ?? types[0]?.idTicketTemplate)
  const { Defaults: defaults } =
    useQuery({
      ...callQuery(getTicketTemplate, { idProject, idTicketTemplate: idTemplate ?? 0 }),
      enabled: idTemplate !== undefined,
      staleTime: seldomStale,
    }).data ?? {}
  return { templates, types, isLoading: templates.isPending, isTypeGone, idTemplate, defaults }
}
