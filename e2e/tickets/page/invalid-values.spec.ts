import { expect, test } from '../../fixtures.ts'
import { openLoader } from './open-loader.ts'

test('a date that is not complete or does not exist is refused at its field and not saved as no date', async ({ page, titanium }) => {
  const { code, tickets } = await openLoader(page, titanium)
  const due = page.getByLabel('Due', { exact: true })
  const elsewhere = page.getByLabel('Component')
  const problem = page.getByText('Enter a complete date that exists')
  const save = page.getByRole('button', { name: /^SAVE/ })

  // The 30th of February, in a field without a date.
  await due.focus()
  await page.keyboard.type('02302026')
  await elsewhere.focus()
  await expect(problem).toBeVisible()
  await due.fill('2026-02-28')
  await expect(problem).toBeHidden()
  await save.click()
  await expect(page.getByText(`Ticket ${code} saved`)).toBeVisible()

  // The same day, in a field with a date: the browser says that there is none.
  await due.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('30')
  await expect(problem).toBeVisible()
  await save.click()
  await expect(due).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('27')
  await expect(problem).toBeHidden()
  const sent = page.waitForRequest(/set-ticket-data/)
  await save.click()
  expect((await sent).postDataJSON()).toEqual({ idTicket: tickets.loader, data: { due: '2026-02-27' }, Version: 2 })
})
