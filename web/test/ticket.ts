import type { QueriedTicket } from '@tessera/contract/tickets/tickets'
import type { Ticket } from '../src/features/tickets/ticket.ts'

/** A ticket without anything that a ticket need not have. */
export const plainTicket: Ticket = {
  idTicket: 7,
  idProject: 1,
  ProjectTitle: 'Titanium',
  pcode: 'TIM',
  idParent: null,
  Created: 1_700_000_000,
  Type: 'Bug',
  idTemplate: 1,
  Assignees: [],
  State: 'Open',
  idState: 1,
  Phase: 1,
  OutputStates: [],
  Labels: [],
  Watchers: [],
  Blocked: 0,
  Attachments: [],
  Title: 'Crash',
  Fields: [],
  NotificationSubscription: 0,
  Version: 4,
  Permissions: [1],
}

/** A row of a list, without anything that a ticket need not have. */
export const plainRow: QueriedTicket = {
  id: 7,
  pcode: 'TIM',
  Type: 'Bug',
  Phase: 1,
  State: 'Open',
  Title: 'Crash',
  UserAssigned: 0,
  SubordinateProposedCount: 0,
  SubordinateActiveCount: 0,
  SubordinateInactiveCount: 0,
  idParent: null,
  Labels: [],
  Blocked: 0,
}
