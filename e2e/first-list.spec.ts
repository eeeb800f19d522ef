import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Keeps the application away until it is called for. */
async function holdApplication(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/index-[^/]*\.js$/, async route => {
    await promise
    await route.continue()
  })
  return resolve
}

/** The tickets that stand in `place`: what they are made of, and where each of their cells is. */
async function rowsIn(page: Page, place: string) {
  await expect(page.locator(`${place} tr[data-key]`).first()).toBeVisible()
  return page.locator(place).evaluate(async element => {
    await document.fonts.ready
    return [...element.querySelectorAll('tr[data-key]')].map(row => ({
      html: row.outerHTML,
      boxes: [row, ...row.querySelectorAll('td')].map(cell =>
        Object.values<number>(cell.getBoundingClientRect().toJSON()).map(Math.round).join(),
      ),
      color: getComputedStyle(row.querySelector('td.id a') ?? row).color,
    }))
  })
}

for (const [width, height, colorScheme] of [
  [1440, 900, 'light'],
  [900, 700, 'dark'],
  [390, 844, 'light'],
] as const) {
  test(`the tickets stand there before the application, in their place and as it shows them: ${width} px, ${colorScheme}`, async ({
    page,
    titanium,
  }) => {
    const { projectId } = await titanium({ admin: true })
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    const release = await holdApplication(page)
    await page.goto(`/view-project/${projectId}`, { waitUntil: 'commit' })
    const first = await rowsIn(page, '.first-list')
    await expect(page.getByText('App starting, please wait until initialisation finishes')).toBeVisible()
    // To be read only: nobody comes to what will not answer.
    await expect(page.getByRole('row')).toHaveCount(0)
    await expect(page.locator('.first-list[inert]')).toHaveCount(1)
    release()
    const then = await rowsIn(page, 'main#content')
    await expect(page.locator('.first-list')).toHaveCount(0)
    expect(first.length).toBeGreaterThan(3)
    expect(first).toEqual(then.slice(0, first.length))
    expect(first.some(({ html }) => html.includes('class="chevron"'))).toBe(true)
    expect(first.some(({ html }) => html.includes('class="mark"'))).toBe(true)
  })
}

test('what a filter leaves stands there too, with where it belongs', async ({ page, titanium }) => {
  const { projectId } = await titanium({ admin: true })
  const release = await holdApplication(page)
  await page.goto(`/view-project/${projectId}?phase=1,2&sort=State.asc`, { waitUntil: 'commit' })
  const first = await rowsIn(page, '.first-list')
  release()
  const then = await rowsIn(page, 'main#content')
  expect(first).toEqual(then.slice(0, first.length))
  expect(first.some(({ html }) => html.includes('class="path"'))).toBe(true)
})

test('a tree that is open waits for the application, as does a project without tickets, and whoever has no session', async ({
  page,
  titanium,
}) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('.first-list')) document.documentElement.dataset.hadFirstList = ''
    }).observe(document, { childList: true, subtree: true })
  })
  const { projectId, tickets } = await titanium({ admin: true })
  await page.goto(`/view-project/${projectId}?open=${tickets.flicker}`)
  await expect(page.locator('main#content tr[data-key]').first()).toBeVisible()
  await expect(page.locator('html[data-had-first-list]')).toHaveCount(0)
  await page.goto(`/view-project/${projectId}?id=none`)
  await expect(page.getByText('No ticket matches')).toBeVisible()
  await expect(page.locator('html[data-had-first-list]')).toHaveCount(0)
  await page.context().clearCookies()
  await page.goto(`/view-project/${projectId}`)
  await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
  await expect(page.locator('html[data-had-first-list]')).toHaveCount(0)
})
