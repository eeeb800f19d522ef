import type { Page } from '@playwright/test'
import { expect, type Fixtures } from '../../fixtures.ts'

export async function openLoader(page: Page, titanium: Fixtures['titanium']) {
  const made = await titanium()
  await page.goto(`/view-ticket/${made.tickets.loader}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Ticket Detail.*Expose the new engine/)
  return { ...made, code: `${made.shortCode}-${made.tickets.loader}` }
}
