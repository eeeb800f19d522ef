import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { getTextNames } from '@tessera/contract/tickets'
import { post } from '../../../lib/api.ts'
import { currentSession } from '../../../lib/session.tsx'
import { namesIn } from './names.ts'

type Answer = Response<typeof getTextNames>

/** What the texts of a ticket name, asked for together: everything that is drawn at once is one call. */
let waiting: { idTicket: number; tickets: Set<number>; logins: Set<string>; answer: Promise<Answer> } | undefined

function askTogether(idTicket: number, tickets: readonly number[], logins: readonly string[]): Promise<Answer> {
  const isFull =
    waiting && (waiting.tickets.size + tickets.length > limits.namesAtOnce || waiting.logins.size + logins.length > limits.namesAtOnce)
  if (!waiting || waiting.idTicket !== idTicket || isFull) {
    const batch = { idTicket, tickets: new Set<number>(), logins: new Set<string>() }
    const answer = new Promise(resolve => setTimeout(resolve)).then(() => {
      if (waiting?.answer === answer) waiting = undefined
      return post(getTextNames, { idTicket, Tickets: [...batch.tickets], Logins: [...batch.logins] })
    })
    waiting = { ...batch, answer }
  }
  for (const id of tickets) waiting.tickets.add(id)
  for (const login of logins) waiting.logins.add(login)
  return waiting.answer
}

/** The tickets and people that a text names: by `OPS-42` and by `@login`, in lower case. Empty until the server has said so. */
export function useNamed(idTicket: number, text: string) {
  const { projects } = currentSession()
  const codes = new Set(projects.map(({ shortcode }) => shortcode.toLowerCase()))
  const tickets = new Set<number>()
  const logins = new Set<string>()
  for (const { kind, name } of namesIn(text)) {
    const cut = name.lastIndexOf('-')
    if (kind === 'person') logins.add(name.slice(1).toLowerCase())
    else if (codes.has(name.slice(0, cut).toLowerCase())) tickets.add(Number(name.slice(cut + 1)))
  }
  const wanted = [
    [...tickets].slice(0, limits.namesAtOnce),
    [...logins].filter(login => login.length <= limits.login).slice(0, limits.namesAtOnce),
  ] as const
  const { data } = useQuery({
    queryKey: [getTextNames.path, idTicket, ...wanted],
    queryFn: () => askTogether(idTicket, ...wanted),
    enabled: wanted.some(({ length }) => length > 0),
    staleTime: 60_000,
  })
  return {
    ticketOf: (name: string) => data?.Tickets.find(({ id, pcode }) => `${pcode}-${id}`.toLowerCase() === name.toLowerCase()),
    personOf: (name: string) => data?.People.find(({ Login }) => `@${Login}`.toLowerCase() === name.toLowerCase()),
  }
}
