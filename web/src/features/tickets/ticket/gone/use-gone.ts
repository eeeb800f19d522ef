import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getTicketStateList } from '@tessera/contract/projects/project-config'
import { getProjectRoleList, getProjectUserList } from '@tessera/contract/tickets/assignees'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { callQuery } from '../../../../lib/calls/api.ts'
import type { DraftField, Ticket } from '../../ticket.ts'
import type { useTicketDraft } from '../use-ticket-draft.ts'

interface Listed {
  id: number
  text: string
}

/** Which ids are no longer in the list, and the names that they had. */
function useListed({ data, isSuccess, isFetching }: UseQueryResult<Listed[]>) {
  // Until it is read again, what is new may be missing.
  const rows = isSuccess && !isFetching ? data : undefined
  const names = useRef(new Map<number, string>())
  useEffect(() => {
    for (const { id, text } of data ?? []) names.current.set(id, text)
  }, [data])
  return {
    isGone: (id: number) => rows !== undefined && !rows.some(row => row.id === id),
    nameOf: (id: number) => names.current.get(id) ?? '',
  }
}

/**
 * Removes from the draft what it names and somebody else has deleted, which the server would refuse with everything else in the save. Answers what
 * was removed, in sentences.
 */
export function useGone(ticket: Ticket, { changed, set, takeTheirs }: ReturnType<typeof useTicketDraft>) {
  const { idTicket, idProject } = ticket
  const { Type, State, Labels = [], TicketAssign = [] } = changed
  const [sentences, say] = useState<readonly string[]>([])
  const fields = useRef(new Map<string, string>())
  useEffect(() => {
    for (const { Key, Label } of ticket.Fields) fields.current.set(`data.${Key}`, Label)
  }, [ticket.Fields])
  const typeNames = useRef(new Map<number, string>())
  useEffect(() => {
    for (const { id, Description } of ticket.OtherTypes ?? []) typeNames.current.set(id, Description)
  }, [ticket.OtherTypes])
  const states = useListed(
    useQuery({
      ...callQuery(getTicketStateList, { idProject }),
      enabled: State !== undefined,
      select: rows => rows.map(({ id, Description }) => ({ id, text: Description })),
    }),
  )
  const labels = useListed(
    useQuery({
      ...callQuery(getLabelList, { idProject }),
      enabled: Labels.length > 0,
      select: rows => rows.map(({ idLabel, Label }) => ({ id: idLabel, text: Label })),
    }),
  )
  const isAssigning = TicketAssign.length > 0
  const roles = useListed(useQuery({ ...callQuery(getProjectRoleList, { idTicket }), enabled: isAssigning }))
  const people = useListed(useQuery({ ...callQuery(getProjectUserList, { idTicket, Recent: 1 }), enabled: isAssigning }))

  const goneFields = (Object.keys(changed) as DraftField[]).filter(
    name => name.startsWith('data.') && !ticket.Fields.some(({ Key }) => name === `data.${Key}`),
  )
  const isTypeGone = Type !== undefined && Type !== ticket.idTemplate && !ticket.OtherTypes?.some(({ id }) => id === Type)
  const isStateGone = State !== undefined && states.isGone(State) && !ticket.OutputStates.some(({ id }) => id === State)
  const goneLabels = Labels.filter(({ idLabel }) => labels.isGone(idLabel))
  const gonePairs = TicketAssign.filter(({ idUser, idRole }) => roles.isGone(idRole) || people.isGone(idUser))

  const remove = useEffectEvent(() => {
    for (const name of goneFields) takeTheirs(name)
    if (isTypeGone) takeTheirs('Type')
    if (isStateGone) takeTheirs('State')
    if (goneLabels.length > 0)
      set(
        'Labels',
        Labels.filter(change => !goneLabels.includes(change)),
      )
    if (gonePairs.length > 0)
      set(
        'TicketAssign',
        TicketAssign.filter(change => !gonePairs.includes(change)),
      )
    const added = [
      ...goneFields.map(name => {
        const typed = changed[name]
        const words = `The field ${fields.current.get(name) ?? name.slice('data.'.length)} was removed from this ticket.`
        return typed ? `${words} You had entered: ${typed}` : words
      }),
      ...(isTypeGone ? [`The type ${typeNames.current.get(Type)} is no longer offered.`] : []),
      ...(isStateGone ? [`The state ${states.nameOf(State)} was deleted.`] : []),
      ...goneLabels.flatMap(({ idLabel, Enabled }) => (Enabled === 1 ? [`The label ${labels.nameOf(idLabel)} was deleted.`] : [])),
      ...gonePairs.flatMap(({ idUser, idRole, Enabled }) => {
        if (Enabled === 0) return []
        return roles.isGone(idRole)
          ? [`The role ${roles.nameOf(idRole)} was deleted.`]
          : [`${people.nameOf(idUser)} is no longer a member of this project, or was deactivated.`]
      }),
    ]
    say(now => [...new Set([...now, ...added])])
  })
  const isAnyGone = goneFields.length > 0 || isTypeGone || isStateGone || goneLabels.length > 0 || gonePairs.length > 0
  useEffect(() => {
    if (isAnyGone) remove()
  }, [isAnyGone])
  return { sentences, dismiss: () => say([]) }
}
