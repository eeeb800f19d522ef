import type { Page } from '@playwright/test'
import { setTicketLink } from '@tessera/contract/tickets/links'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { callBeside } from '../../call.ts'
import { box, expect, listenAt, type Product, prepareRoutes, test } from '../../fixtures.ts'
import { chooseLayout, makeDatedProject, middle, saveView } from './dated-project.ts'

/** What the browser takes for now. Its weeks begin on Sunday: the timeline is from November 1 to December 12. */
const now = new Date('2026-11-14T12:00:00Z')

/** A project with tickets that begin and end in November 2026, and two people in it. */
async function makeTimeline(product: Product) {
  const { ada, ben, project, make, url } = await makeDatedProject(product)
  const rope = await make('Mend the rope', { begin: '2026-11-03', due: '2026-11-10' })
  const crane = await make('Paint the crane', { begin: '2026-11-12', due: '2026-11-20' })
  await make('إصلاح المضخة قبل الشتاء', { begin: '2026-10-01', due: '2026-12-30' })
  await make('🎉 Launch of a boat with an exceptionally long title that no column of a timeline has room for', { begin: '2026-11-18' })
  await make('Count the buoys', { begin: '2026-11-05', due: '2026-11-06' }, { stateId: project.states.done })
  await make('Some day')
  return { ada, ben, rope, crane, url: `${url}?layout=timeline` }
}

const bar = (page: Page, id: number) => page.locator(`[data-bar="${id}"]`)
const row = (page: Page, title: string) => page.getByRole('link', { name: title })
async function daysOf(page: Page, idTicket: number) {
  const { Fields } = await callBeside(page, getTicketData, { idTicket })
  const value = (key: string) => Fields.find(({ Key }) => Key === key)?.Value
  return [value('begin'), value('due')]
}
/** The width of one of the 42 days. */
async function dayWidth(page: Page) {
  return (await box(page.locator('[aria-hidden]:has(> svg):has(> span)').first())).width / 42
}
async function drag(page: Page, from: { x: number; y: number }, by: number) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + Math.sign(by) * 8, from.y)
  await page.mouse.move(from.x + by, from.y, { steps: 4 })
}

test('bars and their ends are dragged and carried by keys, conflicts are marked at once, and UNDO takes it back', async ({
  page,
  product,
  signIn,
  browser,
}) => {
  const { ada, ben, rope, crane, url } = await makeTimeline(product)
  await page.clock.setFixedTime(now)
  await signIn(page, ada)
  await listenAt(page, url)
  const other = await browser.newContext({ baseURL: product.url })
  const beside = await other.newPage()
  await prepareRoutes(beside)
  await beside.clock.setFixedTime(now)
  await signIn(beside, ben)
  await listenAt(beside, url)
  await expect(row(page, 'Mend the rope')).toHaveAccessibleName(/Nov 3 – 10, 2026\.$/)
  const link = page.locator(`[data-link="${rope} ${crane}"]`)
  await expect(link).toHaveCount(0)
  await callBeside(page, setTicketLink, { idTicket: rope, idOther: crane, Kind: 'blocks' })
  await expect(link).toHaveCount(1)
  await expect(link).not.toHaveAttribute('data-conflict')

  // The end of the first bar: from the 10th to the 13th, after the start of the other one.
  const day = await dayWidth(page)
  const { x, y, width, height } = await box(bar(page, rope))
  await drag(page, { x: x + width - 2, y: y + height / 2 }, 3 * day)
  await expect(page.locator('small').getByText('Nov 3 – 13, 2026')).toBeVisible()
  // Nothing is saved before the drop.
  expect(await daysOf(page, rope)).toEqual(['2026-11-03', '2026-11-10'])
  await page.mouse.up()
  await expect(page.getByText('moved to Nov 3 – 13, 2026')).toBeVisible()
  await page.getByRole('button', { name: 'UNDO' }).hover()
  expect(await daysOf(page, rope)).toEqual(['2026-11-03', '2026-11-13'])
  const conflict = new RegExp(`-${rope} ends after .*-${crane} starts`)
  await expect(link).toHaveAttribute('data-conflict')
  await expect(row(page, 'Paint the crane')).toHaveAccessibleName(conflict)
  await expect(row(beside, 'Paint the crane')).toHaveAccessibleName(conflict)
  expect(await daysOf(page, crane)).toEqual(['2026-11-12', '2026-11-20'])
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('is back on Nov 3 – 10, 2026')).toBeVisible()
  await expect(row(beside, 'Paint the crane')).not.toHaveAccessibleName(conflict)

  // The whole bar, by keys.
  await row(page, 'Paint the crane').focus()
  for (const key of ['Space', 'Shift+ArrowRight', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByText('moved to Nov 18 – 26, 2026')).toBeVisible()
  await expect(row(page, 'Paint the crane')).toBeFocused()
  await expect.poll(() => daysOf(page, crane)).toEqual(['2026-11-18', '2026-11-26'])

  // The whole bar, by mouse; a click opens the ticket.
  await drag(page, await middle(bar(page, crane)), -2 * day)
  await page.mouse.up()
  await expect(page.getByText('moved to Nov 16 – 24, 2026')).toBeVisible()
  await expect.poll(() => daysOf(page, crane)).toEqual(['2026-11-16', '2026-11-24'])
  await bar(page, crane).click()
  await expect(page).toHaveURL(new RegExp(`/view-ticket/${crane}$`))
  await page.goBack()
  await expect(row(page, 'Paint the crane')).toBeFocused()
  await other.close()
})

test('an end is not dragged before the start, and who may not edit tickets drags none', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { ada, ben, rope, url } = await makeTimeline(product)
  await page.clock.setFixedTime(now)
  await signIn(page, ada)
  await page.goto(url)
  const { x, y, width, height } = await box(bar(page, rope))
  const day = await dayWidth(page)
  const end = { x: x + width - 2, y: y + height / 2 }
  await drag(page, end, -8 * day)
  await expect(page.locator('small')).toHaveText(/would end before it starts$/)
  await page.mouse.up()
  await expect(page.getByText('is back where it was').first()).toBeVisible()
  expect(await daysOf(page, rope)).toEqual(['2026-11-03', '2026-11-10'])

  // At the edge of the window, what is said about the drag stays in sight.
  await drag(page, await middle(bar(page, rope)), day)
  await page.mouse.move(1438, 898, { steps: 4 })
  await expect(page.locator('small')).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  // Keys lead to another page during a drag: nothing is dropped there.
  const before = await daysOf(page, rope)
  await drag(page, await middle(bar(page, rope)), day)
  for (const key of ['g', 'h']) await page.keyboard.press(key)
  await expect(page).toHaveURL('/home')
  await page.mouse.up()
  await page.goto(url)
  expect(await daysOf(page, rope)).toEqual(before)

  await page.context().clearCookies()
  await signIn(page, ben)
  await page.goto(url)
  await drag(page, await middle(bar(page, rope)), 3 * day)
  await expect(page.locator('body[data-dragging]')).toHaveCount(0)
  await page.mouse.up()
  expect(await daysOf(page, rope)).toEqual(['2026-11-03', '2026-11-10'])
})

test('zoom, days and fields are in the address, and a saved view has layout and fields', { tag: '@long' }, async ({
  page,
  product,
  signIn,
  shoot,
  axe,
}) => {
  const { ada, rope, crane, url } = await makeTimeline(product)
  await prepareRoutes(page)
  await page.clock.setFixedTime(now)
  await signIn(page, ada)
  await page.goto(url)
  await callBeside(page, setTicketLink, { idTicket: crane, idOther: rope, Kind: 'precedes' })
  await expect(page.locator('[data-link][data-conflict]')).toHaveCount(1)
  await expect(page.locator('[data-ticket]')).toHaveCount(5)
  // Arrows below the first column are hidden by its cells.
  const cell = row(page, 'Paint the crane')
  expect((await box(cell)).height).toBe((await box(page.getByRole('listitem').filter({ has: cell }))).height)
  // It is seen on a phone too, where other elements are drawn.
  await shoot(page, 'timeline', { all: true })
  // An A4 page has 718 pixels between its margins, and Chromium prints up to 1.5 times as many.
  await page.setViewportSize({ width: 1077, height: 900 })
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(1077)
  await page.emulateMedia({ media: null })
  // Nothing moves when the number of tickets arrives, also where it just has no room.
  await page.setViewportSize({ width: 760, height: 900 })
  const answer = Promise.withResolvers<void>()
  await page.route('**/query-tickets.json.php', async route => {
    await answer.promise
    await route.continue()
  })
  await page.reload()
  const zoom = page.getByRole('button', { name: 'Quarter' })
  const place = await box(zoom)
  await expect(page.locator('[data-ticket]')).toHaveCount(0)
  answer.resolve()
  await expect(page.getByText('5 tickets', { exact: true })).toBeVisible()
  expect(await box(zoom)).toEqual(place)
  await page.unroute('**/query-tickets.json.php')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Nov 8 – 21, 2026' })).toBeVisible()
  // Its first days are before these.
  await expect(bar(page, rope)).toHaveAttribute('data-cut-before')
  await page.getByRole('button', { name: 'Next week' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Nov 15 – 28, 2026' })).toBeVisible()
  await expect(row(page, 'Mend the rope')).toHaveCount(0)
  await page.getByRole('button', { name: 'Quarter' }).click()
  await page.getByRole('button', { name: 'TODAY' }).click()
  await expect(row(page, 'Mend the rope')).toBeVisible()
  await axe(page)

  await page.getByRole('combobox', { name: 'Bars go from' }).click()
  await page.getByRole('option', { name: 'Due' }).click()
  await expect(row(page, 'Mend the rope')).toHaveAccessibleName(/ends before it starts/)
  await saveView(page, 'Backwards')
  await chooseLayout(page, 'Tree')
  await page.getByRole('button', { name: 'View', exact: true }).click()
  // The last of nine entries, for which the menu scrolls.
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Saved views' })).toBeFocused()
  await expect(page.getByRole('menuitem', { name: 'Saved views' })).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'RESET' }).click()
  await expect(page.getByRole('combobox', { name: 'Bars go from' })).toHaveText('Due')
  await page.getByRole('link', { name: 'Without dates' }).click()
  await expect(page.locator('tr[data-key]')).toHaveCount(1)
})

test.describe('by touch', () => {
  test.use({ hasTouch: true })

  test('a finger that rests on a bar drags it, and a phone has a list with days and conflicts', { tag: '@long' }, async ({
    page,
    product,
    signIn,
    axe,
  }) => {
    const { ada, rope, crane, url } = await makeTimeline(product)
    await page.clock.setFixedTime(now)
    await signIn(page, ada)
    await page.setViewportSize({ width: 1200, height: 900 })
    await page.goto(url)
    await callBeside(page, setTicketLink, { idTicket: rope, idOther: crane, Kind: 'blocks' })
    const from = await middle(bar(page, rope))
    const browser = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: { x: number; y: number }[]) =>
      browser.send('Input.dispatchTouchEvent', { type, touchPoints: at.map((point, id) => ({ ...point, id })) })
    // Two fingers zoom, also when they rest first.
    await touch('touchStart', from, { x: from.x, y: from.y + 100 })
    await page.waitForFunction(start => performance.now() > start + 600, await page.evaluate(() => performance.now()))
    await expect(page.locator('body[data-dragging]')).toHaveCount(0)
    await touch('touchEnd')
    await touch('touchStart', from)
    await expect(page.locator('body[data-dragging]')).toHaveCount(1)
    await touch('touchMove', { x: from.x + 4 * (await dayWidth(page)), y: from.y })
    await expect(page.locator('small').getByText('Nov 7 – 14, 2026')).toBeVisible()
    await touch('touchEnd')
    await expect(page.getByText('moved to Nov 7 – 14, 2026')).toBeVisible()

    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.locator('[data-ticket]')).toHaveCount(5)
    await expect(page.locator(`[data-ticket="${crane}"]`)).toContainText(new RegExp(`-${rope} ends after .*-${crane} starts`))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await axe(page)
    for (const link of await page.locator('[data-ticket]').all()) expect((await box(link)).height).toBeGreaterThanOrEqual(44)
    await page.locator(`[data-ticket="${crane}"]`).tap()
    await expect(page).toHaveURL(new RegExp(`/view-ticket/${crane}$`))
  })
})
