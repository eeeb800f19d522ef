import type { Query } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import type { LiveEvent } from '@tessera/contract/projects/live'
import type { getTicketLinks } from '@tessera/contract/tickets/links'
import { type Kind, kindOf } from './kinds.ts'

// Which change makes which query's data stale.

/** What a query asks for, as far as it decides what concerns it. */
interface Asked {
  idProject?: number
  idTicket?: number
  Query?: string | undefined
  Subordinates?: readonly number[] | undefined
  Columns?: readonly string[] | undefined
  References?: 0 | 1
  Counts?: 0 | 1
  /** The tickets that texts name. */
  tickets?: readonly number[]
}

/** Whether a list shows what the change is about. A comment is in the time of the last change, and a query may ask for anything. */
export function isListed(change: LiveEvent, { Query = '', Columns = [] }: Asked) {
  const kind = kindOf(change)
  if (kind === 'reaction') return false
  return (kind !== 'comments' && kind !== 'beside') || Query !== '' || Columns.includes('Updated') || Columns.includes('Watched')
}

/** Whether the query asks what blocks its tickets, or what they block: tickets in any project. */
function asksOfBlocks({ Query = '' }: Asked) {
  return /blocked|blocking/i.test(Query)
}
/** Whether it asks for the phases of their children. */
function asksOfChildren({ Query = '', Subordinates = [] }: Asked) {
  return Subordinates.length > 0 || /-children/i.test(Query)
}

/** Which changes of a kind concern a query. */
const scopes = {
  /** Those of its ticket. */
  own: ({ idTicket }: Asked, change: LiveEvent) => idTicket === change.idTicket,
  /** Those in its project. */
  project: ({ idProject }: Asked, change: LiveEvent) => idProject === change.idProject,
  /** Those in its project or, if it asks what blocks its tickets, in any. */
  blocks: (asked: Asked, change: LiveEvent) => asked.idProject === change.idProject || asksOfBlocks(asked),
  /** The same, but none unless it asks for other tickets than those that it finds. */
  others: (asked: Asked, change: LiveEvent) => asksOfBlocks(asked) || (asked.idProject === change.idProject && asksOfChildren(asked)),
  /** Those in its project that its list shows. */
  listed: (asked: Asked, change: LiveEvent) => asked.idProject === change.idProject && isListed(change, asked),
  /** Those of the tickets that its texts name. */
  named: ({ tickets = [] }: Asked, { idTicket }: LiveEvent) => tickets.some(id => id === idTicket),
  /** All, in any project. */
  any: () => true,
  /** All, if it asks who mentions its ticket. */
  references: ({ References }: Asked) => References === 1,
  /** All, if it asks for one project. */
  ofProjects: ({ idProject }: Asked) => idProject !== undefined,
} satisfies Record<string, (asked: Asked, change: LiveEvent) => boolean>

/** For each kind of change which ones concern a query; a kind that is not there never does. */
type Row = Partial<Record<Exclude<Kind, 'anything'>, keyof typeof scopes>>

const ofTicket: Row = { ticket: 'own', tree: 'any', links: 'any', comments: 'own', beside: 'own' }
const ofProject: Row = { ticket: 'project', tree: 'project', links: 'ofProjects', comments: 'listed', beside: 'listed' }
const ofList: Row = { ...ofProject, new: 'project', ticket: 'blocks', tree: 'blocks' }

/**
 * Every query of the contract, by its name, with ` counts` or ` following` behind it if that is what it asks for. A change that names no ticket
 * concerns all of them.
 */
export const rows: Record<string, Row> = {
  // Lists of a project's tickets. A board asks for single tickets by itself, unless others depend on them.
  'query-tickets': ofList,
  'query-board': { new: 'project', ticket: 'others', tree: 'blocks', links: 'any' },
  'get-project-statistics': ofList,
  'get-ticket-list': ofProject,
  'get-ticket-trash': ofProject,
  'get-links-between': { links: 'any' },
  'get-view-list': {},
  // A view's query may depend on anything about a ticket.
  'get-view-list counts': {
    new: 'project',
    ticket: 'project',
    tree: 'project',
    links: 'any',
    comments: 'project',
    reaction: 'project',
    beside: 'project',
  },

  // Lists over all projects.
  'search-tickets': ofProject,
  'search-tickets following': { new: 'any', ticket: 'any', tree: 'any', links: 'any', comments: 'any', beside: 'any' },
  'suggest-search': ofProject,
  'get-project-list': {},
  // The numbers of open tickets.
  'get-project-list counts': { new: 'any', ticket: 'any', tree: 'any', links: 'any' },

  // Of one ticket. Its links are shown with the other tickets, and what its texts name with their titles.
  'get-ticket-data': ofTicket,
  'get-ticket-history': ofTicket,
  'get-ticket-comments': { ...ofTicket, reaction: 'own' },
  'get-comment-history': ofTicket,
  'get-ticket-links': { ticket: 'any', tree: 'any', links: 'any', comments: 'references' },
  'get-text-names': { ticket: 'named', tree: 'any', comments: 'named', reaction: 'named', beside: 'named' },
  'find-tickets': ofTicket,
  'get-ticket-watchers': ofTicket,
  'get-mentionable-users': ofTicket,
  'get-ticket-rolelist': ofTicket,
  'get-project-role-list': ofTicket,
  'get-project-user-list': ofTicket,
  'get-project-userrole-list': ofTicket,

  // Of a project: what is counted or listed beside its tickets.
  'get-label-list': ofProject,
  'get-change-set-list': ofProject,
  'get-bulk-progress': ofProject,
  'get-calendar-feed-list': ofProject,
  'get-ticket-state-usage': ofProject,
  'get-ticket-field-usage': ofProject,
  'get-ticket-template-usage': ofProject,
  'get-field-type-change': ofProject,
  'get-state-transitions': ofProject,
  'get-ticket-template': ofProject,
  'get-user-permissions': ofProject,
  'get-project-members': ofProject,
  'get-project-member-candidates': ofProject,
  'get-project-roles': ofProject,
  'get-project-property': ofProject,

  // The settings of a project, which a change of a ticket leaves as they are.
  'get-project-data': {},
  'get-ticket-field-list': {},
  'get-ticket-state-list': {},
  'get-ticket-template-list': {},

  // Neither of a ticket nor of a project.
  'get-ticket-by-key': {},
  'get-search-list': {},
  'get-ticket-property-type-list': {},
  'get-propertytype-list': {},
  'get-permission-types': {},
  'get-user-list': {},
  'get-user-edit-data': {},
  'get-user-access': {},
  'get-user-data': {},
  'get-session-list': {},
  'get-organization-list': {},
  'get-organization-data': {},
  'get-organization-member-candidates': {},
  'get-invitation': {},
  'get-backup-status': {},
  'client-config': {},
  connstate: {},
  events: {},
  'export-tickets': {},
  'attachment-download': {},
}

/** The parts of a query that decide what concerns it. */
type Known = Pick<Query, 'queryKey'> & Partial<Pick<Query, 'meta' | 'state'>>

/** The `meta` of a search that is refetched when any ticket changes; other searches stay as they are. */
export const followsTickets = { followsTickets: true }

/** What the query asks for: the second part of its key or, of the names in a ticket's texts, the third. */
function askedOf({ queryKey: [, asked, names] }: Known): Asked {
  const input = typeof asked === 'number' ? names : asked
  return typeof input === 'object' && input !== null ? input : {}
}
/** The name of its row. */
export function nameOf(query: Known) {
  const [path] = query.queryKey
  const name = /([\w-]+)(\.json)?\.php$/.exec(String(path))?.[1] ?? ''
  if (askedOf(query).Counts === 1) return `${name} counts`
  return query.meta?.followsTickets === true ? `${name} following` : name
}

/** Whether a change makes the query's data stale. */
export function isConcerned(query: Known, change: LiveEvent) {
  const kind = kindOf(change)
  if (kind === 'anything') return true
  const scope = rows[nameOf(query)]?.[kind]
  return scope !== undefined && scopes[scope](askedOf(query), change)
}

/** Whether the query is costly for the server, so that it is refetched less often during many changes. */
export function isSearch(query: Known) {
  return ['get-project-statistics', 'get-view-list counts', 'get-project-list counts', 'search-tickets following'].includes(nameOf(query))
}
/**
 * The same for one change: most only make links old because a text may mention the ticket now, which takes a search to find out, and lists that ask
 * what blocks their tickets because it may be one of another project.
 */
export function isSearchAfter(query: Known, change: LiveEvent) {
  const kind = kindOf(change)
  if (kind === 'anything') return isSearch(query)
  const { idProject } = askedOf(query)
  if (['query-tickets', 'query-board'].includes(nameOf(query))) return idProject !== change.idProject && kind !== 'links'
  if (nameOf(query) !== 'get-ticket-links') return isSearch(query)
  const links = query.state?.data as Response<typeof getTicketLinks> | undefined
  return links !== undefined && kind !== 'tree' && kind !== 'links' && !links.some(({ Ticket }) => Ticket?.id === change.idTicket)
}
