import type { Page } from '@playwright/test'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { searchTickets } from '@tessera/contract/tickets/search'
import { makeMember, makeProject, makeTickets } from '@tessera/server/test/fixtures/factories'
import { callBeside } from '../call.ts'
import { expect, test } from '../fixtures.ts'

// The first journey looks at its page four times with axe.
const field = (page: Page) => page.getByRole('combobox', { name: 'Search tickets' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Search results' }).getByRole('option')

test('a ticket is found from every page by keyboard: while typing, by its key, despite a typing error, on the page of all results', async ({
  page,
  product,
  titanium,
  shoot,
}) => {
  const { person, tickets, shortCode } = await titanium()
  const other = await makeProject(product.db, person.idOrganization, { title: 'Payments', shortCode: `PAY${person.idUser}` })
  await makeMember(product.db, person.idOrganization, other.projectId, person.idUser)
  await makeTickets(product.db, person.idOrganization, other, 60, 'Zeppelin number')
  await callBeside(page, setTicketComment, { idTicket: tickets.flicker, Comment: 'Seen on the quagga emulator' })

  await page.goto('/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('quag')
  await expect(options(page).first().locator('mark')).toHaveText('quag')
  await expect(page.getByRole('status').filter({ hasText: '1 ticket' })).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await options(page).first().getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/view-ticket/${tickets.flicker}`)

  // Ticket keys in every spelling; Enter opens even a result that is not shown yet.
  for (const key of [String(tickets.kernel), `${shortCode}-${tickets.kernel}`, `${shortCode.toLowerCase()}${tickets.kernel}`]) {
    await page.goto('/profile')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(key)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/view-ticket/${tickets.kernel}`)
  }

  // Escape gives the focus back; names are completed; all results are a page.
  await page.keyboard.press('/')
  await page.keyboard.type('zepelin project:pay')
  await expect(options(page).first()).toHaveText(`PAY${person.idUser} Payments`)
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue(`zepelin project:PAY${person.idUser}`)
  await expect(page.getByText('also: zeppelin')).toBeVisible()
  await expect(options(page).filter({ hasText: 'All results (60)' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(options(page)).toHaveCount(0)
  await page.keyboard.press('/')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=zepelin/)
  const results = page.getByRole('list', { name: 'Tickets' }).getByRole('listitem')
  await expect(page.getByText('60 tickets · also: zeppelin')).toBeVisible()
  await expect(results).toHaveCount(50)
  await expect(results.first().locator('mark')).toHaveText('Zeppelin')
  await page.getByRole('button', { name: 'MORE' }).click()
  await expect(results).toHaveCount(60)
  await shoot(page, 'search')
  // The next ticket of the results, and the way back to its row.
  const next = results.nth(50).getByRole('link')
  const title = /Zeppelin number \d+/.exec((await next.textContent()) ?? '')?.[0] ?? ''
  await results.nth(49).getByRole('link').press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ticket Detail')
  await page.keyboard.press(']')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
  await page.goBack()
  await expect(next).toBeFocused()

  // The field of the page: a wrong name, what was meant, another project.
  const query = page.getByRole('combobox', { name: 'Query' })
  await query.fill('stat:open zeppelin')
  await expect(page.getByRole('alert')).toContainText("There is nothing named 'stat', at character 1")
  await page.getByRole('button', { name: 'state', exact: true }).click()
  await expect(page).toHaveURL(/q=state%3Aopen/)
  await expect(results).toHaveCount(50)
  await query.fill('state:')
  await page.getByRole('option', { name: 'Open', exact: true }).click()
  await expect(query).toHaveValue('state:Open')
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'Titanium Mobile' }).click()
  await expect(page).toHaveURL(/project=\d+/)
  await expect(results.filter({ hasText: 'Zeppelin' })).toHaveCount(0)
  await query.fill('nothingofthekind')
  await expect(page.getByText('Nothing was found')).toBeVisible()
  await field(page).fill('nothingofthekind')
  await expect(page.getByText('Nothing was found.', { exact: true })).toBeVisible()
  await expect(options(page)).toHaveCount(0)
})

test('on a phone the search is an icon; an error is shown and can be retried', { tag: '@long' }, async ({ page, titanium, axe }) => {
  const { projectId, tickets } = await titanium()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route(`**${searchTickets.path}`, route => route.fulfill({ status: 500, json: { error: 'Broken', code: 'defect' } }), {
    times: 1,
  })
  await page.goto(`/view-project/${projectId}`)
  await expect(field(page)).toBeHidden()
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(field(page)).toBeFocused()
  await field(page).fill('kernel')
  await expect(page.getByRole('alert')).toContainText('Broken')
  await page.getByRole('button', { name: 'TRY AGAIN' }).click()
  await expect(options(page).first()).toContainText('Kernel')
  await axe(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
  await options(page).first().click()
  await expect(page).toHaveURL(`/view-ticket/${tickets.kernel}`)
  await expect(field(page)).toBeHidden()
})

test('an unknown name is reported while typing, with its position and the names that may be meant', async ({ page, titanium }) => {
  await titanium()
  await page.goto('/home')
  await field(page).fill('is:open stat:open')
  const problem = page.getByRole('alert')
  await expect(problem).toContainText("There is nothing named 'stat', at character 9")
  await expect(problem.getByRole('button')).toHaveCount(3)
  await expect(page.getByRole('option', { name: /All results/ })).toHaveCount(0)
  await problem.getByRole('button', { name: 'state', exact: true }).click()
  await expect(field(page)).toHaveValue('is:open state:open')
  await expect(field(page)).toBeFocused()
  await expect(options(page).filter({ hasText: /-\d+/ })).not.toHaveCount(0)
})
