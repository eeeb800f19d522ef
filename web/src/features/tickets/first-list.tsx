import type { Response } from '@tessera/contract/call'
import type { connstate } from '@tessera/contract/session'
import type { queryTickets } from '@tessera/contract/tickets'
import type { CSSProperties } from 'react'
import { initials } from '../../lib/format.ts'
import { layoutFor, rowHeightOf } from './list-layout.ts'
import { firstPosition, TicketRow } from './ticket-row.tsx'

const columns = ['ID', 'Type', 'Phase', 'State', 'Description', 'Subordinates']

/**
 * Shows the tickets of a project's page where the application will show them, while it is still being compiled: to be read only, and gone with the application's first drawing.
 * Nothing is shown when it was there first, or when there is nothing to show. vite.config.ts builds this without React.
 */
export async function showFirstList(
  idProject: number,
  session: Promise<Response<typeof connstate> | undefined>,
  tickets: Promise<Response<typeof queryTickets> | undefined>,
) {
  const [person, page] = await Promise.all([session, tickets])
  const place = document.querySelector('#root:has(> .starting)')
  if (!place || person?.auth !== 1 || !page || page.Tickets.length === 0) return
  const width = Math.min(1440, document.documentElement.clientWidth)
  const isPhone = innerWidth < 600
  const layout = isPhone ? 'cards' : layoutFor(width - 50)
  const height = rowHeightOf(layout)
  const shown = page.Tickets.slice(0, Math.ceil(innerHeight / height))
  const project = person.projects.find(({ id }) => id === idProject)
  const longestCode = Math.max(...page.Tickets.map(({ pcode, id }) => `${pcode}-${id}`.length))
  const list = (
    <main className="first-list" aria-hidden inert>
      <div className="heading">
        <h1>
          {project && (
            <>
              {project.Title} <span>[{project.shortcode}]</span>
            </>
          )}
        </h1>
        <span className="count" />
      </div>
      <div className="card">
        <table className={`ticket-table ${layout}`} style={{ '--depth': 0, '--code': longestCode } as CSSProperties}>
          <thead className={layout === 'cards' ? 'unseen' : ''}>
            <tr>
              <th />
              <th />
              {columns.map(name => (
                <th key={name}>{name}</th>
              ))}
            </tr>
            <tr className="filters" />
          </thead>
          <tbody>
            {shown.map((ticket, index) => (
              <TicketRow
                key={ticket.id}
                rowKey={String(ticket.id)}
                ticket={ticket}
                depth={0}
                isOpen={false}
                isCurrent={index === 0}
                position={index + firstPosition}
                me={initials(person.DisplayName)}
              />
            ))}
            <tr style={{ height: `${(page.Tickets.length - shown.length) * height}px` }} />
          </tbody>
        </table>
      </div>
    </main>
  )
  place.append(list as unknown as Node)
}
