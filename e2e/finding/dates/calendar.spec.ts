import type { Locator, Page } from '@playwright/test'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { makeField, makeMember, makeProject, makeTickets } from '@tessera/server/test/fixtures/factories'
import { sql } from 'kysely'
import { callBeside } from '../../call.ts'
import { box, expect, listenAt, type Product, prepareRoutes, test } from '../../fixtures.ts'
import { chooseLayout, makeDatedProject, middle, saveView } from './dated-project.ts'

/** What the browser takes for now. */
const now = new Date('2026-11-14T12:00:00Z')

/** A project with tickets on days of November 2026, and two people in it. */
async function makeCalendar(product: Product) {
  const { ada, ben, project, make, url } = await makeDatedProject(product)
  const rope = await make('Mend the rope', { due: '2026-11-10' })
  await make('Paint the crane', { due: '2026-11-10' }, { stateId: project.states.done })
  for (const title of ['Anchor', 'Buoy', 'Chain', 'Dinghy', 'Engine']) await make(title, { due: '2026-11-18' })
  await make('إصلاح المضخة قبل الشتاء', { due: '2026-11-20' })
  await make('🎉 Launch of a boat with an exceptionally long title that no column of a calendar has room for', { due: '2026-11-20' })
  await make('Begins only', { begin: '2026-11-12' })
  await make('Some day')
  return { ada, ben, rope, url: `${url}?layout=calendar&date=2026-11` }
}

const day = (page: Page, date: string) => page.locator(`[data-day="${date}"]`)
const titlesOf = (cell: Locator) => cell.locator('[data-ticket] bdi').allTextContents()

test('a ticket is dragged to another day, another page shows it at once, and UNDO takes it back', async ({
  page,
  product,
  signIn,
  browser,
}) => {
  const { ada, ben, rope, url } = await makeCalendar(product)
  await page.clock.setFixedTime(now)
  await signIn(page, ada)
  await listenAt(page, url)
  const other = await browser.newContext({ baseURL: product.url })
  const beside = await other.newPage()
  await prepareRoutes(beside)
  await signIn(beside, ben)
  await listenAt(beside, url)
  const [tenth, thirteenth] = [day(page, '2026-11-10'), day(page, '2026-11-13')]
  await expect.poll(() => titlesOf(tenth)).toEqual(['Mend the rope', 'Paint the crane'])
  await expect.poll(() => titlesOf(day(beside, '2026-11-10'))).toEqual(['Mend the rope', 'Paint the crane'])

  const [from, to] = [await middle(page.getByRole('link', { name: 'Mend the rope' })), await middle(thirteenth)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await expect(page.locator('small').getByText('Friday, November 13')).toBeVisible()
  await page.mouse.up()
  await expect(page.getByText('moved to Nov 13, 2026')).toBeVisible()
  await page.getByRole('button', { name: 'UNDO' }).hover()
  await expect.poll(() => titlesOf(thirteenth)).toEqual(['Mend the rope'])
  await expect.poll(() => titlesOf(day(beside, '2026-11-13'))).toEqual(['Mend the rope'])
  const stored = async () => (await callBeside(page, getTicketData, { idTicket: rope })).Fields.find(({ Key }) => Key === 'due')?.Value
  expect(await stored()).toBe('2026-11-13')
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('is back on Nov 10, 2026')).toBeVisible()
  await expect.poll(() => titlesOf(tenth)).toEqual(['Mend the rope', 'Paint the crane'])
  expect(await stored()).toBe('2026-11-10')

  // Somebody else has changed the day since the ticket was lifted.
  await page.getByRole('link', { name: 'Mend the rope' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await callBeside(page, setTicketData, { idTicket: rope, data: { due: '2026-11-11' } })
  await expect.poll(() => titlesOf(day(page, '2026-11-11'))).toEqual(['Mend the rope'])
  await other.close()
})

test('a calendar stays in its place when the number of its tickets arrives, in every window', async ({ page, product, signIn }) => {
  const { person, db } = product
  const ada = await person()
  const project = await makeProject(db, ada.idOrganization, {})
  await makeMember(db, ada.idOrganization, project.projectId, ada.idUser)
  // The only DATE field is named beside the number.
  const due = await makeField(db, ada.idOrganization, project, 'due', 'DATE', { label: 'Due' })
  await makeTickets(db, ada.idOrganization, project, 20, 'Rope')
  await sql`insert into ticket_value (organization_id, ticket_id, field_id, value)
    select organization_id, id, ${due}, '2026-11-10' from ticket where organization_id = ${ada.idOrganization}`.execute(db)
  await prepareRoutes(page)
  await page.clock.setFixedTime(now)
  await signIn(page, ada)
  const answer = Promise.withResolvers<void>()
  await page.route('**/query-tickets.json.php', async route => {
    await answer.promise
    await route.continue()
  })
  await page.goto(`/view-project/${project.projectId}?layout=calendar`)
  const tops = async () => {
    const found: number[] = []
    for (let width = 610; width < 960; width += 5) {
      await page.setViewportSize({ width, height: 900 })
      found.push((await box(day(page, '2026-11-10'))).y)
    }
    return found
  }
  const before = await tops()
  answer.resolve()
  await expect(page.getByText('20 tickets by Due', { exact: true })).toBeVisible()
  expect(await tops()).toEqual(before)
  // At some of these widths the line has no room.
  expect(new Set(before).size).toBeGreaterThan(1)
})

test('who may not edit tickets drags none', async ({ page, product, signIn }) => {
  const { ben, url } = await makeCalendar(product)
  await signIn(page, ben)
  await page.goto(url)
  const [from, to] = [await middle(page.getByRole('link', { name: 'Mend the rope' })), await middle(day(page, '2026-11-13'))]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await expect(page.locator('body[data-dragging]')).toHaveCount(0)
  await page.mouse.up()
  await expect.poll(() => titlesOf(day(page, '2026-11-10'))).toEqual(['Mend the rope', 'Paint the crane'])
})

test('a day with more tickets than it has room for shows them all, and leads to the list', { tag: '@long' }, async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  const { ada, url } = await makeCalendar(product)
  await page.clock.setFixedTime(now)
  await signIn(page, ada)
  await page.goto(url)
  await expect.poll(() => titlesOf(day(page, '2026-11-18'))).toEqual(['Anchor', 'Buoy', 'Chain'])
  await shoot(page, 'calendar', { all: true })
  await day(page, '2026-11-18').getByRole('button', { name: '+2 more' }).click()
  const dialog = page.getByRole('dialog', { name: 'Wednesday, November 18' })
  await expect.poll(() => titlesOf(dialog)).toEqual(['Anchor', 'Buoy', 'Chain', 'Dinghy', 'Engine'])
  await shoot(page, 'calendar-day')
  await dialog.getByRole('link', { name: 'OPEN AS LIST' }).click()
  await expect(page.locator('tr[data-key]')).toHaveCount(5)
  await page.goBack()
  await page.getByRole('link', { name: 'Without a date' }).click()
  await expect(page.locator('tr[data-key]')).toHaveCount(2)
})

test('month, week and field are in the address, and Back leads to the ticket that was opened', async ({ page, product, signIn }) => {
  const { ada, url } = await makeCalendar(product)
  await page.clock.setFixedTime(now)
  await signIn(page, ada)
  await page.goto(url)
  await page.getByRole('combobox', { name: 'Dates of' }).click()
  await page.getByRole('option', { name: 'Begin' }).click()
  await expect.poll(() => titlesOf(day(page, '2026-11-12'))).toEqual(['Begins only'])
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: /^Select/ })).toHaveText('SelectTickets are selected in the list or on the board')
  await expect(page.getByRole('menuitem', { name: /^Select/ })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Week' }).click()
  await page.getByRole('button', { name: 'Next week' }).click()
  await expect.poll(() => titlesOf(day(page, '2026-11-12'))).toEqual([])
  await page.getByRole('button', { name: 'Previous week' }).click()
  await expect(page.getByRole('heading', { name: 'Nov 8 – 14, 2026' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Begins only' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'Begins only' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/view-ticket/)
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Begins only' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Nov 8 – 14, 2026' })).toBeVisible()
})

test('a saved view has the layout and the field', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { ada, url } = await makeCalendar(product)
  await page.clock.setFixedTime(now)
  await signIn(page, ada)
  await page.goto(`${url}&group=begin`)
  await expect.poll(() => titlesOf(day(page, '2026-11-12'))).toEqual(['Begins only'])
  await saveView(page, 'Beginnings')
  await chooseLayout(page, 'Tree')
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Expand all' })).toBeVisible()
  // The last of nine entries.
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Saved views' })).toBeInViewport({ ratio: 1 })
  await page.getByRole('menuitemcheckbox', { name: 'Board' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Beginnings (changed)')).toBeVisible()
  // A board cannot be grouped by a date.
  await expect(page.getByRole('heading', { name: 'Open 10' })).toBeVisible()
  await page.getByRole('button', { name: 'RESET' }).click()
  await expect.poll(() => titlesOf(day(page, '2026-11-12'))).toEqual(['Begins only'])
})

test('a calendar program reads the feed of a calendar without signing in, until it is deleted', async ({
  page,
  product,
  signIn,
  axe,
  shoot,
}) => {
  const { ada, rope, url } = await makeCalendar(product)
  await sql`
    update ticket_value set value = current_date::text where organization_id = ${ada.idOrganization} and ticket_id = ${rope}`.execute(
    product.db,
  )
  await signIn(page, ada)
  await page.goto(`${url}&q=title:rope`)
  await page.getByRole('button', { name: 'Calendar feed' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Ropes')
  await page.getByRole('button', { name: 'CREATE ADDRESS' }).click()
  const address = page.getByLabel('Address of Ropes')
  await expect(address).toBeFocused()
  await axe(page)
  await shoot(page, 'calendar-feed')
  const secret = product.url + new URL(await address.inputValue()).pathname
  const answer = await fetch(secret)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect((await answer.text()).match(/^SUMMARY:.*$/gm)?.map(line => line.trim())).toEqual([expect.stringMatching(/-\d+ Mend the rope$/)])
  await page.getByRole('button', { name: 'Delete Ropes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('You have none yet.')).toBeVisible()
  await expect(address).toHaveCount(0)
  expect((await fetch(secret)).status).toBe(404)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Calendar feed' })).toBeFocused()
})

test.describe('by touch', () => {
  test.use({ hasTouch: true })

  test('a finger that rests on a ticket drags it, and on a phone the days with tickets are a list', async ({
    page,
    product,
    signIn,
    axe,
  }) => {
    const { ada, rope, url } = await makeCalendar(product)
    await page.clock.setFixedTime(now)
    await signIn(page, ada)
    await page.setViewportSize({ width: 1024, height: 900 })
    await page.goto(url)
    const [from, to] = [await middle(page.getByRole('link', { name: 'Mend the rope' })), await middle(day(page, '2026-11-13'))]
    const browser = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      browser.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
    await touch('touchStart', from)
    await expect(page.locator('body[data-dragging]')).toHaveCount(1)
    await touch('touchMove', to)
    await expect(page.locator('small').getByText('Friday, November 13')).toBeVisible()
    await touch('touchEnd')
    await expect(page.getByText('moved to Nov 13, 2026')).toBeVisible()

    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole('heading', { level: 3 })).toHaveText([
      'Tuesday, November 10',
      'Friday, November 13',
      'Wednesday, November 18',
      'Friday, November 20',
    ])
    await expect.poll(() => titlesOf(day(page, '2026-11-18'))).toEqual(['Anchor', 'Buoy', 'Chain', 'Dinghy', 'Engine'])
    await axe(page)
    for (const link of await page.locator('[data-ticket]').all()) expect((await box(link)).height).toBeGreaterThanOrEqual(44)
    await page.getByRole('link', { name: 'Mend the rope' }).tap()
    await expect(page).toHaveURL(new RegExp(`/view-ticket/${rope}$`))
  })
})
