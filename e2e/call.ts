import { expect, type Page } from '@playwright/test'
import type { Call, Request, Response } from '@tessera/contract/call'

/** Sends a call in the page's session but beside the page, which does not know of it; returns the answer. */
export async function callBeside<C extends Call>(page: Page, call: C, input: Request<C>) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const answer = await page.request.post(call.path, { data: input, headers: { 'x-xsrf-token': decodeURIComponent(token) } })
  expect(answer.status()).toBe(200)
  return (await answer.json()) as Response<C>
}
