import { messages } from '@tessera/contract/messages'
import { getUserData } from '@tessera/contract/people/profile'
import { connstate } from '@tessera/contract/people/session'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { callBeside } from '../call.ts'
import { expect, listenAt, test } from '../fixtures.ts'
import { makeTitanium } from '../titanium.ts'

// The server's sessions end after an hour of inactivity, by its own clock; the test controls the page's clock.
test('a session that is about to end says so, and a click keeps it', { tag: '@long' }, async ({ page, product, signIn, shoot }) => {
  test.setTimeout(120_000)
  await signIn(page, await product.person({ fullName: 'Dana Kim' }))
  await page.clock.install()
  await page.goto('/home')
  await expect(page.getByText("You don't have any projects")).toBeVisible()
  // An answer after the jump in time would count as a use of the session.
  await page.waitForLoadState('networkidle')
  const warning = page.getByText(messages.sessionEndsSoon)
  await page.clock.fastForward('56:00')
  await expect(warning).toBeHidden()
  await page.clock.fastForward('01:30')
  await expect(warning).toBeVisible()
  await shoot(page, 'idle-warning')
  const kept = page.waitForResponse(response => response.url().endsWith(getUserData.path))
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  expect((await kept).request().headers()['x-background']).toBeUndefined()
  await page.clock.fastForward('00:10')
  await expect(warning).toBeHidden()
})

test('a user who is typing is active: the session is extended without asking', { tag: '@long' }, async ({ page, titanium }) => {
  const { tickets } = await titanium()
  await page.clock.install()
  await page.goto(`/view-ticket/${tickets.kernel}`)
  const comment = page.getByRole('textbox', { name: 'Add comment' })
  await expect(comment).toBeVisible()
  // An answer after the jump in time would count as a use of the session.
  await page.waitForLoadState('networkidle')
  await page.clock.fastForward('40:00')
  await comment.pressSequentially('A long thought')
  const kept = page.waitForRequest(request => request.url().endsWith(getUserData.path))
  await page.clock.fastForward('18:00')
  await kept
  await expect(page.getByText(messages.sessionEndsSoon)).toBeHidden()
})

test('refetching changes of others does not extend the session', { tag: '@long' }, async ({ page, product, signIn, browser }) => {
  const [reader, writer] = [await product.person({ fullName: 'Dana Kim' }), await product.person({ fullName: 'Ada Novak', admin: true })]
  const { projectId, tickets } = await makeTitanium(product, reader)
  await signIn(page, reader)
  await listenAt(page, `/view-project/${projectId}`)
  await expect(page.locator(`tr[data-key="${tickets.flicker}"]`)).toBeVisible()
  const own = await page.context().request.get(connstate.path)
  expect(own.ok()).toBe(true)

  const other = await browser.newContext({ baseURL: product.url })
  const beside = await other.newPage()
  await signIn(beside, writer)
  const reads: (string | undefined)[] = []
  page.on('request', request => request.url().includes('/query-tickets') && reads.push(request.headers()['x-background']))
  await callBeside(beside, setTicketData, { idTicket: tickets.flicker, Title: 'Changed by somebody else' })
  await expect(page.getByText('Changed by somebody else')).toBeVisible()
  expect(reads.length).toBeGreaterThan(0)
  expect(reads).toEqual(reads.map(() => '1'))
  await other.close()
})
