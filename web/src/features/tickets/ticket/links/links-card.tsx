import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import { getTicketLinks, type LinkKind } from '@tessera/contract/tickets/links'
import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../../components/button/button.tsx'
import { LoadProblem } from '../../../../components/empty-state/load-problem.tsx'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import { PermissionGate } from '../../../../components/permission-gate/permission-gate.tsx'
import { SectionCard } from '../../../../components/section-card/section-card.tsx'
import { Skeleton } from '../../../../components/skeleton/skeleton.tsx'
import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { classNames } from '../../../../lib/display/class-names.ts'
import { useActions } from '../../../../lib/input/actions.ts'
import { HeldKeys } from '../../../../lib/input/keys/held-keys.ts'
import { refusalOf, type Ticket } from '../../ticket.ts'
import { DuplicateOffer } from './duplicate-offer.tsx'
import { kindWords } from './kind-words.ts'
import { LinkedTicket, LinkRow, type TicketLink } from './link-row.tsx'
import styles from './links-card.module.css'

const AddLinkForm = lazy(async () => (await import('./add-link-form.tsx')).AddLinkForm, { keepsTyped: true })

type Answered = Response<typeof getTicketLinks>[number]

function isLink(row: Answered): row is TicketLink {
  return row.idLink !== undefined && row.Kind !== 'mentioned-in'
}

/** What the ticket is linked with, by kind. */
export function LinksCard({ ticket, blocked }: { ticket: Ticket; blocked: string | undefined }) {
  const { idTicket, idProject, Permissions } = ticket
  const query = useQuery(callQuery(getTicketLinks, { idTicket, References: 1 }))
  const { data } = query
  const links = data?.filter(isLink)
  const mentions = data?.filter(row => !isLink(row)) ?? []
  const [isAdding, add] = useState(false)
  /** For screen readers. */
  const [said, say] = useState('')
  const opener = useRef<HTMLButtonElement>(null)
  const startAdding = () => {
    say('')
    add(true)
  }
  useActions([{ label: 'Add link', refused: refusalOf(ticket, permission.editTickets, blocked), run: startAdding }])
  const stopAdding = () => {
    flushSync(() => add(false))
    opener.current?.focus()
  }
  /** The ticket that this one was just marked as a duplicate of. */
  const [original, setOriginal] = useState<{ id: number; code: string }>()
  const groups = [...Map.groupBy(links ?? [], ({ Kind }) => Kind)]
  const mayEdit = !blocked && Permissions.includes(permission.editTickets)
  return (
    <SectionCard
      title="Links"
      count={links?.length || undefined}
      className={styles.card}
      actions={
        <>
          <VisuallyHidden role="status">{said}</VisuallyHidden>
          {!isAdding && (
            <PermissionGate idProject={idProject} needs={permission.editTickets} held={Permissions} reason={blocked}>
              {refused => (
                <Button ref={opener} disabled={refused} onClick={startAdding}>
                  ADD LINK
                </Button>
              )}
            </PermissionGate>
          )}
        </>
      }
    >
      {isAdding && (
        <Suspense
          fallback={
            <>
              <Skeleton height={56} className={styles.loading} />
              <HeldKeys />
            </>
          }
        >
          <AddLinkForm
            ticket={ticket}
            onAdded={(kind, other) => {
              say('Link added')
              if (kind === 'duplicates') setOriginal(other)
            }}
            onClose={stopAdding}
          />
        </Suspense>
      )}
      {original && !blocked && <DuplicateOffer ticket={ticket} original={original} onClose={() => setOriginal(undefined)} />}
      <LoadProblem of={[query]} title="The links could not be loaded" />
      {links?.length === 0 && mentions.length === 0 && !isAdding && <p className={styles.empty}>No links yet</p>}
      {groups.map(([kind, members]) => (
        <LinkGroup key={kind} kind={kind} links={members} idTicket={idTicket} mayEdit={mayEdit} />
      ))}
      {mentions.length > 0 && (
        <div className={classNames(styles.group, styles.plain)}>
          <h3 id="links-mentioned-in" className={styles.kind}>
            Mentioned in
          </h3>
          <ul aria-labelledby="links-mentioned-in">
            {mentions.map(
              ({ Ticket }) =>
                Ticket && (
                  <li key={Ticket.id} className={styles.row}>
                    <LinkedTicket ticket={Ticket} />
                  </li>
                ),
            )}
          </ul>
        </div>
      )}
    </SectionCard>
  )
}

/** How many links of each kind are shown at first. */
const firstLinks = 20

function LinkGroup({ kind, links, idTicket, mayEdit }: { kind: LinkKind; links: TicketLink[]; idTicket: number; mayEdit: boolean }) {
  const [showsAll, showAll] = useState(false)
  return (
    <div className={classNames(styles.group, !mayEdit && styles.plain)}>
      <h3 id={`links-${kind}`} className={styles.kind}>
        {kindWords[kind]}
      </h3>
      <ul aria-labelledby={`links-${kind}`}>
        {links.slice(0, showsAll ? links.length : firstLinks).map(link => (
          <LinkRow key={link.idLink} idTicket={idTicket} link={link} mayEdit={mayEdit} />
        ))}
      </ul>
      {!showsAll && links.length > firstLinks && <Button onClick={() => showAll(true)}>SHOW ALL ({links.length})</Button>}
    </div>
  )
}
