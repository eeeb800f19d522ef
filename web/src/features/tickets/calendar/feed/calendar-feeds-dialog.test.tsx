import { createCalendarFeed, deleteCalendarFeeds, getCalendarFeedList, renewCalendarFeed } from '@tessera/contract/projects/calendar-feeds'
import { getTicketStateList } from '@tessera/contract/projects/project-config'
import { getProjectData } from '@tessera/contract/projects/projects'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { showPages } from '../../../../../test/show.tsx'
import { Toaster } from '../../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../../lib/session/session.tsx'
import { plainView } from '../../list/view/ticket-view.ts'
import { CalendarFeedsDialog } from './calendar-feeds-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const addressOf = (id: number) => `https://tickets.example/calendar-feed/1-${'s'.repeat(42)}${id}.ics`
const old = { idFeed: 4, Name: 'Launch', Query: 'label:launch', Field: 'launch', DateCreated: 1_790_000_000, LastFetched: 1_790_000_000 }

function world(feeds: (typeof old)[] = []) {
  enterSession(signedIn({}))
  const server = fakeServer()
  let stored = feeds as { idFeed: number; Name: string; Query: string; Field: string; DateCreated: number }[]
  server.on(getProjectData, () => ({ Title: 'Ops', Archived: 0, Permissions: [1] }) as never)
  server.on(getTicketStateList, () => [{ id: 7, Description: 'In review' }] as never)
  server.on(getCalendarFeedList, () => stored)
  server.on(createCalendarFeed, ({ Name, Query = '', Field }) => {
    stored = [{ idFeed: 5, Name, Query, Field, DateCreated: 1_790_000_000 }, ...stored]
    return { Success: 1, idFeed: 5, Address: addressOf(5) }
  })
  server.on(renewCalendarFeed, ({ idFeed }) => ({ Success: 1, idFeed, Address: addressOf(9) }))
  server.on(deleteCalendarFeeds, ({ ids }) => {
    stored = stored.filter(({ idFeed }) => !ids.includes(idFeed))
    return { Success: 1 }
  })
  const field = { id: 1, key: 'due', label: 'Due date', name: 'due', isDue: true, isArchived: false }
  const view = { ...plainView, layout: 'calendar' as const, query: 'pump', states: [7] }
  const Page = () => (
    <>
      <CalendarFeedsDialog idProject={1} view={view} field={field} fields={[field]} onClose={() => undefined} />
      <Toaster />
    </>
  )
  return { server, ...showPages([{ path: '/', Component: Page }]) }
}
const addressField = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name: `Address of ${name}` })

test('a feed has the filters of the calendar as its query; its address is shown, focused and copied, and gone with the feed', async () => {
  const { server, user } = world()
  await screen.findByText('You have none yet.')
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
  expect(name.value).toBe('Ops: Due date')
  await user.clear(name)
  await user.click(screen.getByRole('button', { name: 'CREATE ADDRESS' }))
  await screen.findByText('Enter a name for the feed')
  await user.type(name, 'Pumps')
  await user.click(screen.getByRole('button', { name: 'CREATE ADDRESS' }))
  const address = await addressField('Pumps')
  expect([address.value, address.readOnly, document.activeElement]).toEqual([addressOf(5), true, address])
  expect(server.sentTo(createCalendarFeed)).toMatchObject([
    { input: { idProject: 1, Name: 'Pumps', Query: 'pump state:"In review"', Field: 'due', Zone: expect.any(String) } },
  ])
  await user.click(screen.getByRole('button', { name: 'COPY' }))
  await screen.findByRole('button', { name: 'COPIED' })
  expect(await navigator.clipboard.readText()).toBe(addressOf(5))

  const list = within(screen.getByRole('list', { name: 'Your feeds in this project' }))
  expect((await list.findByRole('listitem')).textContent).toMatch(/^Pumpspump state:"In review" · by Due date · made .+ · not read yet/)
  await user.click(list.getByRole('button', { name: 'Delete Pumps' }))
  await user.click(within(screen.getByRole('alertdialog', { name: 'Delete the feed Pumps?' })).getByRole('button', { name: 'DELETE' }))
  await screen.findByText('You have none yet.')
  expect(screen.queryByRole('textbox', { name: 'Address of Pumps' })).toBeNull()
})

test('a new address replaces the one of a feed after a question, and a field that is gone is named', async () => {
  const { server, user } = world([old])
  await screen.findByText(/label:launch · the field launch is not there anymore · made .+ · read /)
  await user.click(screen.getByRole('button', { name: 'New address for Launch' }))
  const question = within(screen.getByRole('alertdialog', { name: 'Replace the address of Launch?' }))
  await user.click(question.getByRole('button', { name: 'NEW ADDRESS' }))
  expect((await addressField('Launch')).value).toBe(addressOf(9))
  expect(document.activeElement).toBe(await addressField('Launch'))
  expect(server.sentTo(renewCalendarFeed)).toMatchObject([{ input: { idProject: 1, idFeed: 4 } }])
})

test('the names of feeds that nobody names differ', async () => {
  const { user } = world([{ ...old, Name: 'Ops: Due date' }])
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
  await waitFor(() => expect(name.value).toBe('Ops: Due date 2'))
  await user.click(screen.getByRole('button', { name: 'CREATE ADDRESS' }))
  await screen.findByRole('button', { name: 'Delete Ops: Due date 2' })
  await waitFor(() => expect(name.value).toBe('Ops: Due date 3'))
  await user.type(name, '!')
  expect(name.value).toBe('Ops: Due date 3!')
})

test('an archived project gets no new feed', async () => {
  const { server } = world([old])
  server.on(getProjectData, () => ({ Title: 'Ops', Archived: 1, Permissions: [1] }) as never)
  await screen.findByText('This project is archived: nobody can read its feeds, and it gets no new ones.')
  await screen.findByRole('button', { name: 'Delete Launch' })
  expect(screen.queryByRole('button', { name: 'CREATE ADDRESS' })).toBeNull()
})

test('a refusal is shown with the form, and a list that cannot be read offers to try again', async () => {
  const { server, user } = world()
  server.on(createCalendarFeed, () => new Refusal(422, { error: 'You can have at most 20 calendar feeds', code: 'rule', requestId: '' }))
  await user.click(await screen.findByRole('button', { name: 'CREATE ADDRESS' }))
  await screen.findByText('You can have at most 20 calendar feeds')
  cleanup()
  const { server: broken } = world()
  broken.on(getCalendarFeedList, () => new Refusal(500, { error: 'Something went wrong on our side', code: 'defect', requestId: '' }))
  await waitFor(() => expect(screen.getByText('Something went wrong on our side')).toBeTruthy())
})
