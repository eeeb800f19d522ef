import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getTicketStateList } from '@tessera/contract/projects/project-config'
import { needsPermission } from '@tessera/contract/refusals'
import type { ReactNode } from 'react'
import { Card } from '../../../../components/card/card.tsx'
import { Link } from '../../../../components/link/link.tsx'
import { PermissionGate } from '../../../../components/permission-gate/permission-gate.tsx'
import { TextField } from '../../../../components/text-field/text-field.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { classNames } from '../../../../lib/display/class-names.ts'
import { formatDateTime } from '../../../../lib/display/format.ts'
import { titleRule } from '../../../../lib/forms/field-rules.ts'
import { keepFocus } from '../../../../lib/input/keep-focus.ts'
import { AttachmentList } from '../../attachments/attachment-list.tsx'
import type { DraftField, Ticket } from '../../ticket.ts'
import { Assignees } from '../assignees/assignees.tsx'
import { StateMenu } from '../choices/state-menu.tsx'
import { TypeMenu } from '../choices/type-menu.tsx'
import { ClashPanel } from '../fields/clash-panel.tsx'
import { selection } from '../fields/field-value.ts'
import { TicketField } from '../fields/ticket-field.tsx'
import { TicketLabels } from '../labels/ticket-labels.tsx'
import { BlockedState } from '../links/blocked-state.tsx'
import type { useTicketDraft } from '../use-ticket-draft.ts'
import { Watchers } from '../watchers/watchers.tsx'
import styles from './ticket-card.module.css'

interface TicketCardProps {
  ticket: Ticket
  draft: ReturnType<typeof useTicketDraft>
  /** Why the ticket takes no change just now, whatever the permissions. */
  blocked: string | undefined
  /** What the server found wrong, by field. */
  refusals: Partial<Record<DraftField, string>>
}

/** The facts of a ticket in two columns, its title, and the fields of its type. */
export function TicketCard({ ticket, draft, blocked, refusals }: TicketCardProps) {
  const code = `${ticket.pcode}-${ticket.idTicket}`
  const readOnly = blocked !== undefined || !ticket.Permissions.includes(permission.editTickets)
  const clashOf = (field: DraftField, label: string, shown: (theirs: string) => ReactNode = theirs => theirs) => {
    const clash = draft.clashes.find(found => found.field === field)
    if (!clash) return null
    return (
      <ClashPanel
        idTicket={ticket.idTicket}
        field={field}
        label={label}
        theirs={shown(String(clash.theirs))}
        onKeepMine={() => draft.keepMine(field)}
        onTakeTheirs={() => draft.takeTheirs(field)}
      />
    )
  }
  return (
    <Card>
      <dl className={styles.facts}>
        <Fact term="Project">
          <Link to={`/view-project/${ticket.idProject}`}>{ticket.ProjectTitle}</Link>
        </Fact>
        <Fact term="ID">
          <span className={styles.dim}>{code}</span>
          {ticket.OriginalKey !== undefined && <span className={styles.origin}>imported as {ticket.OriginalKey}</span>}
        </Fact>
        {ticket.idParent !== null && (
          <Fact term="Parent">
            <Link to={`/view-ticket/${ticket.idParent}`}>
              {ticket.pcode}-{ticket.idParent}
            </Link>
          </Fact>
        )}
        <Fact term="Created">
          <span>{formatDateTime(ticket.Created)}</span>
          {ticket.CreatedBy !== undefined && <span className={styles.origin}>by {ticket.CreatedBy}</span>}
        </Fact>
        <Fact term="Type">
          <TypeMenu ticket={ticket} value={draft.draft.Type} onChange={id => draft.set('Type', id)} blocked={blocked} />
          {clashOf('Type', 'Type', id => ticket.OtherTypes?.find(type => type.id === Number(id))?.Description ?? ticket.Type)}
        </Fact>
        <Fact term="Assignees">
          <Assignees ticket={ticket} draft={draft} blocked={blocked} />
        </Fact>
        <Fact term="State">
          <StateMenu ticket={ticket} value={draft.draft.State} onChange={id => draft.set('State', id)} blocked={blocked} />
          <BlockedState ticket={ticket} />
          {clashOf('State', 'State', id => (
            <StateName ticket={ticket} id={Number(id)} />
          ))}
        </Fact>
        <Fact term="Attachments" isWide={ticket.idParent === null}>
          <AttachmentList ticket={ticket} blocked={blocked} />
        </Fact>
        <Fact term="Labels">
          <TicketLabels ticket={ticket} draft={draft} blocked={blocked} />
        </Fact>
        <Fact term="Watchers">
          <Watchers ticket={ticket} blocked={blocked} />
        </Fact>
        <Fact term={<label htmlFor="ticket-description">Description</label>} isWide>
          <div className={styles.description}>
            <TextField
              id="ticket-description"
              value={draft.draft.Title}
              onChange={event => draft.set('Title', event.target.value)}
              problem={titleRule(draft.draft.Title) ?? refusals.Title}
              readOnly={readOnly}
            />
            {clashOf('Title', 'Description')}
          </div>
        </Fact>
      </dl>
      {ticket.Fields.length > 0 && (
        <div data-fields className={styles.fields}>
          {ticket.Fields.map(field => {
            const name = `data.${field.Key}` as const
            return (
              <div
                key={field.Key}
                ref={keepFocus}
                className={classNames(
                  styles.field,
                  field.Renderer === 'TEXTMULTILINE' && styles.wide,
                  field.Renderer === 'CHECKBOX' && styles.check,
                )}
              >
                <TicketField
                  ticket={ticket}
                  field={field}
                  value={draft.draft[name] ?? ''}
                  onChange={value => draft.set(name, value)}
                  readOnly={readOnly}
                  refusal={refusals[name]}
                />
                {clashOf(name, field.Label, value => inWords(field, value))}
              </div>
            )
          })}
        </div>
      )}
      {readOnly && !blocked && (
        <div className={styles.readOnly}>
          <PermissionGate idProject={ticket.idProject} needs={permission.editTickets} held={ticket.Permissions}>
            {() => <span className={styles.dim}>You can read this ticket, not change it. {needsPermission(permission.editTickets)}.</span>}
          </PermissionGate>
        </div>
      )}
    </Card>
  )
}

/** The value of a field as people read it. */
function inWords({ Renderer, FieldProps }: Ticket['Fields'][number], value: string) {
  if (Renderer === 'CHECKBOX') return value === '1' ? 'Checked' : 'Not checked'
  const labelOf = (option: string) => FieldProps.find(({ value }) => value === option)?.label ?? option
  return Renderer === 'MULTISELECT' ? selection(value).map(labelOf).join(', ') : labelOf(value)
}

function StateName({ ticket, id }: { ticket: Ticket; id: number }) {
  const { data: states } = useQuery(callQuery(getTicketStateList, { idProject: ticket.idProject }))
  return states?.find(state => state.id === id)?.Description ?? ticket.State
}

function Fact({ term, children, isWide = false }: { term: ReactNode; children: ReactNode; isWide?: boolean }) {
  return (
    <div className={classNames(styles.fact, isWide && styles.wide)}>
      <dt>{term}</dt>
      <dd ref={keepFocus}>{children}</dd>
    </div>
  )
}
