import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { makeMember, makeProject, makeTickets } from '@tessera/server/test/fixtures/factories'
import { callBeside } from '../call.ts'
import { expect, test } from '../fixtures.ts'

test("a long list loads by page and renders only the rows in sight; after somebody else's change it refetches those, and the rest when they come into sight", {
  tag: '@long',
}, async ({ page, product, signIn, browser }) => {
  test.setTimeout(90_000)
  const [reader, writer] = [await product.person(), await product.person({ admin: true })]
  const project = await makeProject(product.db, reader.idOrganization, { title: 'Long' })
  await makeMember(product.db, reader.idOrganization, project.projectId, reader.idUser)
  const ids = await makeTickets(product.db, reader.idOrganization, project, 650, 'Number')
  await signIn(page, reader)
  await page.goto(`/view-project/${project.projectId}?q=id%3A%3E0`)
  await expect(page.getByText('Number 650')).toBeVisible()
  await expect(async () => {
    await page.mouse.wheel(0, 5000)
    await expect(page.getByText('Number 1', { exact: true })).toBeVisible({ timeout: 200 })
  }).toPass({ timeout: 20_000 })
  // The number of rendered rows does not grow with scrolling.
  expect(await page.locator('tr[data-key]').count()).toBeLessThan(80)
  await expect(page.getByRole('treegrid')).toHaveAttribute('aria-rowcount', '652')
  // The head stays, under the title bar.
  expect((await page.getByRole('columnheader', { name: 'Description' }).boundingBox())?.y).toBeLessThan(60)

  const other = await browser.newContext({ baseURL: product.url })
  const beside = await other.newPage()
  await signIn(beside, writer)
  const rename = (number: number, Title: string) => callBeside(beside, setTicketData, { idTicket: ids[number - 1] ?? 0, Title })
  let reads = 0
  page.on('request', request => {
    if (!request.url().endsWith(queryTickets.path)) return
    // The total is requested separately.
    if (request.postDataJSON().Limit !== 1) reads += 1
  })
  const long = `Renamed in sight ${'w'.repeat(400)}`
  await rename(3, long)
  await expect(page.getByText('Renamed in sight')).toBeVisible()
  expect(reads).toBeLessThanOrEqual(3)

  await rename(325, 'Renamed out of sight')
  await page.waitForTimeout(1500)
  expect(reads).toBeLessThanOrEqual(6)
  const renamed = page.locator('td.title', { hasText: 'Renamed in sight' })
  await renamed.hover()
  await expect(renamed).toHaveAttribute('title', long)
  await page.getByText('Number 7', { exact: true }).hover()
  // Jumps straight to the middle: the wheel could pass the row before a slow answer comes, or between two steps.
  await page.evaluate(() => window.scrollTo(0, (document.documentElement.scrollHeight - window.innerHeight) / 2))
  await expect(page.getByText('Renamed out of sight')).toBeVisible()
  // Its row is another ticket's by now.
  await expect(page.locator('tr[data-key] [title]')).toHaveCount(0)
  await page.locator('tr[data-key]').last().focus()
  await page.keyboard.press('Home')
  await expect(page.locator('tr:focus')).toContainText('Number 650')
  await other.close()
})
