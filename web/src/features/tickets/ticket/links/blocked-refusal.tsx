import { Link } from '../../../../components/link/link.tsx'
import type { CallError } from '../../../../lib/calls/api.ts'
import { counted } from '../../../../lib/display/format.ts'

interface Refusal {
  Blockers: { id: number; pcode: string; Title: string }[]
  /** Blockers that the person may not see. */
  Unseen: number
}

/** Why the ticket cannot become inactive: the open tickets that block it. */
export function BlockedRefusal({ problem }: { problem: CallError }) {
  const { Blockers, Unseen } = problem.body as Refusal
  return (
    <>
      {Blockers.length > 0 ? 'It stays open while these tickets block it: ' : `${problem.message}.`}
      {Blockers.map(({ id, pcode, Title }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to={`/view-ticket/${id}`} underlined>
            {pcode}-{id} {Title}
          </Link>
        </span>
      ))}
      {Blockers.length > 0 && Unseen > 0 && `, and ${counted(Unseen, 'ticket')} you cannot see`}
    </>
  )
}
