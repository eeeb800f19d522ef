import { expect, test } from '../fixtures.ts'

const forbidden = () => {
  for (const place of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, place, {
      configurable: true,
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
}
const full = () => {
  Storage.prototype.setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
}

for (const [name, limit] of Object.entries({ forbidden, full })) {
  test(`where storage is ${name}, people work as usual`, { tag: '@long' }, async ({ page, titanium }) => {
    const { projectId, tickets } = await titanium()
    await page.addInitScript(limit)
    await page.goto(`/view-project/${projectId}`)
    await expect(page.locator(`tr[data-key="${tickets.flicker}"]`)).toBeVisible()
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Dark', exact: true }).click()
    await page.getByRole('button', { name: 'Home', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
    await page.goto(`/view-ticket/${tickets.flicker}`)
    await page.getByRole('textbox', { name: 'Add comment' }).fill('Written without storage')
    const comments = page.getByRole('region', { name: 'Comments' })
    await comments.getByRole('button', { name: 'SAVE' }).click()
    await expect(comments.getByRole('listitem')).toContainText('Written without storage')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })
}
