import type { Page } from '@playwright/test'
import { makeMember, makeProject, makeTickets } from '@tessera/server/test/fixtures/factories'
import { expect, type Product, test } from '../fixtures.ts'

/** The font size that a person has set in the browser's settings; 16 is usual. */
async function setFont(page: Page, standard: number) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard } })
}

let libraries = 0

/** Its code has three characters. */
async function makeLibrary({ db, person }: Product, count: number) {
  const reader = await person({ admin: true })
  const project = await makeProject(db, reader.idOrganization, { title: 'Library', shortCode: `LI${libraries++}` })
  await makeMember(db, reader.idOrganization, project.projectId, reader.idUser, 'all')
  const tickets = await makeTickets(db, reader.idOrganization, project, count, 'A book whose title takes two lines of a card, number')
  return { reader, idProject: project.projectId, idTicket: tickets[0] ?? 0 }
}

/** The tops of the rows, and how far each is below the one before. */
function pitches(page: Page) {
  return page.locator('tr[data-key]').evaluateAll(rows => {
    const tops = rows.map(row => row.getBoundingClientRect().top)
    return [...new Set(tops.slice(1).map((top, index) => Math.round(top - (tops[index] ?? 0))))]
  })
}

test('with a browser font of 24 px, text, rows and cards are half as large again, and a long list still renders only the rows in sight', {
  tag: '@long',
}, async ({ page, product, signIn }) => {
  test.setTimeout(90_000)
  const { reader, idProject } = await makeLibrary(product, 650)
  await signIn(page, reader)
  await setFont(page, 24)
  await page.goto(`/view-project/${idProject}?q=id%3A%3E0`)
  const rows = page.locator('tr[data-key]')
  await expect(rows.first()).toContainText('number 650')
  expect(await rows.first().evaluate(row => getComputedStyle(row).fontSize)).toBe('19.5px')
  expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('21px')
  expect(await pitches(page)).toEqual([54])
  // Below 1280 px at the usual size these links have no words: here that is 1920 px.
  await expect(page.getByRole('banner').getByText('Overview')).toBeHidden()

  await expect(async () => {
    await page.mouse.wheel(0, 5000)
    await expect(page.getByText(/number 1$/)).toBeVisible({ timeout: 200 })
  }).toPass({ timeout: 30_000 })
  expect(await rows.count()).toBeLessThan(80)
  expect(await pitches(page)).toEqual([54])
  const last = page.locator('tr[data-key]').last()
  await last.focus()
  await page.keyboard.press('Home')
  await expect(page.locator('tr:focus')).toContainText('number 650')
  await page.keyboard.press('End')
  await expect(page.locator('tr:focus')).toBeInViewport({ ratio: 0.9 })

  await page.goto(`/view-project/${idProject}?layout=board`)
  const cards = page.locator('[data-card]')
  await expect(cards.first()).toContainText('number')
  const shapes = await cards.evaluateAll(all => all.map(card => ({ height: card.clientHeight, needed: card.scrollHeight })))
  // 104 px, less the two lines at its edge.
  for (const { height, needed } of shapes) expect({ height, needed }).toEqual({ height: 154, needed: 154 })
})

test('rows follow a font size that is changed while the list is open', async ({ page, product, signIn }) => {
  const { reader, idProject } = await makeLibrary(product, 30)
  await signIn(page, reader)
  await page.goto(`/view-project/${idProject}?q=id%3A%3E0`)
  await expect(page.locator('tr[data-key]').first()).toContainText('number 30')
  expect(await pitches(page)).toEqual([36])
  await setFont(page, 24)
  await expect.poll(() => pitches(page), { timeout: 20_000 }).toEqual([54])
})

test('a board and a flow diagram follow a font size that is changed while they are open', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { reader, idProject } = await makeLibrary(product, 3)
  await signIn(page, reader)
  await page.goto(`/view-project/${idProject}?layout=board`)
  const card = page.locator('[data-card]').first()
  await expect.poll(() => card.evaluate(one => one.clientHeight)).toBe(102)
  await setFont(page, 24)
  await expect.poll(() => card.evaluate(one => one.clientHeight), { timeout: 20_000 }).toBe(154)

  await page.goto(`/edit-project/${idProject}`)
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
  await page.getByRole('tab', { name: 'DIAGRAM' }).click()
  const width = () =>
    page
      .locator('.react-flow__node')
      .first()
      .evaluate(one => (one as HTMLElement).offsetWidth)
  await expect.poll(width).toBe(264)
  await setFont(page, 16)
  await expect.poll(width, { timeout: 20_000 }).toBe(176)
})

test('the facts of a ticket count as out of sight behind bars that a changed font made higher', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { reader, idTicket } = await makeLibrary(product, 3)
  await signIn(page, reader)
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.goto(`/view-ticket/${idTicket}`)
  const facts = page.locator('dl').first()
  await expect(facts).toBeVisible()
  await setFont(page, 32)
  // Behind these bars, of 220 px, and not behind those of the usual font, of 110.
  const scrolled = () =>
    facts.evaluate(one => {
      window.scrollBy(0, one.getBoundingClientRect().bottom - 165)
      return Math.round(one.getBoundingClientRect().bottom)
    })
  await expect.poll(scrolled).toBe(165)
  await expect(page.locator('[data-past]')).toHaveCount(1)
})

test('no page scrolls sideways with a browser font of 32 px on a desktop or of 20 px on a phone', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  // Loads ten pages.
  test.setTimeout(120_000)
  const { reader, idProject, idTicket } = await makeLibrary(product, 3)
  await signIn(page, reader)
  const looks = [
    { font: 32, width: 1440 },
    { font: 20, width: 390 },
  ]
  for (const { font, width } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await setFont(page, font)
    for (const path of ['home', 'profile', `view-project/${idProject}`, `view-ticket/${idTicket}`, `edit-project/${idProject}`]) {
      await page.goto(`/${path}`)
      const heading = page.getByRole('heading', { level: 1 })
      await expect(heading).toBeVisible()
      await page.waitForLoadState('networkidle')
      // A heading has 20 px at the usual size.
      await expect(heading).toHaveCSS('font-size', `${1.25 * font}px`)
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect({ path, font, beyond }).toEqual({ path, font, beyond: 0 })
    }
  }
})

test('with a browser font of 24 px on a phone, the bar’s controls stand beside each other and codes are not cut off', {
  tag: '@long',
}, async ({ page, product, signIn }) => {
  const { reader, idProject } = await makeLibrary(product, 3)
  await page.setViewportSize({ width: 390, height: 900 })
  await signIn(page, reader)
  await setFont(page, 24)
  await page.goto(`/view-project/${idProject}`)
  await expect(page.locator('tr[data-key]')).toHaveCount(3)
  // All that is drawn of the bar, from left to right: menu, ADD TICKET, search.
  const edges = () =>
    page
      .getByRole('banner')
      .locator('a:visible, button:visible')
      .evaluateAll(all => all.map(control => control.getBoundingClientRect()).filter(({ bottom }) => bottom > 0))
  await expect.poll(async () => (await edges()).length).toBe(3)
  await expect(async () => {
    const [menu, add, search] = await edges()
    expect(menu?.right).toBeLessThanOrEqual(add?.left ?? 0)
    expect(add?.right).toBeLessThanOrEqual(search?.left ?? 0)
  }).toPass({ timeout: 20_000 })
  const hidden = () => page.locator('td.id').evaluateAll(cells => cells.map(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth))
  await expect.poll(hidden).toEqual([0, 0, 0])
})
