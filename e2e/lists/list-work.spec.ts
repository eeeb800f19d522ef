import { makeMember } from '@tessera/server/test/fixtures/factories'
import { expect, listenAt, test } from '../fixtures.ts'
import { rowsOf, saveBeside } from './rows.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 120_000 })

test('the list keeps columns, sort, filters and views in the address', { tag: '@long' }, async ({ page, titanium, shoot }) => {
  const { projectId, shortCode, tickets } = await titanium({ admin: true })
  await page.goto(`/view-project/${projectId}`)
  await expect(rowsOf(page)).toHaveCount(5)
  for (const name of ['ID', 'Type', 'Phase', 'State', 'Description', 'Subordinates'])
    await expect(page.getByRole('columnheader', { name }).first()).toBeVisible()
  await page.getByRole('button', { name: `Expand ${shortCode}-${tickets.kernel}` }).click()
  await page.getByRole('button', { name: `Expand ${shortCode}-${tickets.loader}` }).click()
  await expect(rowsOf(page)).toHaveCount(11)
  await expect(page).toHaveURL(new RegExp(`open=${tickets.kernel}%2C${tickets.loader}|open=${tickets.kernel},${tickets.loader}`))
  await shoot(page, 'project', { all: true })

  const head = page.getByRole('columnheader', { name: 'State', exact: true })
  await page.getByRole('button', { name: 'Sort by State' }).click()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(rowsOf(page).first()).toContainText('Open')
  await page.getByRole('button', { name: 'Sort by ID' }).click()
  await page.getByRole('button', { name: 'Sort by State' }).click()
  await expect(page).toHaveURL(/sort=State\.desc(%2C|,)ID\.asc/)
  await page.getByRole('button', { name: 'Sort by State' }).click()
  await expect(head).not.toHaveAttribute('aria-sort')

  await page.getByRole('button', { name: 'Load View' }).click()
  await page.getByRole('menuitem', { name: 'My active tickets' }).click()
  await expect(page.getByLabel('My Tickets')).toBeChecked()
  await expect(rowsOf(page).filter({ has: page.getByRole('img', { name: 'You are assigned to this ticket' }) })).toHaveCount(3)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Phase: Active' })).toBeVisible()
  await shoot(page, 'project-filtered')
  await page.getByLabel('Filter ID').fill('zzz')
  await expect(page.getByText('No ticket matches')).toBeVisible()
  await shoot(page, 'project-nothing-matches')
  await page.getByRole('button', { name: 'CLEAR FILTERS' }).click()
  await expect(page.getByLabel('Filter ID')).toHaveValue('')
  await expect(page.getByLabel('My Tickets')).not.toBeChecked()
  await page.getByRole('button', { name: 'Type: All' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Epic' }).click()
  await page.keyboard.press('Escape')
  await expect(rowsOf(page).filter({ hasText: 'Epic' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Clear Type' }).click()

  await page.locator('[data-tip^="Child tickets:"]').first().hover()
  await expect(page.getByRole('tooltip')).toHaveText(/^Child tickets: \d proposed, \d active, \d inactive$/)
})

test('the tree is operated with the keyboard alone', async ({ page, titanium }) => {
  const { projectId, tickets } = await titanium()
  await page.goto(`/view-project/${projectId}?sort=ID.desc`)
  await expect(rowsOf(page)).toHaveCount(5)
  const current = page.locator('tr:focus')
  await page.keyboard.press('j')
  await expect(current).toContainText('Kernel')
  await page.keyboard.press('ArrowRight')
  await expect(current).toHaveAttribute('aria-expanded', 'true')
  await expect(rowsOf(page)).toHaveCount(8)
  await page.keyboard.press('ArrowRight')
  await expect(current).toHaveAttribute('aria-level', '2')
  await page.keyboard.press('ArrowLeft')
  await expect(current).toHaveAttribute('aria-level', '1')
  await page.keyboard.press('ArrowLeft')
  await expect(rowsOf(page)).toHaveCount(5)
  await page.keyboard.press('End')
  await expect(current).toContainText('Local notifications')
  await page.keyboard.press('k')
  await expect(current).toContainText('Date picker')
  await page.keyboard.press('Home')
  await page.keyboard.press('f')
  await expect(page.getByLabel('Filter Description')).toBeFocused()
  await page.keyboard.press('Escape')
  await rowsOf(page).first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/view-ticket/${tickets.kernel}`))
})

test('a middle click on a ticket’s link opens a new tab', async ({ page, titanium, context }) => {
  const { projectId, tickets } = await titanium()
  await page.goto(`/view-project/${projectId}`)
  const opened = context.waitForEvent('page')
  await rowsOf(page).getByText('Kernel: replace').click({ button: 'middle' })
  await expect(await opened).toHaveURL(new RegExp(`/view-ticket/${tickets.kernel}`))
  await expect(page).toHaveURL(new RegExp(`/view-project/${projectId}`))
})

test("a list and a ticket that are open show the other person's save by themselves", { tag: '@long' }, async ({
  page,
  product,
  titanium,
  signIn,
  browser,
}) => {
  const { projectId, tickets, shortCode } = await titanium()
  const other = await product.person({ fullName: 'Ada Novak' })
  await makeMember(product.db, other.idOrganization, projectId, other.idUser)
  const context = await browser.newContext({ baseURL: product.url })
  const beside = await context.newPage()
  await signIn(beside, other)

  await listenAt(page, `/view-project/${projectId}`)
  await expect(rowsOf(page)).toHaveCount(5)
  await saveBeside(beside, { idTicket: tickets.kernel, Title: 'Kernel: another engine' })
  await expect(rowsOf(page).getByText('Kernel: another engine')).toBeVisible()

  await listenAt(page, `/view-ticket/${tickets.loader}`)
  await page.getByLabel('Acceptance').fill('Half a sentence, not yet')
  await saveBeside(beside, { idTicket: tickets.loader, data: { component: 'Loader' } })
  await expect(page.getByLabel('Component')).toHaveValue('Loader')
  await expect(page.getByLabel('Acceptance')).toHaveValue('Half a sentence, not yet')
  await expect(page.getByLabel('Acceptance')).toBeFocused()
  await saveBeside(beside, { idTicket: tickets.loader, data: { note: 'A whole one.' } })
  await expect(page.getByText('Ada Novak changed Acceptance to:')).toBeVisible()
  await page.getByRole('button', { name: 'TAKE THEIRS' }).click()
  await expect(page.getByLabel('Acceptance')).toHaveValue('A whole one.')
  await expect(page.getByRole('button', { name: 'SAVE' }).first()).toBeDisabled()
  await expect(page.getByRole('link', { name: `${shortCode}-${tickets.kernel}` })).toBeVisible()
  await context.close()
})
