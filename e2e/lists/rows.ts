import type { Page } from '@playwright/test'
import { setTicketData } from '@tessera/contract/tickets'
import { expect } from '../fixtures.ts'

export const rowsOf = (page: Page) => page.locator('tr[data-key]')

/** Sends a save as the page's own session, without the page. */
export async function saveBeside(page: Page, input: { idTicket: number; data?: Record<string, string>; Title?: string }) {
  const token = (await page.context().cookies()).find(({ name }) => name.endsWith('XSRF-TOKEN'))?.value ?? ''
  const answer = await page.request.post(setTicketData.path, { data: input, headers: { 'x-xsrf-token': decodeURIComponent(token) } })
  expect(answer.status()).toBe(200)
}
