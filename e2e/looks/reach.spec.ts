import type { Locator, Page } from '@playwright/test'
import { makeOrganization } from '@tessera/server/test/fixtures/factories'
import { expect, test, withMotion } from '../fixtures.ts'

test.use(withMotion)

async function box(element: Locator) {
  const found = await element.boundingBox()
  if (!found) throw new Error('not on the screen')
  return found
}
async function overlap(one: Locator, other: Locator) {
  const [a, b] = [await box(one), await box(other)]
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
/** Everything but links in running text. */
const targets =
  'button:enabled, input:enabled, textarea:enabled, [role=tab], [role=option], a[role=button], :is(nav, header, h1, h2, dd, form) a'
/** What can be pressed and is smaller than a finger: a check box with the label or the cell around it, a name in a table with its row. */
function smallTargets(page: Page) {
  return page.evaluate(selector => {
    const small: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      // The chevron of a row reaches beyond its edges.
      if (element.matches('.chevron, [type=hidden], [type=file]') || element.closest('[inert]') || !element.checkVisibility()) continue
      const row = element.closest(element.matches('[data-select]') ? 'tr' : 'tr[data-clickable]')
      const target = row ?? (element.matches('[type=checkbox]') ? element.parentElement : element)
      const { width, height } = (target ?? element).getBoundingClientRect()
      if (width > 1 && (width < 43.9 || height < 43.9)) small.push(`${element.outerHTML.slice(0, 120)} ${width}×${height}`)
    }
    return small
  }, targets)
}

test('messages do not cover the buttons of a dialog and disappear with their cause; icons have names; popups are in a landmark', {
  tag: '@long',
}, async ({ page, titanium, axe, complaints }) => {
  const { projectId, tickets } = await titanium({ admin: true })
  const landmarks = () => axe(page, ['region', 'landmark-unique'])
  const dialog = page.getByRole('dialog')
  const bar = page.getByRole('navigation', { name: 'Main' })
  await page.setViewportSize({ width: 900, height: 480 })
  await page.goto(`/edit-project/${projectId}`)
  // An element that gets the focus scrolls out from under the title bar; focusing the bar itself scrolls nothing.
  const scrolled = () => page.evaluate(() => window.scrollY)
  const newState = page.getByRole('button', { name: 'NEW STATE' })
  await newState.evaluate(element => window.scrollBy(0, element.getBoundingClientRect().top - 10))
  await newState.focus()
  expect((await box(newState)).y).toBeGreaterThanOrEqual(52)
  const before = await scrolled()
  await page.getByRole('button', { name: 'ADD TICKET' }).focus()
  expect(await scrolled()).toBe(before)
  await page.getByRole('button', { name: 'ADD TICKET' }).click()
  await dialog.getByLabel('Title').fill('One more')
  await dialog.getByRole('button', { name: 'ADD & ADD ANOTHER' }).click()
  const toast = page.locator('[data-toast]')
  await expect(toast).toContainText('was created')
  for (const button of await dialog.getByRole('button').all()) expect(await overlap(toast, button)).toBe(false)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 900 })

  // The connection goes and comes back.
  await newState.click()
  await dialog.getByLabel('State name').fill('Blocked')
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached')
  await page.context().setOffline(false)
  await expect(dialog.getByRole('alert')).toContainText('The server could not be reached')
  await expect(dialog.getByLabel('State name')).toHaveValue('Blocked')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'DISCARD' }).click()
  // The browser's own messages about the connection.
  expect(complaints.splice(0).filter(words => !words.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])

  const home = bar.getByRole('button', { name: 'Home' })
  for (const name of ['Project overview', 'Edit project', 'Home', 'Profile', 'Logout']) await expect(bar).toContainText(name)
  await page.setViewportSize({ width: 1279, height: 900 })
  await expect(bar).toHaveText('')
  await home.hover()
  await expect(page.getByRole('tooltip')).toHaveText('Home')
  await landmarks()
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByRole('button', { name: 'State: In Review' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await landmarks()
  await page.keyboard.press('Escape')
  await page.getByLabel('Severity').click()
  await expect(page.getByRole('listbox')).toBeVisible()
  await landmarks()
  await page.keyboard.press('Escape')
  await page.getByLabel('Owner').click()
  await expect(page.getByRole('listbox')).toBeVisible()
  await landmarks()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('controls are 44 px wide, and a wide table shows that it scrolls', { tag: '@long' }, async ({ page, product, titanium }) => {
    const idOrganization = await makeOrganization(product.db, 'Thumb Works')
    const { projectId, tickets } = await titanium({ admin: true, manager: true, idOrganization })
    // So many that the list of people has a search.
    for (let count = 0; count < 9; count++) await product.person({ idOrganization })
    await page.goto(`/view-project/${projectId}`)
    await page.getByRole('button', { name: 'FILTER' }).tap()
    await expect(page.getByLabel('Filter Description')).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    const { x, y, width, height } = await box(page.locator('.chevron').first())
    await page.touchscreen.tap(x + width / 2 + 20, y + height / 2 - 20)
    await expect(page.locator('tr[data-key]')).toHaveCount(8)

    // The same on a tablet, where the list is a table.
    await page.setViewportSize({ width: 820, height: 1180 })
    await expect.poll(async () => (await box(page.locator('tr[data-key]').first())).height).toBe(44)
    expect(await smallTargets(page)).toEqual([])
    // ADD TICKET is not alone on a second line.
    const add = await box(page.getByRole('main').getByRole('button', { name: 'ADD TICKET' }))
    expect(add.y).toBe((await box(page.getByRole('button', { name: 'Load View' }))).y)
    await page.setViewportSize({ width: 390, height: 844 })

    await page.goto(`/view-ticket/${tickets.loader}`)
    await page.getByLabel('Add comment').fill('Sent')
    const tools = page.getByRole('toolbar', { name: 'Formatting' })
    await expect(tools.getByRole('button')).toHaveCount(8)
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect((await box(tools)).height).toBeLessThan(60)
    }
    await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).tap()
    await expect(page.getByRole('listitem').filter({ hasText: 'Sent' })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await page.getByLabel('Owner').tap()
    await expect(page.getByRole('option').first()).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'State: In Review' }).tap()
    await expect(page.getByRole('menuitem').first()).toBeVisible()
    for (const item of await page.getByRole('menuitem').all()) expect((await box(item)).height).toBeGreaterThanOrEqual(44)

    await page.goto('/home')
    await expect(page.getByRole('link', { name: 'Recently changed' })).toBeVisible()
    await expect(page.getByRole('searchbox', { name: 'Search users' })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await page.getByRole('button', { name: 'Menu' }).tap()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])

    await page.goto(`/edit-project/${projectId}`)
    await expect(page.getByRole('region', { name: 'User Permissions' }).getByRole('checkbox').first()).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await page.setViewportSize({ width: 820, height: 1180 })
    await expect.poll(() => smallTargets(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'FLOW DIAGRAM' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Table' }).tap()
    const area = dialog.getByRole('group', { name: 'Moves between states' })
    await expect(dialog.getByText('Scroll sideways to see every state.')).toBeVisible()
    await expect(area).toHaveAttribute('data-more')
    expect(await smallTargets(page)).toEqual([])
    await area.evaluate(element => element.scrollTo({ left: element.scrollWidth }))
    await expect(area).not.toHaveAttribute('data-more')
    // On a low screen a focused check box is not covered by the column heads.
    await page.setViewportSize({ width: 390, height: 390 })
    await area.getByRole('checkbox').last().focus()
    await area.getByRole('checkbox').first().focus()
    const first = await box(area.getByRole('checkbox').first())
    expect(await page.evaluate(({ x, y }) => document.elementFromPoint(x + 8, y + 8)?.matches('input'), first)).toBe(true)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.context().clearCookies()
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
  })
})

test('in a low window the title and the buttons of a dialog stay in sight, and no button covers the field with the focus', {
  tag: '@long',
}, async ({ page, titanium }) => {
  const { projectId } = await titanium({ admin: true })
  const dialog = page.getByRole('dialog')
  const buttons = dialog.locator('button', { hasText: /^(CANCEL|ADD|ADD & .+)$/ })
  const isCovered = () =>
    page.evaluate(() => {
      const { left, right, top, bottom } = (document.activeElement ?? document.body).getBoundingClientRect()
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      const seen = document.elementFromPoint(x, y)
      return !seen || !(document.activeElement?.contains(seen) || seen.contains(document.activeElement))
    })
  // Phones held sideways, a laptop at 200 %, and the smallest window of WCAG 1.4.10.
  for (const [width, height] of [
    [844, 390],
    [667, 375],
    [683, 320],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(`/edit-project/${projectId}`)
    for (const opener of ['NEW TEMPLATE', 'NEW FIELD']) {
      await page.getByRole('button', { name: opener }).click()
      // The tooltip of what scrolls under the pointer may cover something for a moment.
      await page.mouse.move(0, 0)
      await expect(dialog.getByRole('textbox').first()).toBeFocused()
      await expect(dialog.getByRole('heading', { level: 2 })).toBeInViewport({ ratio: 1 })
      await expect(buttons).toHaveCount(2)
      for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 })
      for (let step = 0; step < 12; step++) {
        await expect.poll(isCovered, `${width} pixels, ${opener}, step ${step}`).toBe(false)
        await page.keyboard.press('Tab')
      }
      for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
  }
  // Its four buttons take two lines.
  await page.goto(`/view-project/${projectId}`)
  await page.getByRole('button', { name: 'ADD TICKET' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await expect(buttons).toHaveCount(4)
  for (let step = 0; step < 8; step++) {
    await expect.poll(isCovered, `New Ticket, step ${step}`).toBe(false)
    for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Tab')
  }
})
