import { allPermissions, permission } from '@tessera/contract/permissions'
import { getTicketFieldList, propertyType } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { getTicketData, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { showPages } from '../../../../test/show.tsx'
import { plainRow } from '../../../../test/ticket.ts'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { plainView, type TicketView } from '../list/view/ticket-view.ts'
import { Calendar } from './calendar.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 20, 12) })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ticket = (id: number, due: string, more: object = {}) => ({
  ...plainRow,
  ...{ id, pcode: 'OPS', Title: `Ticket ${id}` },
  Values: { due },
  ...more,
})

interface World {
  tickets?: ReturnType<typeof ticket>[]
  permissions?: readonly number[]
  fields?: readonly { Key: string; FieldType: number }[]
  view?: Partial<TicketView>
  address?: string
  more?: object
}

/** The calendar of November 2026, in a browser whose weeks begin on Sunday. */
function world({ tickets = [], permissions = allPermissions, fields, view, address = '/?date=2026-11', more }: World = {}) {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: [...permissions] }] }))
  const server = fakeServer()
  const offered = fields ?? [{ Key: 'due', FieldType: propertyType.DATE }]
  server.on(getTicketFieldList, () => offered.map(field => ({ ...field, Label: `Label of ${field.Key}`, FieldProps: [] })) as never)
  server.on(getProjectData, () => ({ DueField: 'due', Archived: 0, Permissions: permissions }) as never)
  server.on(queryTickets, () => ({ Tickets: tickets, NextCursor: null, Total: tickets.length, ...more }) as never)
  server.on(getTicketData, () => ({ Version: 4, Fields: [{ Key: 'due', Value: '' }], Permissions: permissions, Type: 'Bug' }) as never)
  const onError = vi.fn()
  const Page = () => (
    <>
      <Calendar
        idProject={1}
        view={{ ...plainView, layout: 'calendar', ...view }}
        onChange={() => {}}
        label="Tickets of Ops"
        onError={onError}
      />
      <Toaster />
    </>
  )
  return { server, onError, ...showPages([{ path: '/', Component: Page }], address) }
}
const cellOf = (element: Element) => element.closest('td')?.dataset.day

test('each ticket is on its day, late ones are marked, the done ones come last, and a day with many leads to all of them', async () => {
  const many = [1, 2, 3, 4, 5, 6].map(id => ticket(id, '2026-11-10'))
  const done = ticket(7, '2026-11-30', { Phase: 3, State: 'Done' })
  const { server, user } = world({ tickets: [done, ...many, ticket(8, '2026-11-30'), ticket(9, '2026-12-05')] })
  await screen.findByText('November 2026: 9 tickets')
  expect(screen.getByText('9 tickets').parentElement?.textContent).toBe('9 tickets by Label of due')
  expect(server.sentTo(queryTickets)[0]?.input).toMatchObject({
    Query: 'due:2026-11-01..2026-12-05',
    Columns: ['due'],
    Sort: [{ Column: 'due', Direction: 'asc' }],
  })
  expect(screen.getAllByRole('columnheader').map(head => head.textContent)[0]).toContain('Sunday')
  const last = within(screen.getByRole('list', { name: 'Monday, November 30' })).getAllByRole('link')
  expect(last.map(({ textContent }) => textContent?.trim())).toEqual(['OPS-8 Ticket 8, Open', 'OPS-7 Ticket 7, Done'])
  expect(cellOf(screen.getByRole('link', { name: /OPS-9/ }))).toBe('2026-12-05')
  expect(screen.getAllByRole('img', { name: 'Late' }).map(cellOf)).toEqual(Array(3).fill('2026-11-10'))
  expect(document.querySelector('[aria-current=date]')?.getAttribute('data-day')).toBe('2026-11-20')
  expect(screen.queryByRole('link', { name: /OPS-4/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: /^\+3 more/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Tuesday, November 10' }))
  expect(dialog.getAllByRole('link')).toHaveLength(7)
  const list = new URL(dialog.getByRole('link', { name: 'OPEN AS LIST' }).getAttribute('href') ?? '', 'http://here').searchParams
  expect([list.get('layout'), list.get('q'), list.get('columns')]).toEqual(['list', 'due:2026-11-10', 'due'])
})

test('the view’s query is kept, also one with alternatives, and its order does not matter', async () => {
  const { server, user } = world({ view: { query: 'crash or label:x sort:-updated', mine: true } })
  await screen.findByText('November 2026: 0 tickets')
  expect(server.sentTo(queryTickets)[0]?.input).toMatchObject({ Query: '(crash or label:x) due:2026-11-01..2026-12-05', Mine: 1 })
  const none = new URL(screen.getByRole('link', { name: 'Without a date' }).getAttribute('href') ?? '', 'http://here').searchParams
  expect([none.get('q'), none.get('mine')]).toEqual(['(crash or label:x) due:none sort:-updated', '1'])
  await user.click(screen.getByRole('button', { name: 'Next month' }))
  await screen.findByText('December 2026: 0 tickets')
  await user.click(screen.getByRole('button', { name: 'Week' }))
  await screen.findByText('Nov 29 – Dec 5, 2026: 0 tickets')
  expect(window.location.search).toBe('?date=2026-12-01')
  expect(server.sentTo(queryTickets).at(-1)?.input).toMatchObject({ Query: '(crash or label:x) due:2026-11-29..2026-12-05' })
  // A month leads to its first week, whichever week led to the month.
  await user.click(screen.getByRole('button', { name: 'Next week' }))
  await screen.findByText('Dec 6 – 12, 2026: 0 tickets')
  for (const name of ['Month', 'Week']) await user.click(screen.getByRole('button', { name }))
  await screen.findByText('Nov 29 – Dec 5, 2026: 0 tickets')
})

test('an error in the view’s query is reported at its own position', async () => {
  const { server, onError } = world({ view: { query: 'a or stat:x' } })
  server.on(queryTickets, ({ Query = '' }) => new Refusal(400, { code: 'query', error: 'Unknown', Position: Query.indexOf('stat') }))
  await screen.findByText('The query cannot be answered')
  expect(onError.mock.lastCall?.[0].body).toMatchObject({ Position: 5 })
})

test('of more tickets than are read, the days that may miss some lead to the list', async () => {
  world({
    tickets: [ticket(1, '2026-11-03'), ticket(2, '2026-11-20')],
    more: { NextCursor: 'more', Total: 900 },
  })
  await screen.findByText('Only the first 2 of 900 tickets are shown. Days that may have more lead to the list.')
  const links = screen.getAllByRole('link', { name: /^More in the list/ })
  expect(links).toHaveLength(16)
  expect(links[0]?.textContent).toBe('More in the list, of Friday, November 20')
})

test('keys carry a ticket to another day, it is saved with its version, and UNDO takes it back', async () => {
  const { server, user } = world({ tickets: [ticket(1, '2026-11-10')] })
  server.on(setTicketData, () => ({ Success: 1, Version: 5 }) as never)
  const link = await screen.findByRole('link', { name: /OPS-1/ })
  link.focus()
  await user.keyboard(' ')
  await screen.findByText('Lifted OPS-1, Tuesday, November 10. Arrow keys move it, space drops it, escape puts it back.')
  await user.keyboard('{ArrowRight}{ArrowDown}')
  await screen.findByText('Wednesday, November 18', { selector: '[aria-live]' })
  // Nothing moves before the drop.
  expect(cellOf(screen.getByRole('link', { name: /OPS-1/ }))).toBe('2026-11-10')
  await user.keyboard(' ')
  await screen.findByText('OPS-1 moved to Nov 18, 2026')
  expect(server.sentTo(setTicketData).map(({ input }) => input)).toEqual([{ idTicket: 1, data: { due: '2026-11-18' }, Version: 4 }])
  await waitFor(() => expect(document.activeElement?.closest('a')?.textContent).toContain('OPS-1'))
  await user.click(screen.getByRole('button', { name: 'UNDO' }))
  await screen.findByText('OPS-1 is back on Nov 10, 2026')
  expect(server.sentTo(setTicketData).at(-1)?.input).toEqual({ idTicket: 1, data: { due: '2026-11-10' }, Version: 5 })
})

test('arrow keys go on to the months before and after, also over one without tickets', async () => {
  const days = ['2026-11-10', '2026-12-02', '2026-12-15', '2027-02-09', '2027-02-09', '2027-02-11']
  const tickets = days.map((day, index) => ticket(index + 1, day))
  const { server, user } = world()
  server.on(queryTickets, ({ Query = '' }) => {
    const [from = '', to = ''] = /due:(.*)\.\.(.*)/.exec(Query)?.slice(1) ?? []
    const found = tickets.filter(({ Values: { due } }) => due >= from && due <= to)
    return { Tickets: found, NextCursor: null, Total: found.length } as never
  })
  const focused = () => document.activeElement?.textContent?.trim().slice(0, 5)
  const press = async (key: string, text: string) => {
    await user.keyboard(`{${key}}`)
    await waitFor(() => expect(focused()).toBe(text))
  }
  ;(await screen.findByRole('link', { name: /OPS-1/ })).focus()
  // November ends with Saturday, December 5.
  await press('ArrowRight', 'OPS-2')
  await press('ArrowRight', 'OPS-3')
  expect(screen.getByRole('heading', { name: 'December 2026' })).toBeTruthy()
  await user.keyboard('{ArrowDown}')
  await screen.findByText('January 2027: 0 tickets')
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Tickets of Ops' }))
  await press('ArrowDown', 'OPS-4')
  await press('End', 'OPS-6')
  await user.keyboard('{ArrowRight}')
  await screen.findByText('March 2027: 0 tickets')
  await press('ArrowLeft', 'OPS-6')
  await user.click(screen.getByRole('button', { name: 'Next month' }))
  await screen.findByText('March 2027: 0 tickets')
  // Where no key led, the calendar leaves the keys to the browser.
  screen.getByRole('group', { name: 'Tickets of Ops' }).focus()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('heading', { name: 'March 2027' })).toBeTruthy()
})

test('keys carry a ticket on to the next month', async () => {
  const tickets = [ticket(1, '2026-11-27')]
  const { server, user } = world({ tickets })
  server.on(setTicketData, ({ data }) => {
    tickets[0] = ticket(1, String(data?.due))
    return { Success: 1, Version: 5 } as never
  })
  server.on(queryTickets, ({ Query = '' }) => {
    const [from = '', to = ''] = /due:(.*)\.\.(.*)/.exec(Query)?.slice(1) ?? []
    const found = tickets.filter(({ Values: { due } }) => due >= from && due <= to)
    return { Tickets: found, NextCursor: null, Total: found.length } as never
  })
  ;(await screen.findByRole('link', { name: /OPS-1/ })).focus()
  // November ends with Saturday, December 5, and December begins with Sunday, November 29.
  await user.keyboard(' {ArrowDown}{ArrowDown}')
  await screen.findByText('December 2026: 0 tickets')
  await screen.findByText('Friday, December 11', { selector: '[aria-live]' })
  await user.keyboard('{ArrowRight} ')
  await screen.findByText('OPS-1 moved to Dec 12, 2026')
  await waitFor(() => expect(document.activeElement?.closest('a')?.textContent).toContain('OPS-1'))
  expect(cellOf(document.activeElement as Element)).toBe('2026-12-12')
})

test('at the end of the calendar, and with a ticket at its edge, keys say so', async () => {
  const { user } = world({ tickets: [ticket(1, '9998-12-10')], address: '/?date=9998-12' })
  ;(await screen.findByRole('link', { name: /OPS-1/ })).focus()
  await user.keyboard('{ArrowRight}')
  // Everybody sees it: it is a message.
  expect((await screen.findByText('The calendar ends here.')).closest('[data-toast]')).toBeTruthy()
  screen.getByRole('link', { name: /OPS-1/ }).focus()
  // The calendar ends with Saturday, January 2.
  await user.keyboard(' {ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}')
  await screen.findByText('Thursday, December 31 is at the edge of the calendar.')
})

test('on a day without room the focus goes to the button for the others', async () => {
  const tickets = [1, 2, 3, 4].map(id => ticket(id, '2026-11-11')).concat(ticket(5, '2026-11-10'))
  const { server, user } = world({ tickets })
  server.on(setTicketData, () => {
    tickets[4] = ticket(5, '2026-11-11')
    return { Success: 1, Version: 5 } as never
  })
  const link = await screen.findByRole('link', { name: /OPS-5/ })
  link.focus()
  await user.keyboard(' {ArrowRight} ')
  await screen.findByText('OPS-5 moved to Nov 11, 2026')
  expect(document.activeElement?.textContent).toMatch(/^\+2 more/)
})

test('a ticket that somebody else moves to another day keeps the focus', async () => {
  const tickets = [ticket(1, '2026-11-11'), ticket(2, '2026-11-12')]
  const { client } = world({ tickets })
  ;(await screen.findByRole('link', { name: /OPS-2/ })).focus()
  tickets[1] = ticket(2, '2026-11-18')
  await client.invalidateQueries()
  await waitFor(() => expect(cellOf(screen.getByRole('link', { name: /OPS-2/ }))).toBe('2026-11-18'))
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /OPS-2/ }))
})

test('a carried ticket is put back by Escape, and by a refusal that says why', async () => {
  const { server, user } = world({ tickets: [ticket(1, '2026-11-10')] })
  server.on(
    setTicketData,
    () => new Refusal(409, { code: 'conflict', error: 'Changed', Conflicts: [{ Field: 'data.due', ChangedBy: 'Ben Ruiz' }] }),
  )
  const link = () => screen.findByRole('link', { name: /OPS-1/ })
  ;(await link()).focus()
  await user.keyboard(' {ArrowRight}{Escape}')
  await screen.findByText('OPS-1 is back where it was.')
  expect(server.sentTo(setTicketData)).toHaveLength(0)
  await user.keyboard(' {ArrowRight} ')
  await screen.findByText('OPS-1 was changed by Ben Ruiz meanwhile')
  await waitFor(async () => expect(cellOf(await link())).toBe('2026-11-10'))
})

test('who may not edit tickets carries none, and is told why', async () => {
  const { server, user } = world({ tickets: [ticket(1, '2026-11-10')], permissions: [permission.viewTickets] })
  const link = await screen.findByRole('link', { name: /OPS-1/ })
  link.focus()
  await user.keyboard(' {ArrowRight} ')
  await screen.findByText('Needs the permission Edit tickets', { selector: '[aria-live]' })
  expect(server.sentTo(setTicketData)).toHaveLength(0)
})

test('a project without a DATE field says so, and who may add one is led there', async () => {
  world({ fields: [{ Key: 'note', FieldType: propertyType.TEXT }] })
  await screen.findByText('There is no date field to show')
  expect(screen.getByRole('link', { name: 'ADD A FIELD' }).getAttribute('href')).toBe('/edit-project/1')
  cleanup()
  world({ fields: [{ Key: 'created', FieldType: propertyType.DATE }], permissions: [permission.viewTickets] })
  await screen.findByText(/‘created’, means something else in queries/)
  expect(screen.queryByRole('link', { name: 'ADD A FIELD' })).toBeNull()
})

test('the field is the chosen one, else the due date, else the first', async () => {
  const fields = ['begin', 'due', 'end'].map(Key => ({ Key, FieldType: propertyType.DATE }))
  const asked = async (group: string, of = fields) => {
    cleanup()
    const { server } = world({ fields: of, view: { group } })
    await screen.findByText('November 2026: 0 tickets')
    return server.sentTo(queryTickets)[0]?.input as { Columns: string[] }
  }
  expect((await asked('end')).Columns).toEqual(['end'])
  expect(screen.getByRole('combobox', { name: 'Dates of' })).toBeTruthy()
  expect(screen.getByText('0 tickets')).toBeTruthy()
  expect((await asked('')).Columns).toEqual(['due'])
  expect((await asked('State')).Columns).toEqual(['due'])
  expect((await asked('', fields.slice(2))).Columns).toEqual(['end'])
})
