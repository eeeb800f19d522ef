import type { Locator, Page } from '@playwright/test'
import { makeMember, makeOrganization, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { expect, type Product, test, withMotion } from '../fixtures.ts'

test.use(withMotion)

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

async function makeStudio(product: Product) {
  const idOrganization = await makeOrganization(product.db)
  const admin = await product.person({ fullName: 'Dana Kim', admin: true, idOrganization })
  const project = await makeProject(product.db, idOrganization, { title: 'Titanium', shortCode: 'TI' })
  await makeMember(product.db, idOrganization, project.projectId, admin.idUser, 'all')
  return { idOrganization, admin, project }
}

async function box(element: Locator) {
  const found = await element.boundingBox()
  if (!found) throw new Error('not on the screen')
  return found
}
async function expectNoOverlap(above: Locator, below: Locator) {
  const [upper, lower] = [await box(above), await box(below)]
  expect(upper.y + upper.height).toBeLessThanOrEqual(lower.y)
}

/** A touch that moves from one place to the other, one step per frame. */
async function swipe(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  const browser = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [from])
  for (let step = 1; step <= 12; step++) {
    await touch('touchMove', [{ x: from.x + ((to.x - from.x) * step) / 12, y: from.y + ((to.y - from.y) * step) / 12 }])
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
  }
  await touch('touchEnd', [])
  await browser.detach()
}
async function middle(element: Locator, place = 0.5) {
  await element.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await box(element)
  return { x: x + width / 2, y: y + height * place }
}
function names(card: Locator) {
  return card.locator('tbody th').allTextContents()
}

test('messages do not cover the buttons of a dialog or of an edited ticket', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { admin, project, idOrganization } = await makeStudio(product)
  const ticket = await makeTicket(product.db, idOrganization, project, { title: 'Engine' })
  await signIn(page, admin)
  await page.goto(`/view-project/${project.projectId}`)
  await page.getByRole('banner').getByRole('button', { name: 'ADD TICKET' }).click()
  const dialog = page.getByRole('dialog')
  const another = dialog.getByRole('button', { name: 'ADD & ADD ANOTHER' })
  await dialog.getByLabel('Title').fill('One')
  await another.click()
  const toast = page.locator('[data-toast]')
  await expect(toast.filter({ hasText: 'was created' })).toBeVisible()
  await expect.poll(async () => (await box(toast)).y + (await box(toast)).height).toBeLessThanOrEqual((await box(another)).y)
  await dialog.getByLabel('Title').fill('Two')
  await another.click()
  await expect(toast.filter({ hasText: 'was created' })).toHaveCount(2)

  await page.goto(`/view-ticket/${ticket}`)
  const save = page.getByRole('button', { name: /^SAVE/ }).first()
  await page.getByLabel('Description', { exact: true }).fill('Engines')
  await save.click()
  await expect(toast.filter({ hasText: 'saved' })).toBeVisible()
  await page.getByLabel('Description', { exact: true }).fill('Engine')
  await expect(save).toBeEnabled()
  await expect.poll(async () => (await box(toast)).y + (await box(toast)).height).toBeLessThanOrEqual((await box(save)).y)
  await expectNoOverlap(toast, save)
})

test('SAVE and the edited field stay in sight above an on-screen keyboard, and two quick taps do not zoom', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { admin, project, idOrganization } = await makeStudio(product)
  const ticket = await makeTicket(product.db, idOrganization, project)
  await signIn(page, admin)
  await page.goto(`/view-ticket/${ticket}`)
  // Chromium has no such keyboard without a window. With this it makes the page as small as the part above the keyboard.
  await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /interactive-widget=resizes-content/)
  const title = page.getByLabel('Description', { exact: true })
  await title.tap()
  await page.setViewportSize({ width: 390, height: 400 })
  await page.keyboard.type('Engines')
  const save = page.getByRole('button', { name: /^SAVE/ }).first()
  await expect(save).toBeInViewport({ ratio: 1 })
  await expect(title).toBeInViewport({ ratio: 1 })
  await expectNoOverlap(title, save)
  await expect(save).toHaveCSS('touch-action', 'manipulation')
})

test('COMMENTS leads past the child tickets to the comments', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { admin, project, idOrganization } = await makeStudio(product)
  const ticket = await makeTicket(product.db, idOrganization, project)
  await signIn(page, admin)
  await page.goto(`/view-ticket/${ticket}`)
  const comments = page.getByRole('region', { name: 'Comments' })
  await expect(page.getByText('There are no tickets yet')).toBeAttached()
  await expect(comments).not.toBeInViewport()
  await page.getByRole('button', { name: 'COMMENTS' }).tap()
  await expect(comments).toBeInViewport()
  await expect(comments).toBeFocused()
})

test('no field has text so small that an iPhone zooms into the page', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { admin, project, idOrganization } = await makeStudio(product)
  const ticket = await makeTicket(product.db, idOrganization, project)
  const fields = page.locator('input:not([type=checkbox], [type=file]), textarea, select').filter({ visible: true })
  const small = () =>
    fields.evaluateAll(all =>
      all.map(field => `${field.ariaLabel} ${getComputedStyle(field).fontSize}`).filter(field => !field.endsWith(' 16px')),
    )
  await signIn(page, admin)
  for (const path of [
    `view-project/${project.projectId}?q=is:open`,
    `view-ticket/${ticket}`,
    `edit-project/${project.projectId}`,
    'profile',
  ]) {
    await page.goto(`/${path}`)
    await expect(fields.first()).toBeVisible()
    expect(await small(), path).toEqual([])
  }
  await page.goto(`/view-project/${project.projectId}`)
  await page.getByRole('button', { name: 'FILTER' }).tap()
  await expect(page.getByRole('textbox', { name: 'Filter Description' })).toBeVisible()
  expect(await small()).toEqual([])
})

test('by touch the handle reorders rows, the rest scrolls the page, and a tap opens the menu', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { admin, project } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(`/edit-project/${project.projectId}`)
  const states = page.getByRole('region', { name: 'Ticket States' })
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])

  // Orders are sent one after the other, and a reload drops those that wait.
  let stored = 0
  page.on('requestfinished', request => {
    if (request.url().includes('-order')) stored += 1
  })
  const handle = states.getByRole('button', { name: 'Move Open' })
  await states.getByRole('row', { name: 'Done' }).scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  await swipe(page, await middle(handle), await middle(states.getByRole('row', { name: 'Done' }), 0.9))
  await expect.poll(() => names(states)).toEqual(['Doing', 'Done', 'Open'])
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
  await expect(page.locator('[data-dragging]')).toHaveCount(0)

  // Up again, at once.
  await swipe(page, await middle(handle), await middle(states.getByRole('row', { name: 'Doing' }), 0.1))
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])

  // A finger on a row scrolls, moves nothing and opens nothing.
  const name = await middle(states.getByRole('rowheader', { name: 'Done' }))
  await swipe(page, name, { x: name.x, y: name.y - 200 })
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before + 50)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await names(states)).toEqual(['Open', 'Doing', 'Done'])

  await handle.tap()
  await page.getByRole('menuitem', { name: 'Move to the end' }).tap()
  await expect.poll(() => names(states)).toEqual(['Doing', 'Done', 'Open'])
  await expect(handle).toBeFocused()
  await expect.poll(() => stored).toBe(3)
  await page.reload()
  await expect.poll(() => names(states)).toEqual(['Doing', 'Done', 'Open'])
})

test('fields are dragged by touch between the lists of a template', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { admin, project } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(`/edit-project/${project.projectId}`)
  await page.getByRole('button', { name: 'NEW TEMPLATE' }).tap()
  const dialog = page.getByRole('dialog')
  const form = dialog.getByRole('list', { name: 'Form Fields' })
  const available = dialog.getByRole('list', { name: 'Available Fields' })
  await expect(available.getByRole('listitem')).toHaveText(['Note', 'Size'])
  await swipe(page, await middle(available.getByRole('button', { name: 'Move Size' })), await middle(form))
  await expect(form.getByRole('listitem')).toHaveText(['Size'])
  await expect(available.getByRole('listitem')).toHaveText(['Note'])
  await swipe(page, await middle(available.getByRole('button', { name: 'Move Note' })), await middle(form.getByRole('listitem'), 0.1))
  await expect(form.getByRole('listitem')).toHaveText(['Note', 'Size'])
  await swipe(page, await middle(form.getByRole('button', { name: 'Move Note', exact: true })), await middle(available))
  await expect(available.getByRole('listitem')).toHaveText(['Note'])
  await expect(form.getByRole('listitem')).toHaveText(['Size'])
})

test('dragging a row to the edge of the screen scrolls the page', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { admin, project, idOrganization } = await makeStudio(product)
  await product.db
    .insertInto('state')
    .values(
      Array.from({ length: 40 }, (_, index) => ({
        organization_id: idOrganization,
        project_id: project.projectId,
        name: `State ${index}`,
        phase: 2,
        position: 10 + index,
      })),
    )
    .execute()
  await signIn(page, admin)
  await page.goto(`/edit-project/${project.projectId}`)
  const states = page.getByRole('region', { name: 'Ticket States' })
  const handle = states.getByRole('button', { name: 'Move Open' })
  const from = await middle(handle)
  const before = await page.evaluate(() => window.scrollY)
  const browser = await page.context().newCDPSession(page)
  await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
  for (let y = from.y; y < 835; y += 20)
    await browser.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: from.x, y }] })
  await browser.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: from.x, y: 838 }] })
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before + 300)
  await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect(page.locator('[data-dragging]')).toHaveCount(0)
  await expect.poll(async () => (await names(states)).indexOf('Open')).toBeGreaterThan(8)
})

test('a selected card that has the focus is outlined on all sides', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { admin, project, idOrganization } = await makeStudio(product)
  for (const title of ['Engine', 'Wheel', 'Brake']) await makeTicket(product.db, idOrganization, project, { title })
  await signIn(page, admin)
  await page.goto(`/view-project/${project.projectId}`)
  await expect(page.getByText('Brake')).toBeVisible()
  for (const key of ['j', 'j', 'x']) await page.keyboard.press(key)
  const row = page.locator('tr:focus')
  await expect(row).toHaveAttribute('aria-selected', 'true')
  const { x, y, width, height } = await box(row)
  const strip = (at: number) => page.screenshot({ clip: { x: at, y: y + 4, width: 2, height: height - 8 } })
  await expect.poll(async () => (await strip(x + width - 2)).equals(await strip(x))).toBe(true)
})
