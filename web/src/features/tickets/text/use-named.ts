import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { namesOfTokens, type Token } from '@tessera/contract/text/markdown'
import { labelName } from '@tessera/contract/text/names-in-text'
import { getTextNames } from '@tessera/contract/tickets/watchers'
import { post } from '../../../lib/calls/api.ts'
import { isInBackground } from '../../../lib/calls/background.ts'
import { seldomStale } from '../../../lib/calls/live/seldom-stale.ts'
import { currentSession } from '../../../lib/session/session.tsx'

type Answer = Response<typeof getTextNames>

/** The ids of tickets, and logins and labels in lower case. */
interface Names {
  tickets: readonly number[]
  logins: readonly string[]
  labels: readonly string[]
}

interface Batch {
  idTicket: number
  isBackground: boolean
  tickets: Set<number>
  logins: Set<string>
  labels: Set<string>
}

/** What the texts of a ticket name, batched: everything rendered at once is one call. */
let waiting: (Batch & { answer: Promise<Answer> }) | undefined

function askTogether(idTicket: number, { tickets, logins, labels }: Names, isBackground: boolean): Promise<Answer> {
  const isFull =
    waiting &&
    (waiting.tickets.size + tickets.length > limits.namesAtOnce ||
      waiting.logins.size + logins.length > limits.namesAtOnce ||
      waiting.labels.size + labels.length > limits.namesAtOnce)
  if (!waiting || waiting.idTicket !== idTicket || waiting.isBackground !== isBackground || isFull) {
    const batch: Batch = { idTicket, isBackground, tickets: new Set(), logins: new Set(), labels: new Set() }
    const answer = new Promise(resolve => setTimeout(resolve)).then(() => {
      if (waiting?.answer === answer) waiting = undefined
      const names = {
        Tickets: [...batch.tickets],
        Logins: [...batch.logins],
        ...(batch.labels.size > 0 && { Labels: [...batch.labels] }),
      }
      return post(getTextNames, { idTicket, ...names }, { isBackground })
    })
    waiting = { ...batch, answer }
  }
  for (const id of tickets) waiting.tickets.add(id)
  for (const login of logins) waiting.logins.add(login)
  for (const label of labels) waiting.labels.add(label)
  return waiting.answer
}

/** The names in these tokens that have to be looked up on the server. */
function wantedOf(tokens: readonly Token[], codes: ReadonlySet<string>): Names {
  const tickets = new Set<number>()
  const logins = new Set<string>()
  const labels = new Set<string>()
  for (const { kind, name } of namesOfTokens(tokens)) {
    const cut = name.lastIndexOf('-')
    if (kind === 'person') logins.add(name.slice(1).toLowerCase())
    else if (kind === 'label') labels.add(labelName(name.slice(1)))
    else if (codes.has(name.slice(0, cut).toLowerCase())) tickets.add(Number(name.slice(cut + 1)))
  }
  const some = <T>(names: Set<T>) => [...names].slice(0, limits.namesAtOnce)
  return { tickets: some(tickets), logins: some(logins), labels: some(labels) }
}

/** The tickets, people and labels that a text names: `OPS-42`, `@login`, `#label`. Empty until the server has answered. */
export function useNamed(idTicket: number, tokens: readonly Token[] = []) {
  const codes = new Set(currentSession().projects.map(({ shortcode }) => shortcode.toLowerCase()))
  const wanted = wantedOf(tokens, codes)
  const { data } = useQuery({
    queryKey: [getTextNames.path, idTicket, wanted],
    queryFn: ({ queryKey }) => askTogether(idTicket, wanted, isInBackground(queryKey)),
    enabled: Object.values(wanted).some(({ length }) => length > 0),
    staleTime: seldomStale,
  })
  return {
    ticketOf: (name: string) => data?.Tickets.find(({ id, pcode }) => `${pcode}-${id}`.toLowerCase() === name.toLowerCase()),
    personOf: (name: string) => data?.People.find(({ Login }) => `@${Login}`.toLowerCase() === name.toLowerCase()),
    labelOf: (name: string) => data?.Labels?.find(({ Label }) => `#${labelName(Label)}` === labelName(name)),
  }
}
