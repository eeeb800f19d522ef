import type { CDPSession, Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

/** Opens a dialog, and closes it. */
async function openAndClose(page: Page, open: () => Promise<unknown>) {
  await open()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
async function choose(page: Page, menu: string, entry: string) {
  await page.getByRole('button', { name: menu, exact: true }).first().click()
  await page.getByRole(entry === 'Save view' ? 'menuitem' : 'menuitemcheckbox', { name: entry, exact: true }).click()
}

/** The elements and texts that the page still holds, shown or not, and its listeners. */
async function held(page: Page, browser: CDPSession) {
  await page.mouse.move(1, 1)
  await browser.send('HeapProfiler.collectGarbage')
  const { nodes, jsEventListeners } = await browser.send('Memory.getDOMCounters')
  return { nodes, listeners: jsEventListeners }
}

test('a page that is used for days holds no more elements and listeners than after its first minutes', {
  tag: '@long',
}, async ({ page, titanium }) => {
  // 30 rounds through most dialogs and views.
  test.setTimeout(240_000)
  const { projectId, tickets, shortCode } = await titanium()
  const browser = await page.context().newCDPSession(page)
  const round = async () => {
    await openAndClose(page, () => page.getByRole('banner').getByRole('button', { name: 'ADD TICKET' }).click())
    await openAndClose(page, () => page.keyboard.press('Control+k'))
    await openAndClose(page, () => choose(page, 'View', 'Save view'))
    for (const view of ['Board', 'Calendar', 'Timeline', 'Tree']) {
      await choose(page, 'View', view)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: `Expand ${shortCode}-${tickets.kernel}`, exact: true }).click()
    await page.getByRole('button', { name: `Collapse ${shortCode}-${tickets.kernel}`, exact: true }).click()
    await page.locator(`tr[data-key="${tickets.flicker}"] a`).click()
    await page.getByRole('textbox', { name: 'Add comment' }).waitFor()
    await openAndClose(page, () => page.getByRole('button', { name: 'Edit assignees' }).click())
    await openAndClose(page, () => page.getByRole('button', { name: 'Upload attachments' }).click())
    await page.getByRole('tab', { name: 'History' }).click()
    await page.goBack()
    await page.locator(`tr[data-key="${tickets.flicker}"]`).waitFor()
  }
  await page.goto(`/view-project/${projectId}`)
  for (let count = 0; count < 5; count++) await round()
  const before = await held(page, browser)
  for (let count = 0; count < 30; count++) await round()
  const after = await held(page, browser)
  // Less than one of each in a round.
  expect(after.nodes - before.nodes).toBeLessThan(30)
  expect(after.listeners - before.listeners).toBeLessThan(30)
})
