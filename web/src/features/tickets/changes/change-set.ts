import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { getChangeSetList } from '@tessera/contract/tickets/bulk'

export type ChangeSet = Response<typeof getChangeSetList>[number]

const secondsPerDay = 24 * 60 * 60

/** Why nobody can revert a change set anymore; undefined while somebody can. */
export function whyFinal({ OfTickets, Reverted, At }: Pick<ChangeSet, 'OfTickets' | 'Reverted' | 'At'>) {
  if (Reverted) return 'Reverted'
  if (!OfTickets) return 'Delete it again where it was'
  return At < Date.now() / 1000 - limits.revertDays * secondsPerDay ? `Older than ${limits.revertDays} days` : undefined
}
