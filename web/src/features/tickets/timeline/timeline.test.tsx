import { allPermissions, permission } from '@tessera/contract/permissions'
import { getTicketFieldList, propertyType } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { getLinksBetween } from '@tessera/contract/tickets/links'
import { getTicketData, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { plainRow } from '../../../../test/ticket.ts'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { exportCsv } from '../list/export-csv.ts'
import { plainView, type TicketView } from '../list/view/ticket-view.ts'
import { Timeline } from './timeline.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 20, 12) })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

// jsdom has no scrolling.
Element.prototype.scrollTo ??= () => undefined

const ticket = (id: number, begin: string, due: string, more: object = {}) => ({
  ...plainRow,
  ...{ id, pcode: 'OPS', Title: `Ticket ${id}` },
  Values: { begin, due },
  ...more,
})

interface World {
  tickets?: ReturnType<typeof ticket>[]
  links?: { idFrom: number; idTo: number; Kind: 'blocks' | 'precedes' }[]
  permissions?: readonly number[]
  dates?: readonly string[]
  view?: Partial<TicketView>
  more?: object
  address?: string
}

/** The timeline around November 20, 2026, in a browser whose weeks begin on Sunday: from November 8 to December 19. */
function world({
  tickets = [],
  links = [],
  permissions = allPermissions,
  dates = ['due', 'begin'],
  view,
  more,
  address = '/',
}: World = {}) {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: [...permissions] }] }))
  const server = fakeServer()
  const offered = dates.map(Key => ({ Key, Label: `Label of ${Key}`, FieldType: propertyType.DATE, FieldProps: [] }))
  server.on(getTicketFieldList, () => offered as never)
  server.on(getProjectData, () => ({ DueField: 'due', Archived: 0, Permissions: permissions }) as never)
  server.on(queryTickets, () => ({ Tickets: tickets, NextCursor: null, Total: tickets.length, ...more }) as never)
  server.on(getLinksBetween, () => links as never)
  const Fields = ['begin', 'due'].map(Key => ({ Key, Value: '' }))
  server.on(getTicketData, () => ({ Version: 4, Fields, Permissions: permissions, Type: 'Bug' }) as never)
  const onChange = vi.fn()
  const shown = { ...plainView, layout: 'timeline' as const, ...view }
  const Page = () => (
    <>
      <Timeline idProject={1} view={shown} onChange={onChange} label="Tickets of Ops" onError={() => {}} />
      <Toaster />
    </>
  )
  return { server, onChange, ...showPages([{ path: '/', Component: Page }], address) }
}
const names = () => screen.getAllByRole('link', { name: /^OPS-/ }).map(({ textContent }) => textContent)
const barOf = (id: number) => document.querySelector<HTMLElement>(`[data-bar="${id}"]`)

test('tickets with a day in sight are listed by start, with their days and conflicts in words, and a bar', async () => {
  const tickets = [
    ticket(1, '2026-11-20', '2026-11-28'),
    ticket(2, '', '2026-11-12', { Phase: 3, State: 'Done' }),
    ticket(3, '2026-11-10', '2026-11-25'),
    ticket(4, '2026-01-01', '2027-01-01'),
  ]
  const { server } = world({ tickets, links: [{ idFrom: 3, idTo: 1, Kind: 'precedes' }] })
  await screen.findByText('Nov 8 – Dec 19, 2026: 4 tickets')
  expect(server.sentTo(queryTickets)[0]?.input).toMatchObject({
    Query: 'begin:2026-11-08..2026-12-19 or due:2026-11-08..2026-12-19 or begin:<2026-11-08 due:>2026-12-19',
    Columns: ['begin', 'due'],
    Sort: [{ Column: 'begin', Direction: 'asc' }],
  })
  await waitFor(() =>
    expect(names()).toEqual([
      'OPS-4 Ticket 4, Open. Jan 1, 2026 – Jan 1, 2027.',
      'OPS-3 Ticket 3, Open. Nov 10 – 25, 2026. OPS-3 ends after OPS-1 starts.',
      'OPS-2 Ticket 2, Done. Until Nov 12, 2026.',
      'OPS-1 Ticket 1, Open. Nov 20 – 28, 2026. OPS-3 ends after OPS-1 starts.',
    ]),
  )
  expect(server.sentTo(getLinksBetween).map(({ input }) => input)).toEqual([{ idProject: 1, Tickets: [1, 2, 3, 4] }])
  // November 20 is the thirteenth of 42 days.
  expect([barOf(1)?.style.left, barOf(1)?.style.width].map(length => Number.parseFloat(length ?? '').toFixed(2))).toEqual([
    '28.57',
    '21.43',
  ])
  expect(document.querySelectorAll('[data-point]')).toHaveLength(1)
  expect([...document.querySelectorAll<HTMLElement>('[data-bar][data-conflict]')].map(({ dataset }) => dataset.bar)).toEqual(['1'])
  expect(barOf(1)?.title).toBe('OPS-1 Ticket 1\nNov 20 – 28, 2026\nOPS-3 ends after OPS-1 starts')
})

test('the view’s query is kept, and what the timeline leaves out is in the list', async () => {
  const { server, user } = world({ view: { query: 'crash or label:x sort:-updated' }, more: { NextCursor: 'more', Total: 900 } })
  await screen.findByText('Nov 8 – Dec 19, 2026: 900 tickets')
  const inSight = '(begin:2026-11-08..2026-12-19 or due:2026-11-08..2026-12-19 or begin:<2026-11-08 due:>2026-12-19)'
  expect(server.sentTo(queryTickets)[0]?.input).toMatchObject({ Query: `(crash or label:x) ${inSight}` })
  const listOf = (name: string) => new URL(screen.getByRole('link', { name }).getAttribute('href') ?? '', 'http://here').searchParams
  expect(listOf('Without dates').get('q')).toBe('(crash or label:x) (begin:none due:none) sort:-updated')
  await user.click(screen.getByRole('button', { name: 'Quarter' }))
  await screen.findByText('Oct 25, 2026 – Feb 27, 2027: 900 tickets')
  await user.click(screen.getByRole('button', { name: 'Next 12 weeks' }))
  await screen.findByText('Jan 17 – May 22, 2027: 900 tickets')
  expect(window.location.search).toBe('?date=2027-02-12&zoom=quarter')
  await user.click(screen.getByRole('button', { name: 'TODAY' }))
  await screen.findByText('Oct 25, 2026 – Feb 27, 2027: 900 tickets')
})

test('of more tickets than are read, the others are in the list', async () => {
  world({ tickets: [ticket(1, '2026-11-10', '2026-11-12')], more: { NextCursor: 'more', Total: 900 } })
  await screen.findByText(/^Only the first 1 of 900 tickets are shown/)
  const list = new URL(screen.getByRole('link', { name: 'All of them in the list' }).getAttribute('href') ?? '', 'http://here').searchParams
  expect([list.get('layout'), list.get('columns'), list.get('q')]).toEqual([
    'list',
    'begin,due',
    'begin:2026-11-08..2026-12-19 or due:2026-11-08..2026-12-19 or begin:<2026-11-08 due:>2026-12-19',
  ])
})

test('keys carry both days, it is saved at once with its version, and UNDO takes it back', async () => {
  const tickets = [ticket(1, '2026-11-10', '2026-11-12'), ticket(2, '2026-11-15', '2026-11-16')]
  const { server, user } = world({ tickets })
  server.on(setTicketData, ({ data }) => {
    tickets[0] = ticket(1, String(data?.begin), String(data?.due))
    return { Success: 1, Version: 5 } as never
  })
  ;(await screen.findByRole('link', { name: /OPS-2/ })).focus()
  await user.keyboard('{ArrowDown}')
  await screen.findByText('There are no more tickets on this side of the timeline.')
  await user.keyboard('{ArrowUp}')
  await user.keyboard(' ')
  await screen.findByText(/^Lifted OPS-1, Nov 10 – 12, 2026\. Arrow keys move it/)
  await user.keyboard('{ArrowRight}{Shift>}{ArrowRight}{/Shift}')
  await screen.findByText('Nov 18 – 20, 2026', { selector: '[aria-live]' })
  expect(server.sentTo(setTicketData)).toHaveLength(0)
  await user.keyboard('{Enter}')
  await screen.findByText('OPS-1 moved to Nov 18 – 20, 2026')
  expect(server.sentTo(setTicketData).map(({ input }) => input)).toEqual([
    { idTicket: 1, data: { begin: '2026-11-18', due: '2026-11-20' }, Version: 4 },
  ])
  // Its row is another one now, and has the focus.
  await waitFor(() => expect(names()[1]).toMatch(/^OPS-1 /))
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^OPS-1 /))
  await user.click(screen.getByRole('button', { name: 'UNDO' }))
  await screen.findByText('OPS-1 is back on Nov 10 – 12, 2026')
  expect(server.sentTo(setTicketData).at(-1)?.input).toEqual({
    idTicket: 1,
    data: { begin: '2026-11-10', due: '2026-11-12' },
    Version: 5,
  })
})

test('S and E carry one end only, an end before the start is refused in words, and a missing start can be given', async () => {
  const { server, user } = world({ tickets: [ticket(1, '2026-11-10', '2026-11-12'), ticket(2, '', '2026-11-25')] })
  server.on(setTicketData, () => ({ Success: 1, Version: 5 }) as never)
  ;(await screen.findByRole('link', { name: /OPS-1/ })).focus()
  await user.keyboard(' e{ArrowRight}')
  await screen.findByText('Nov 10 – 13, 2026', { selector: '[aria-live]' })
  await user.keyboard('{Shift>}{ArrowLeft}{/Shift}')
  await screen.findByText(/OPS-1 would end before it starts\.$/, { selector: '[aria-live]' })
  await user.keyboard(' ')
  await screen.findByText('OPS-1 would end before it starts')
  expect(screen.getAllByText(/OPS-1 is back where it was/).length).toBeGreaterThan(0)
  expect(server.sentTo(setTicketData)).toHaveLength(0)
  screen.getByRole('link', { name: /OPS-2/ }).focus()
  await user.keyboard(' s{ArrowLeft} ')
  const toast = (await screen.findByText('OPS-2 moved to Nov 24 – 25, 2026')).closest<HTMLElement>('[data-toast]') as HTMLElement
  expect(server.sentTo(setTicketData)[0]?.input).toMatchObject({ idTicket: 2, data: { begin: '2026-11-24', due: '2026-11-25' } })
  await user.click(within(toast).getByRole('button', { name: 'UNDO' }))
  await screen.findByText('OPS-2 is back on Nov 25, 2026')
  expect(server.sentTo(setTicketData)[1]?.input).toMatchObject({ data: { begin: '', due: '2026-11-25' } })
})

test('a carried bar stays in sight, is put back by Escape, and by a refusal that says why', async () => {
  const { server, user } = world({ tickets: [ticket(1, '2026-11-08', '2026-11-09')] })
  server.on(
    setTicketData,
    () => new Refusal(409, { code: 'conflict', error: 'Changed', Conflicts: [{ Field: 'data.due', ChangedBy: 'Ben Ruiz' }] }),
  )
  ;(await screen.findByRole('link', { name: /OPS-1/ })).focus()
  await user.keyboard(' {ArrowLeft}{ArrowLeft}')
  await screen.findByText('Nov 7 – 8, 2026 is at the edge of the timeline.')
  await user.keyboard('{Escape}')
  await screen.findByText('OPS-1 is back where it was.')
  await user.keyboard(' {ArrowRight} ')
  await screen.findByText('OPS-1 was changed by Ben Ruiz meanwhile')
  await waitFor(() => expect(names()[0]).toContain('Nov 8 – 9, 2026'))
  expect(server.sentTo(setTicketData)).toHaveLength(1)
})

test('a carried bar goes back when somebody archives one of its fields, because its days are none of another field', async () => {
  const tickets = [{ ...ticket(1, '2026-11-10', '2026-11-12'), Values: { begin: '2026-11-10', due: '2026-11-12', review: '2026-11-11' } }]
  const dates = ['due', 'begin', 'review']
  const { server, user, client } = world({ tickets, dates })
  ;(await screen.findByRole('link', { name: /OPS-1/ })).focus()
  await user.keyboard(' {ArrowRight}')
  const offered = ['due', 'review'].map(Key => ({ Key, Label: `Label of ${Key}`, FieldType: propertyType.DATE, FieldProps: [] }))
  server.on(getTicketFieldList, () => offered as never)
  await client.invalidateQueries({ queryKey: [getTicketFieldList.path] })
  await screen.findByText('OPS-1 is back where it was.')
  await waitFor(() => expect(names()[0]).toContain('Nov 11 – 12, 2026'))
  await user.keyboard('{ArrowRight}')
  expect(names()[0]).toContain('Nov 11 – 12, 2026')
  expect(server.sentTo(setTicketData)).toHaveLength(0)
})

test('who may not edit tickets carries none, and is told why', async () => {
  const { server, user } = world({ tickets: [ticket(1, '2026-11-10', '2026-11-12')], permissions: [permission.viewTickets] })
  ;(await screen.findByRole('link', { name: /OPS-1/ })).focus()
  await user.keyboard(' {ArrowRight} ')
  await screen.findByText('Needs the permission Edit tickets', { selector: '[aria-live]' })
  expect(server.sentTo(setTicketData)).toHaveLength(0)
  expect(document.querySelector('[data-edge]')).toBeNull()
})

test('a project with fewer than two DATE fields says so, and who may add one is led there', async () => {
  world({ dates: ['due'] })
  await screen.findByText('A timeline needs two date fields')
  expect(screen.getByRole('link', { name: 'ADD A FIELD' }).getAttribute('href')).toBe('/edit-project/1')
})

test('a view of an archived field asks for its tickets once, when that field is known, and says that it is archived', async () => {
  const { server } = world({ dates: ['due', 'review'], view: { group: 'begin..due' } })
  const field = (Key: string) => ({ Key, Label: `Label of ${Key}`, FieldType: propertyType.DATE, FieldProps: [] })
  server.on(getTicketFieldList, ({ Archived }) => (Archived ? [field('begin')] : [field('due'), field('review')]) as never)
  await screen.findByText('Nov 8 – Dec 19, 2026: 0 tickets')
  expect(server.sentTo(queryTickets).map(({ input }) => (input as { Columns: string[] }).Columns)).toEqual([['begin', 'due']])
  expect(screen.getByRole('combobox', { name: 'Bars go from' }).textContent).toBe('Label of begin (archived)')
})

test('the export has the fields of the bars, and those of a calendar, as columns', async () => {
  const files: (string | null)[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push(new URL(this.href).searchParams.get('Columns'))
  })
  for (const search of ['layout=timeline', 'layout=timeline&group=due..begin&columns=Labels', 'layout=calendar&columns=begin']) {
    world({ address: `/?${search}` })
    await exportCsv(1)
    cleanup()
  }
  expect(files).toEqual(['Assignees,Labels,Created,Updated,Parent,begin,due', 'Labels,due,begin', 'begin,due'])
})

test('a bar is a link, so that it can be opened in another tab', async () => {
  world({ tickets: [ticket(1, '2026-11-20', '2026-11-28')] })
  await screen.findByText('Nov 8 – Dec 19, 2026: 1 ticket')
  const bar = barOf(1) as HTMLElement
  expect(bar.getAttribute('href')).toBe('/view-ticket/1')
  // What is not prevented is left to the browser.
  expect(fireEvent.click(bar, { ctrlKey: true })).toBe(true)
  expect(fireEvent.click(bar)).toBe(false)
})

test('bars go between the chosen fields, else to the due date, else to the first field; one chosen twice exchanges them', async () => {
  const asked = async (group: string, dates = ['end', 'begin', 'due']) => {
    cleanup()
    const made = world({ dates, view: { group } })
    await screen.findByText('Nov 8 – Dec 19, 2026: 0 tickets')
    const [sent] = made.server.sentTo(queryTickets) as { input: { Columns: string[] } }[]
    return { ...made, columns: sent?.input.Columns }
  }
  expect((await asked('')).columns).toEqual(['end', 'due'])
  expect((await asked('', ['end', 'begin'])).columns).toEqual(['begin', 'end'])
  expect((await asked('due..begin')).columns).toEqual(['due', 'begin'])
  // A deleted field.
  expect((await asked('gone..begin')).columns).toEqual(['end', 'begin'])
  expect((await asked('due..gone')).columns).toEqual(['due', 'end'])
  const { user, onChange } = await asked('begin..due')
  await user.click(screen.getByRole('combobox', { name: 'Bars go from' }))
  await user.click(await screen.findByRole('option', { name: 'Label of end' }))
  expect(onChange).toHaveBeenLastCalledWith({ group: 'end..due' })
  await user.click(screen.getByRole('combobox', { name: 'Bars go from' }))
  await user.click(await screen.findByRole('option', { name: 'Label of due' }))
  expect(onChange).toHaveBeenLastCalledWith({ group: 'due..begin' })
})
