import { QueryClient } from '@tanstack/react-query'
import { getTicketFieldList, getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { getProjectData, getProjectList } from '@tessera/contract/projects/projects'
import { getProjectStatistics } from '@tessera/contract/projects/statistics'
import { getViewList } from '@tessera/contract/projects/views'
import { queryBoard } from '@tessera/contract/tickets/board'
import { getTicketComments } from '@tessera/contract/tickets/comments'
import { getLinksBetween, getTicketLinks } from '@tessera/contract/tickets/links'
import { searchTickets } from '@tessera/contract/tickets/search'
import { getTicketData, queryTickets } from '@tessera/contract/tickets/tickets'
import { getTextNames } from '@tessera/contract/tickets/watchers'
import { expect, test } from 'vitest'
import { followsTickets, isConcerned, isListed, isSearch, isSearchAfter } from './concerned.ts'
import { refetchAfter } from './refetch-after.ts'
import { watchTickets } from './watch-tickets.ts'

const queries = {
  ticket7: [getTicketData.path, { idTicket: 7 }],
  comments7: [getTicketComments.path, { idTicket: 7 }],
  ticket8: [getTicketData.path, { idTicket: 8 }],
  list1: [queryTickets.path, { idProject: 1 }, 'pages'],
  list2: [queryTickets.path, { idProject: 2 }, 'pages'],
  session: ['/connstate', {}],
  profile: ['/get-user-data', {}],
}
function concerned(change: Parameters<typeof isConcerned>[1]) {
  return Object.entries(queries)
    .filter(([, queryKey]) => isConcerned({ queryKey }, change))
    .map(([name]) => name)
}

test('a changed ticket makes its own page and the lists of its project stale, nothing else', () => {
  expect(concerned({ idProject: 1, idTicket: 7, kind: 'set-ticket-data' })).toEqual(['ticket7', 'comments7', 'list1'])
})

test('a comment concerns the page of its ticket, a new ticket the lists', () => {
  expect(concerned({ idProject: 1, idTicket: 7, kind: 'set-ticket-comment' })).toEqual(['ticket7', 'comments7'])
  expect(concerned({ idProject: 1, idTicket: 7, kind: 'set-comment-reaction' })).toEqual(['comments7'])
  expect(concerned({ idProject: 1, kind: 'create-new-ticket' })).toEqual(['list1'])
  expect(isConcerned({ queryKey: ['/get-ticket-template-list', { idProject: 1 }] }, { idProject: 1, kind: 'create-new-ticket' })).toBe(
    false,
  )
})

test('a list shows comments, files and watchers where its query or a column may depend on them', () => {
  const isOld = (asked: object, kind = 'set-ticket-comment', path = queryTickets.path) =>
    isConcerned({ queryKey: [path, { idProject: 1, ...asked }, 'pages'] }, { idProject: 1, idTicket: 7, kind })
  expect([{}, { Columns: ['Labels'] }, { Query: '' }].map(asked => isOld(asked))).toEqual([false, false, false])
  expect([{ Columns: ['Updated'] }, { Query: 'has:comment' }].map(asked => isOld(asked))).toEqual([true, true])
  expect([isOld({ Columns: ['Watched'] }, 'set-ticket-notification'), isOld({ Query: 'file' }, 'delete-attachment')]).toEqual([true, true])
  expect(isOld({ Query: 'file' }, 'set-comment-reaction')).toBe(false)
  expect(isOld({ Query: 'has:comment' }, 'set-ticket-comment', getProjectStatistics.path)).toBe(true)
})

test('charts count a new ticket, and are read as seldom as what searches', () => {
  const charts = { queryKey: [getProjectStatistics.path, { idProject: 1 }] }
  expect([isConcerned(charts, { idProject: 1, kind: 'create-new-ticket' }), isSearch(charts)]).toEqual([true, true])
})

test('what a text names is read again when one of these tickets changes, and who mentions a ticket when a comment does or a ticket is added', () => {
  const isOld = (queryKey: readonly unknown[], kind: string, idTicket: number) =>
    isConcerned({ queryKey }, { idProject: 2, kind, idTicket })
  const names = [getTextNames.path, 7, { tickets: [8], logins: [], labels: [] }]
  expect([isOld(names, 'set-ticket-data', 8), isOld(names, 'set-ticket-data', 9), isOld(names, 'purge-ticket', 9)]).toEqual([
    true,
    false,
    true,
  ])
  const links = { idTicket: 7, References: 1 }
  expect(isOld([getTicketLinks.path, links], 'set-ticket-comment', 9)).toBe(true)
  expect(isOld([getTicketLinks.path, links], 'attachment-upload', 9)).toBe(false)
  const added = { idProject: 2, kind: 'create-new-ticket' }
  const state = { data: [{ idLink: 2, Kind: 'relates', Ticket: null }] } as Parameters<typeof isConcerned>[0]['state']
  const asking = { queryKey: [getTicketLinks.path, links], state } as Parameters<typeof isConcerned>[0]
  expect([isConcerned(asking, added), isSearchAfter(asking, added)]).toEqual([true, true])
  expect(isConcerned({ queryKey: [getTicketLinks.path, { idTicket: 7 }] }, added)).toBe(false)
})

test('a moved tree makes the tickets in it stale too', () => {
  expect(concerned({ idProject: 1, idTicket: 7, kind: 'trash-ticket' })).toEqual(['ticket7', 'comments7', 'ticket8', 'list1'])
})

test('the settings of a project are not read again with each of its tickets', () => {
  for (const { path } of [getProjectData, getTicketFieldList, getTicketStateList, getTicketTemplateList]) {
    const isOld = (kind: string, idTicket?: number) =>
      isConcerned({ queryKey: [path, { idProject: 1 }] }, { idProject: 1, kind, ...(idTicket && { idTicket }) })
    const ofTicket = ['set-ticket-data', 'set-ticket-link', 'move-ticket'].map(kind => isOld(kind, 7))
    expect([path, ...ofTicket, isOld('set-ticket-state')]).toEqual([path, false, false, false, true])
  }
})

test('a change of the project itself may concern everything', () => {
  expect(concerned({ idProject: 1, kind: 'set-ticket-state' })).toEqual(Object.keys(queries))
})

test('a link makes tickets and lists of every project stale; any changed ticket makes links stale', () => {
  expect(concerned({ idProject: 1, idTicket: 7, kind: 'set-ticket-link' })).toEqual(['ticket7', 'comments7', 'ticket8', 'list1', 'list2'])
  const links8 = { queryKey: [getTicketLinks.path, { idTicket: 8 }] }
  expect(isConcerned(links8, { idProject: 1, idTicket: 7, kind: 'set-ticket-data' })).toBe(true)
  expect(isConcerned(links8, { idProject: 1, idTicket: 7, kind: 'set-ticket-comment' })).toBe(false)
})

test('the links among tickets of a project are read again when links change, in any project, not when tickets do', () => {
  const queryKey = [getLinksBetween.path, { idProject: 1, Tickets: [7, 8] }]
  const isOld = (kind: string, idProject = 1) => isConcerned({ queryKey }, { idProject, idTicket: 7, kind })
  expect([isOld('set-ticket-link'), isOld('remove-ticket-link', 2)]).toEqual([true, true])
  expect([isOld('set-ticket-data'), isOld('set-ticket-comment'), isOld('trash-ticket')]).toEqual([false, false, false])
  expect(isConcerned({ queryKey }, { idProject: 1, kind: 'apply-bulk-change' })).toBe(true)
})

test('the counts of views are read again after any change of a ticket; the views are not', () => {
  const [counts, views] = [
    [getViewList.path, { idProject: 1, Counts: 1 }],
    [getViewList.path, { idProject: 1 }],
  ] as const
  const isOld = (queryKey: readonly unknown[], kind: string, idProject = 1, idTicket?: number) =>
    isConcerned({ queryKey }, { idProject, kind, ...(idTicket && { idTicket }) })
  for (const kind of ['set-ticket-data', 'set-ticket-comment', 'set-ticket-watcher', 'trash-ticket', 'set-ticket-link'])
    expect([kind, isOld(counts, kind, 1, 7), isOld(views, kind, 1, 7)]).toEqual([kind, true, false])
  expect([isOld(counts, 'create-new-ticket'), isOld(views, 'create-new-ticket')]).toEqual([true, false])
  expect([isOld(counts, 'set-ticket-data', 2, 8), isOld(counts, 'set-ticket-link', 2, 8)]).toEqual([false, true])
  for (const queryKey of [counts, views]) expect(isOld(queryKey, 'set-view')).toBe(true)
})

test('a search that depends on tickets is read again after any change of one, in every project; others are not', () => {
  const queryKey = [searchTickets.path, { Query: 'is:mine' }]
  for (const kind of ['set-ticket-data', 'set-ticket-comment', 'set-ticket-notification', 'trash-ticket', 'create-new-ticket']) {
    const change = { idProject: 2, idTicket: 8, kind }
    expect([kind, isConcerned({ queryKey, meta: followsTickets }, change), isConcerned({ queryKey }, change)]).toEqual([kind, true, false])
  }
  expect(isConcerned({ queryKey, meta: followsTickets }, { idProject: 2, idTicket: 8, kind: 'set-comment-reaction' })).toBe(false)
})

test('a board is told which single tickets changed, and read again only for what concerns more', () => {
  const isOld = (kind: string, idTicket?: number) =>
    isConcerned({ queryKey: [queryBoard.path, { idProject: 1 }, 'board'] }, { idProject: 1, kind, ...(idTicket && { idTicket }) })
  const kinds = ['move-on-board', 'set-ticket-data', 'set-ticket-comment', 'trash-ticket', 'set-ticket-link']
  expect(kinds.map(kind => isOld(kind, 7))).toEqual([false, false, false, true, true])
  expect(['create-new-ticket', 'apply-bulk-change', 'set-ticket-state'].map(kind => isOld(kind))).toEqual([true, true, true])
  const told: string[] = []
  const stop = watchTickets(changes => {
    const shown = changes.filter(change => isListed(change, { Columns: ['Assignees'] }))
    told.push(...shown.map(({ kind, idTicket }) => `${kind} ${idTicket}`))
  })
  const queries = new QueryClient()
  for (const kind of kinds) refetchAfter(queries, { idProject: 1, idTicket: 7, kind })
  stop()
  refetchAfter(queries, { idProject: 1, idTicket: 8, kind: 'set-ticket-data' })
  expect(told).toEqual(['move-on-board 7', 'set-ticket-data 7'])
})

test('the counts of projects are not read again for a comment, a file or a watcher', () => {
  const counts = { queryKey: [getProjectList.path, { Counts: 1 }], meta: followsTickets }
  const kinds = ['set-ticket-comment', 'attachment-upload', 'set-ticket-watcher', 'set-ticket-data', 'create-new-ticket']
  expect(kinds.map(kind => isConcerned(counts, { idProject: 1, idTicket: 7, kind }))).toEqual([false, false, false, true, true])
})
