import type { Page } from '@playwright/test'
import type { Call, Request, Response } from '@tessera/contract/call'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { expect } from '../fixtures.ts'

export const rowsOf = (page: Page) => page.locator('tr[data-key]')

/** Sends a call as the page's own session, without the page; returns the answer. */
export async function callBeside<C extends Call>(page: Page, call: C, input: Request<C>) {
  const token = (await page.context().cookies()).find(({ name }) => name.endsWith('XSRF-TOKEN'))?.value ?? ''
  const answer = await page.request.post(call.path, { data: input, headers: { 'x-xsrf-token': decodeURIComponent(token) } })
  expect(answer.status()).toBe(200)
  return (await answer.json()) as Response<C>
}
export const saveBeside = (page: Page, input: Request<typeof setTicketData>) => callBeside(page, setTicketData, input)
