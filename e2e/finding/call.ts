import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'

/** Posts to the API as the page's person and expects it to succeed. */
export async function call(page: Page, { path }: { path: string }, data: object) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const answer = await page.request.post(path, { data, headers: { 'x-xsrf-token': decodeURIComponent(token) } })
  expect(answer.status()).toBe(200)
  return answer.json()
}
