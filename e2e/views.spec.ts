import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const rows = (page: Page) => page.locator('tr[data-key]')
const headings = (page: Page) => page.locator('tr.group')

async function viewMenu(page: Page, choice: string, role: 'menuitem' | 'menuitemcheckbox' = 'menuitem') {
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await page.getByRole(role, { name: choice, exact: true }).click()
  if (role === 'menuitemcheckbox') await page.keyboard.press('Escape')
}

test('a list is laid out, grouped, asked and saved as a view; the view comes back, is changed, exported and deleted', async ({
  page,
  titanium,
  shoot,
}) => {
  const { projectId: idProject } = await titanium()
  await page.goto(`/view-project/${idProject}`)
  await expect(rows(page)).toHaveCount(5)

  // All levels with one request for each, then none.
  const asked: string[] = []
  page.on('request', request => request.url().includes('query-tickets') && asked.push(request.postData() ?? ''))
  await viewMenu(page, 'Expand all')
  await expect(page.locator('tr[data-key][aria-level="3"]')).not.toHaveCount(0)
  expect(asked.filter(text => /idParent/.test(text)).length).toBeLessThanOrEqual(3)
  await viewMenu(page, 'Collapse all')
  await expect(rows(page)).toHaveCount(5)

  await viewMenu(page, 'List', 'menuitemcheckbox')
  await expect(page.locator('tr[data-key] .chevron')).toHaveCount(0)
  await viewMenu(page, 'Group by State', 'menuitemcheckbox')
  await expect(headings(page).first()).toContainText('Open')
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  const field = page.getByRole('combobox', { name: 'Query' })
  await expect(field).toBeFocused()
  await field.fill('is:open stat:x')
  await field.press('Escape')
  await field.press('Enter')
  await expect(page.getByText(/nothing named 'stat'/).first()).toBeVisible()
  await field.fill('is:open')
  await field.press('Escape')
  await field.press('Enter')
  await expect(headings(page).getByText('Closed')).toHaveCount(0)
  await page.goto(`${page.url()}&phase=1`)
  await expect(headings(page)).toHaveCount(2)
  await expect(page).toHaveURL(/q=is%3Aopen.*phase=1/)
  await shoot(page, 'views-list')

  await viewMenu(page, 'SAVE VIEW')
  const dialog = page.getByRole('dialog', { name: 'Save View' })
  await dialog.getByLabel('Name').fill('To do')
  await dialog.getByRole('button', { name: 'All of the project' }).click()
  await dialog.getByLabel('Everybody begins with it').check()
  await shoot(page, 'views-save')
  await dialog.getByRole('button', { name: 'SAVE' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/layout=list.*view=\d+/)
  await expect(page.getByText('View To do')).toBeVisible()

  // An address of its own is another view; without one the default is the view, and stands in the address.
  await page.goto(`/view-project/${idProject}?layout=tree&title=zzzz`)
  await expect(page.getByText('No ticket matches')).toBeVisible()
  await page.goto(`/view-project/${idProject}`)
  await expect(page).toHaveURL(/q=is%3Aopen\+phase%3Aproposed.*view=\d+/)
  await expect(headings(page)).toHaveCount(2)

  await page.getByLabel('My Tickets').check()
  await expect(page.getByText('View To do (changed)')).toBeVisible()
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText('(changed)')).toBeHidden()
  await expect(page).toHaveURL(/is%3Amine/)
  await page.getByRole('button', { name: 'Load View' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Clear filters',
    'My active tickets',
    'Active tickets',
    'My proposed tickets',
    'Proposed tickets',
    /^To do\d+$/,
  ])
  await shoot(page, 'views-menu')
  await page.getByRole('menuitem', { name: 'Clear filters' }).click()
  await expect(page.getByText('View To do')).toBeHidden()
  await expect(page).not.toHaveURL(/q=/)

  const download = page.waitForEvent('download')
  await page.getByLabel('Description').first().fill('kroll')
  await expect(page).toHaveURL(/title=kroll/)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
  expect(decodeURIComponent((await download).url())).toContain('title:"*kroll*"')

  await viewMenu(page, 'SAVED VIEWS')
  await page.getByRole('button', { name: 'Delete To do' }).click()
  await page.getByRole('button', { name: 'DELETE', exact: true }).click()
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByRole('button', { name: 'Move To do' })).toBeVisible()
  await shoot(page, 'views-dialog')
})
