import { Link } from '../../../components/link/link.tsx'

/** Tickets by their codes, each a link. */
export function TicketCodes({ pcode, ids }: { pcode: string; ids: readonly number[] }) {
  return ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link underlined to={`/view-ticket/${id}`} target="_blank">
        {pcode}-{id}
      </Link>
    </span>
  ))
}
