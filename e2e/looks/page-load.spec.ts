import { gzipSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'
import { connstate } from '@tessera/contract/people/session'
import { getProjectData } from '@tessera/contract/projects/projects'
import { getTicketComments } from '@tessera/contract/tickets/comments'
import { getTicketData, queryTickets } from '@tessera/contract/tickets/tickets'
import { expect, prepareRoutes, test } from '../fixtures.ts'

/** How often the page has requested each path. Refetches after somebody's change, here by the previous test, do not count. */
function watch(page: Page) {
  const requests: Request[] = []
  page.on('request', request => request.headers()['x-background'] || requests.push(request))
  const path = (request: Request) => new URL(request.url()).pathname
  return {
    count: (wanted: string) => requests.filter(request => path(request) === wanted).length,
    scripts: async () => {
      const scripts = requests.filter(request => request.resourceType() === 'script')
      const bodies = await Promise.all(scripts.map(async request => (await request.response())?.body()))
      return { files: scripts.length, bytes: bodies.reduce((sum, body) => sum + gzipSync(body ?? '', { level: 9 }).length, 0) }
    },
  }
}

/** Delays the application until `others` have arrived: anything that waits for the application would wait forever. */
async function holdApplication(page: Page, others: Promise<unknown>[]) {
  const came = Promise.all(others)
  await prepareRoutes(page)
  await page.route(/\/assets\/(index|vendor)-[^/]*\.js$/, async route => {
    await came
    await route.continue()
  })
}
const answerOf = (page: Page, path: string) => page.waitForResponse(response => response.url().endsWith(path) && response.ok())
const scriptOf = (page: Page, name: string) => page.waitForResponse(response => response.url().includes(`/assets/${name}-`))

test('the project page loads its scripts and data in parallel with the application, each once', async ({ page, titanium }) => {
  const { projectId } = await titanium({ admin: true })
  const seen = watch(page)
  await holdApplication(page, [
    scriptOf(page, 'view-project-page'),
    answerOf(page, connstate.path),
    answerOf(page, getProjectData.path),
    answerOf(page, queryTickets.path),
  ])
  await page.goto(`/view-project/${projectId}?phase=2&sort=Type.asc`)
  await expect(page.locator('tr[data-key]').first()).toBeVisible()
  const { files, bytes } = await seen.scripts()
  expect(bytes).toBeLessThan(137_000)
  expect(files).toBeLessThanOrEqual(9)
  await expect(page.getByText(/\d+ tickets$/)).toBeVisible()
  expect(seen.count(connstate.path)).toBe(1)
  expect(seen.count(getProjectData.path)).toBe(1)
  // The list, and how many tickets there are in all.
  expect(seen.count(queryTickets.path)).toBe(2)
})

test('the project page loads at most 137 kB of script before any interaction', async ({ page, titanium }) => {
  const { projectId } = await titanium({ admin: true })
  const seen = watch(page)
  await page.goto(`/view-project/${projectId}`)
  await expect(page.locator('tr[data-key]').first()).toBeVisible()
  // Anything deferred even longer would be found here too.
  await page.waitForTimeout(5000)
  expect((await seen.scripts()).bytes).toBeLessThan(137_000)
})

test('the ticket page loads its scripts and data in parallel with the application too', async ({ page, titanium }) => {
  const { tickets } = await titanium()
  const seen = watch(page)
  const calls = [connstate.path, getTicketData.path, getTicketComments.path]
  await holdApplication(page, [scriptOf(page, 'view-ticket-page'), ...calls.map(path => answerOf(page, path))])
  await page.goto(`/view-ticket/${tickets.kernel}`)
  await expect(
    page
      .getByRole('textbox', { name: 'Title' })
      .or(page.getByRole('heading', { name: /Kernel/ }))
      .first(),
  ).toBeVisible()
  for (const path of calls) expect(seen.count(path)).toBe(1)
  expect((await seen.scripts()).bytes).toBeLessThan(170_000)
})

test('a page that waits for its parts does not render again and again meanwhile', async ({ page, titanium }) => {
  const { projectId, tickets } = await titanium({ admin: true })
  await page.addInitScript(() => {
    let created = 0
    const { createElement } = Document.prototype
    Document.prototype.createElement = function (...named: [string]) {
      created++
      return createElement.apply(this, named)
    }
    Object.defineProperty(window, 'created', { get: () => created })
  })
  await prepareRoutes(page)
  await page.route(/\/assets\/(?!index|vendor|calls|first-calls|parts|rolldown)[^/]*\.js$/, async route => {
    await new Promise(resolve => setTimeout(resolve, 50))
    await route.continue()
  })
  for (const address of ['/home', `/view-ticket/${tickets.kernel}`, `/edit-project/${projectId}`]) {
    await page.goto(address)
    await page.waitForLoadState('networkidle')
    const { created, shown } = await page.evaluate(() => ({
      created: (window as unknown as { created: number }).created,
      shown: document.querySelectorAll('#root *').length,
    }))
    expect(created, address).toBeGreaterThan(shown / 2)
    expect(created, address).toBeLessThan(2 * shown)
  }
})

test('a list and a ticket are shown without Intl, whose first use takes 20 to 60 ms', async ({ page, titanium }) => {
  const { projectId, tickets } = await titanium({ admin: true })
  await page.addInitScript(() => {
    const used: string[] = []
    const library = Intl as unknown as Record<string, new () => object>
    for (const name of ['Collator', 'DateTimeFormat', 'ListFormat', 'NumberFormat', 'PluralRules', 'RelativeTimeFormat', 'Segmenter'])
      library[name] = new Proxy(library[name] as new () => object, {
        construct(made, input) {
          used.push(name)
          return Reflect.construct(made, input)
        },
      })
    Object.defineProperty(window, 'used', { value: used })
  })
  const used = () => page.evaluate(() => (window as unknown as { used: string[] }).used)
  for (const address of [`/view-project/${projectId}`, `/view-ticket/${tickets.kernel}`]) {
    await page.goto(address)
    await page.waitForLoadState('networkidle')
    expect(await used(), address).toEqual([])
  }
  // Words of a query may depend on the day, and that on the time zone.
  await page.goto(`/view-project/${projectId}?q=updated:today`)
  await page.waitForLoadState('networkidle')
  expect(await used()).toEqual(['DateTimeFormat'])
})

test('a list is laid out for its width at once, beside a ticket too', async ({ page, titanium }) => {
  const { projectId, tickets } = await titanium()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.addInitScript(() => {
    const layouts = new Set<string>()
    new MutationObserver(() => {
      const list = document.querySelector('table.ticket-table')
      if (list) layouts.add(list.className)
    }).observe(document, { childList: true, subtree: true, attributes: true })
    Object.defineProperty(window, 'layouts', { value: layouts })
  })
  for (const [address, layout] of [
    [`/view-project/${projectId}`, 'full'],
    [`/view-ticket/${tickets.kernel}`, 'compact'],
  ] as const) {
    await page.goto(address)
    await expect(page.locator('table.ticket-table')).toHaveClass(`ticket-table ${layout}`)
    expect(await page.evaluate(() => [...(window as unknown as { layouts: Set<string> }).layouts])).toEqual([`ticket-table ${layout}`])
  }
})

test('all first calls of a ticket are sent at once, even if the application arrives before their script', async ({ page, titanium }) => {
  const { tickets } = await titanium()
  await prepareRoutes(page)
  await page.route(/\/assets\/first-calls-[^/]*\.js$/, async route => {
    await page.waitForLoadState('domcontentloaded')
    await route.continue()
  })
  const asked = page.waitForRequest(request => request.url().endsWith(getTicketData.path))
  await page.route(`**${connstate.path}`, async route => {
    await asked
    await route.continue()
  })
  await page.goto(`/view-ticket/${tickets.kernel}`)
  await expect(page.getByRole('tab', { name: 'Child Tickets' })).toBeVisible()
})

test('a browser without a session gets the sign-in page at once, without those calls', async ({ page }) => {
  const seen = watch(page)
  await holdApplication(page, [scriptOf(page, 'login-page')])
  await page.goto('/view-project/1')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
  expect(seen.count(queryTickets.path)).toBe(0)
})

test('the sign-in page loads less than the project page', async ({ page }) => {
  const seen = watch(page)
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
  expect((await seen.scripts()).bytes).toBeLessThan(130_000)
})

test('a first call that is refused is repeated like any other', async ({ page, titanium }) => {
  const { projectId } = await titanium()
  await prepareRoutes(page)
  await page.route(`**${queryTickets.path}`, route => route.fulfill({ status: 503, json: { error: 'Busy', code: 'unavailable' } }), {
    times: 1,
  })
  const refused = page.waitForResponse(answer => answer.url().endsWith(queryTickets.path) && answer.status() === 503)
  await page.goto(`/view-project/${projectId}`)
  await refused
  await expect(page.locator('tr[data-key]').first()).toBeVisible()
})

test('the data and scripts of a ticket are prefetched before the click', async ({ page, titanium }) => {
  const { projectId, tickets } = await titanium()
  const ahead = scriptOf(page, 'view-ticket-page')
  await page.goto(`/view-project/${projectId}`)
  const seen = watch(page)
  const fetched = answerOf(page, getTicketData.path)
  await page.locator(`tr[data-key="${tickets.flicker}"] td.title`).hover()
  await Promise.all([ahead, fetched])
  await page.locator(`tr[data-key="${tickets.flicker}"] td.title`).click()
  await expect(page).toHaveURL(`/view-ticket/${tickets.flicker}`)
  expect(seen.count(getTicketData.path)).toBe(1)
})

test('the type filter offers archived types too, marked as archived', async ({ page, product, titanium }) => {
  const { person, projectId, templates } = await titanium()
  await product.db
    .updateTable('template')
    .set({ archived_at: new Date() })
    .where('organization_id', '=', person.idOrganization)
    .where('id', '=', templates.bug)
    .execute()
  await page.goto(`/view-project/${projectId}`)
  await page.getByRole('button', { name: /^Type: / }).click()
  await page.getByRole('menuitemcheckbox', { name: /Bug\s*archived/ }).click()
  await page.keyboard.press('Escape')
  const types = page.locator('tr[data-key] td.type')
  await expect(types.filter({ hasNotText: 'Bug' })).toHaveCount(0)
  await expect(types.first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Type: Bug' })).toBeVisible()
})
