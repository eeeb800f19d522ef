import type { Locator, Page } from '@playwright/test'
import { makeMember, makeProject } from '@tessera/server/test/fixtures/factories'
import { expect, prepareRoutes, test, withMotion } from '../fixtures.ts'
import { makeTitanium } from '../titanium.ts'

test.use(withMotion)

const toasts = (page: Page) => page.locator('[data-toast]')

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('not on the screen')
  return box
}

test('toasts: at most four, right edge in the page, left without a session, 12 px and 10 px, 300 ms, 7 s, held by the pointer [2.125] [2.126] [4.20] [9.7] [9.8] [9.9] [9.10] [9.11] [9.12] [9.17]', async ({
  page,
  titanium,
  axe,
}) => {
  await prepareRoutes(page)
  await page.route(/public\/reset-password/, route => route.fulfill({ status: 503, body: '{}' }))
  await page.goto('/reset-password')
  await page.getByLabel('Email address or username').fill('anybody')
  await page.getByRole('checkbox', { name: /robot/i }).press('Space')
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'RESET' }).click()
  await expect(toasts(page)).toHaveText(/Password reset request failed/)
  await expect.poll(async () => Math.round((await boxOf(toasts(page))).x)).toBe(12)
  await axe(page)

  const { tickets } = await titanium()
  await page.clock.install()
  await page.goto(`/view-ticket/${tickets.loader}`)
  const bell = page.getByRole('button', { name: 'Notifications are' })
  await expect(bell).toBeVisible()
  // Equal messages would replace each other.
  let refusals = 0
  await page.route(/set-ticket-notification/, route => route.fulfill({ status: 500, json: { error: `Refusal ${++refusals}` } }))
  // From here on the page's time passes only as told. A time that has passed when the page pauses would be refused.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))
  const failure = async (count: number) => {
    const answer = page.waitForResponse(/set-ticket-notification/)
    await bell.click()
    await answer
    await expect
      .poll(async () => {
        await page.clock.runFor(50)
        return toasts(page).count()
      })
      .toBe(Math.min(count, 4))
  }
  const seen = page.locator('[data-toast]:not([data-leaving])')
  for (let count = 1; count <= 5; count++) {
    await failure(count)
    await page.clock.runFor(400)
  }
  await expect(seen).toHaveCount(4)
  const boxes = async () => {
    const all = await Promise.all((await seen.all()).map(boxOf))
    return all.sort((a, b) => b.y - a.y)
  }
  await expect
    .poll(async () => {
      const [first, ...rest] = await boxes()
      if (!first) return undefined
      const gaps = rest.map((box, index) => Math.round((rest[index - 1] ?? first).y - box.y - box.height))
      return { right: Math.round(1440 - first.x - first.width), bottom: Math.round(900 - first.y - first.height), gaps }
    })
    .toEqual({ right: 12, bottom: 12, gaps: [10, 10, 10] })
  const style = await seen.first().evaluate(element => {
    const { transitionProperty, transitionDuration } = getComputedStyle(element)
    const durations = transitionDuration.split(', ')
    return Object.fromEntries(transitionProperty.split(', ').map((name, index) => [name, durations[index % durations.length]]))
  })
  expect(style).toMatchObject({ transform: '0.3s', opacity: '0.3s' })

  // Resting on one keeps them all; a click on it does nothing; the pointer away lets time go on.
  await seen.first().hover()
  await seen.first().click({ position: { x: 60, y: 12 } })
  await page.clock.runFor(20_000)
  await expect(seen).toHaveCount(4)
  // The others glide to their new places when the lowest one is gone.
  const glides = toasts(page)
    .last()
    .evaluate(
      lowest =>
        new Promise(found => {
          const watch = new MutationObserver(() => {
            if (lowest.isConnected) return
            watch.disconnect()
            const others = [...document.querySelectorAll('[data-toast]')]
            found(others.map(toast => toast.getAnimations().map(({ effect }) => effect?.getTiming().duration)))
          })
          watch.observe(document, { childList: true, subtree: true })
        }),
    )
  await seen.last().getByRole('button', { name: 'Dismiss' }).click()
  await page.clock.runFor(500)
  expect(await glides).toEqual([[300], [300], [300]])
  // The first of the five does not come back.
  await expect(toasts(page)).toHaveCount(3)
  // A toast that vanished under the pointer holds no other toast back. The page may notice later that the pointer has left.
  await page.mouse.move(700, 20)
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return toasts(page).count()
    })
    .toBe(0)

  await failure(1)
  await page.mouse.move(700, 20)
  await page.clock.runFor(6000)
  await expect(seen).toHaveCount(1)
  await page.clock.runFor(1200)
  await expect(seen).toHaveCount(0)

  // One that appears where the pointer rests is not pointed at.
  await page.clock.runFor(500)
  await expect(toasts(page)).toHaveCount(0)
  await page.mouse.move(1440 - 60, 900 - 30)
  await bell.focus()
  const appearsBelowPointer = async () => {
    const answer = page.waitForResponse(/set-ticket-notification/)
    await page.keyboard.press('Enter')
    await answer
    await expect
      .poll(async () => {
        await page.clock.runFor(50)
        return toasts(page).evaluateAll(all => all.some(toast => toast.matches(':hover')))
      })
      .toBe(true)
  }
  await appearsBelowPointer()
  await page.clock.runFor(8000)
  await expect(seen).toHaveCount(0)
  // A toast that appears where the pointer has just dismissed another one is not held back either.
  await page.clock.runFor(500)
  await appearsBelowPointer()
  await seen.first().getByRole('button', { name: 'Dismiss' }).click()
  await page.clock.runFor(500)
  await expect(toasts(page)).toHaveCount(0)
  await bell.focus()
  await appearsBelowPointer()
  await page.clock.runFor(8000)
  await expect(seen).toHaveCount(0)
})

test('a dropdown is at most 256 px high, whatever it lists [9.13]', async ({ page, product, signIn, axe }) => {
  const person = await product.person({ admin: true })
  const { idOrganization, idUser } = person
  const { tickets, states, projectId } = await makeTitanium(product, person)
  for (let index = 0; index < 12; index++) {
    const more = await makeProject(product.db, idOrganization, { title: `Project ${index}` })
    await makeMember(product.db, idOrganization, more.projectId, idUser, 'all')
  }
  await product.db
    .insertInto('state')
    .values(
      Array.from({ length: 12 }, (_, index) => ({
        organization_id: idOrganization,
        project_id: projectId,
        name: `Step ${index}`,
        phase: 2,
        position: 20 + index,
      })),
    )
    .execute()
  expect(states.open).toBeGreaterThan(0)
  await signIn(page, person)
  await page.goto(`/view-ticket/${tickets.loader}`)
  const list = page.locator('[role=menu], [role=listbox]').first()
  const open = async (opener: Locator, panel: Locator) => {
    await opener.click()
    await expect.poll(async () => Math.round((await boxOf(panel)).height)).toBe(256)
    await axe(page)
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
  }
  await open(page.getByRole('button', { name: 'State: In Review' }), list)
  await open(page.getByRole('button', { name: /^Project:/ }), list)
  await open(page.getByRole('button', { name: 'State: All' }), list)
  await page.getByRole('banner').getByRole('button', { name: 'ADD TICKET' }).click()
  await open(page.getByRole('dialog').getByLabel('Project'), list)
})

test('the breakpoints are 600, 960, 1280 and 1920 [9.16]', async ({ page, titanium }) => {
  const { tickets, projectId } = await titanium({ admin: true })
  const at = (width: number) => page.setViewportSize({ width, height: 900 })
  await page.goto(`/view-ticket/${tickets.loader}`)
  const comments = page.getByRole('region', { name: 'Comments' })
  await expect(comments).toBeVisible()
  const logout = page.getByRole('banner').getByRole('button', { name: 'Logout' })
  await at(599)
  await expect(logout).toBeHidden()
  await at(600)
  await expect(logout).toBeVisible()
  await at(959)
  await expect.poll(async () => (await boxOf(comments)).width).toBeGreaterThan(800)
  await at(960)
  await expect.poll(async () => (await boxOf(comments)).width).toBe(350)
  // From lg on the title bar has room for words.
  await at(1279)
  await expect(logout).toHaveText('')
  await at(1280)
  await expect(logout).toHaveText('Logout')
  const rowsOf = async (cards: Locator[]) => new Set(await Promise.all(cards.map(async card => Math.round((await boxOf(card)).y)))).size
  // From xl on the four lists of home stand in one row.
  await page.goto('/home')
  const lists = ['Assigned to me', 'Late', 'Watching', 'Recently changed'].map(name => page.getByRole('group', { name }))
  await at(1919)
  await expect.poll(() => rowsOf(lists)).toBe(2)
  await at(1920)
  await expect.poll(() => rowsOf(lists)).toBe(1)
  // The four cards of a project's configuration stand side by side from lg on.
  await page.goto(`/edit-project/${projectId}`)
  const cards = ['Ticket Fields', 'Ticket States', 'Ticket Templates', 'User Permissions'].map(name => page.getByRole('region', { name }))
  await at(1279)
  await expect.poll(() => rowsOf(cards)).toBe(2)
  await at(1280)
  await expect.poll(() => rowsOf(cards)).toBe(1)
})
