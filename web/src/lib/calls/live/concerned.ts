import type { Query } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import type { LiveEvent } from '@tessera/contract/projects/live'
import { getTicketFieldList, getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { getProjectData, getProjectList } from '@tessera/contract/projects/projects'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { getViewList } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { getTicketComments } from '@tessera/contract/tickets/comments'
import { getLinksBetween, getTicketLinks } from '@tessera/contract/tickets/links'
import { queryTickets } from '@tessera/contract/tickets/tickets'
import { getTextNames } from '@tessera/contract/tickets/watchers'
import { kindOf, kinds } from './kinds.ts'

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
  /** From its `meta`. */
  followsTickets?: unknown
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
type Scope = (asked: Asked, change: LiveEvent) => boolean
/** Those of its ticket. */
const own: Scope = ({ idTicket }, change) => idTicket === change.idTicket
/** Those in its project. */
const project: Scope = ({ idProject }, change) => idProject === change.idProject
/** Those in its project or, if it asks what blocks its tickets, in any. */
const blocks: Scope = (asked, change) => project(asked, change) || asksOfBlocks(asked)
/** The same, but none unless it asks for other tickets than those that it finds. */
const others: Scope = (asked, change) => asksOfBlocks(asked) || (project(asked, change) && asksOfChildren(asked))
/** Those in its project that its list shows. */
const listed: Scope = (asked, change) => project(asked, change) && isListed(change, asked)
/** Those of the tickets that its texts name. */
const named: Scope = ({ tickets = [] }, { idTicket }) => tickets.some(id => id === idTicket)
/** All, in any project. */
const any: Scope = () => true
/** All, if it asks who mentions its ticket. */
const references: Scope = ({ References }) => References === 1
/** All, if it asks for the numbers of open tickets. */
const counted: Scope = ({ Counts }) => Counts === 1
/** Those in its project or, of links, all, if it asks how many tickets views find. A view's query may depend on anything about a ticket. */
const found: Scope = (asked, change) => counted(asked, change) && (kindOf(change) === 'links' || project(asked, change))
const none: Scope = () => false

/**
 * For each query which changes of each of the `kinds` concern it. A change that names no ticket concerns every query. The last three rows are
 * for queries that follow tickets, and for those that are not here and ask for a ticket, or else for a project; no ticket concerns the others.
 */
// biome-ignore format: a table
export const rows: Record<string, readonly Scope[]> = {
  //                              new         ticket   tree     links    comments    reaction  beside
  // Lists of a project's tickets. A board asks for single tickets by itself, unless others depend on them.
  [queryTickets.path]:           [project,    blocks,  blocks,  any,     listed,     none,     listed],
  [getProjectStatistics.path]:   [project,    blocks,  blocks,  any,     listed,     none,     listed],
  [queryBoard.path]:             [project,    others,  blocks,  any,     none,       none,     none],
  [getLinksBetween.path]:        [none,       none,    none,    any,     none,       none,     none],
  [getViewList.path]:            [found,      found,   found,   found,   found,      found,    found],
  [getProjectList.path]:         [counted,    counted, counted, counted, none,       none,     none],
  // A ticket's links are shown with the other tickets, and what its texts name with their titles.
  [getTicketComments.path]:      [none,       own,     any,     any,     own,        own,      own],
  [getTicketLinks.path]:         [references, any,     any,     any,     references, none,     none],
  [getTextNames.path]:           [none,       named,   any,     none,    named,      named,    named],
  // The settings of a project.
  [getProjectData.path]:         [],
  [getTicketFieldList.path]:     [],
  [getTicketStateList.path]:     [],
  [getTicketTemplateList.path]:  [],

  following:                     [any,        any,     any,     any,     any,        none,     any],
  ofTicket:                      [none,       own,     any,     any,     own,        none,     own],
  ofProject:                     [none,       project, project, any,     listed,     none,     listed],
}

/** The other queries, by name. Only a test reads this, so that a new one has to be entered here or above. */
export const otherQueries = {
  ofTicket: [
    ...['get-ticket-data', 'get-ticket-history', 'get-comment-history', 'get-ticket-watchers', 'get-mentionable-users', 'find-tickets'],
    ...['get-ticket-rolelist', 'get-project-role-list', 'get-project-user-list', 'get-project-userrole-list'],
  ],
  // What is counted or listed beside its tickets.
  ofProject: [
    ...['get-ticket-list', 'get-ticket-trash', 'get-label-list', 'get-change-set-list', 'get-bulk-progress', 'get-calendar-feed-list'],
    ...['get-ticket-state-usage', 'get-ticket-field-usage', 'get-ticket-template-usage', 'get-field-type-change', 'get-state-transitions'],
    ...['get-ticket-template', 'get-user-permissions', 'get-project-members', 'get-project-member-candidates', 'get-project-roles'],
    'get-project-property',
  ],
  // These may be in one project.
  searches: ['search-tickets', 'suggest-search', 'export-tickets'],
  ofNeither: [
    ...['get-ticket-by-key', 'get-search-list', 'get-ticket-property-type-list', 'get-propertytype-list'],
    ...['get-permission-types', 'get-user-list', 'get-user-edit-data', 'get-user-access', 'get-user-data', 'get-session-list'],
    ...['get-organization-list', 'get-organization-data', 'get-organization-member-candidates', 'get-backup-status'],
    ...['public/get-invitation', 'public/client-config', 'connstate', 'events', 'attachment-download'],
  ],
}

/** The parts of a query that decide what concerns it. */
type Known = Pick<Query, 'queryKey'> & Partial<Pick<Query, 'meta' | 'state'>>

/** The `meta` of a search that is refetched when any ticket changes; other searches stay as they are. */
export const followsTickets = { followsTickets: true }

/** What the query asks for: the second part of its key or, of the names in a ticket's texts, the third. */
function askedOf({ queryKey: [, asked, names], meta }: Known): Asked {
  return { ...((typeof asked === 'number' ? names : asked) as Asked), ...meta }
}

/** Whether a change makes the query's data stale. */
export function isConcerned(query: Known, change: LiveEvent) {
  const kind = kindOf(change)
  if (kind === 'anything') return true
  const asked = askedOf(query)
  return rowOf(query, asked)?.[kinds.indexOf(kind)]?.(asked, change) === true
}
function rowOf({ queryKey: [path] }: Known, { followsTickets, idTicket, idProject }: Asked) {
  const isOfNone = idTicket === undefined && idProject === undefined
  const usual = isOfNone ? undefined : rows[idTicket === undefined ? 'ofProject' : 'ofTicket']
  return rows[path as string] ?? (followsTickets ? rows.following : usual)
}

/** Whether the query is costly for the server, so that it is refetched less often during many changes. */
export function isSearch(query: Known) {
  const { Counts, followsTickets } = askedOf(query)
  return Counts === 1 || followsTickets === true || query.queryKey[0] === getProjectStatistics.path
}
/**
 * The same for one change: most only make links old because a text may mention the ticket now, which takes a search to find out, and lists that ask
 * what blocks their tickets because it may be one of another project.
 */
export function isSearchAfter(query: Known, change: LiveEvent) {
  const kind = kindOf(change)
  if (kind === 'anything') return isSearch(query)
  const { idProject } = askedOf(query)
  const [path] = query.queryKey
  if (path === queryTickets.path || path === queryBoard.path) return idProject !== change.idProject && kind !== 'links'
  if (path !== getTicketLinks.path) return isSearch(query)
  const links = query.state?.data as Response<typeof getTicketLinks> | undefined
  return links !== undefined && kind !== 'tree' && kind !== 'links' && !links.some(({ Ticket }) => Ticket && Ticket.id === change.idTicket)
}
