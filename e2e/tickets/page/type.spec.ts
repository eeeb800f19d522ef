import { expect, test } from '../../fixtures.ts'
import { saveBeside } from '../../lists/rows.ts'
import { openLoader } from './open-loader.ts'

test('a ticket gets another type by keyboard, shows its fields after SAVE, and gets the former type and its values back from the history', async ({
  page,
  titanium,
  axe,
}) => {
  const { code, tickets } = await openLoader(page, titanium)
  await saveBeside(page, { idTicket: tickets.loader, data: { component: 'Kernel' } })
  await expect(page.getByLabel('Component')).toHaveValue('Kernel')
  await page.getByRole('button', { name: 'Type: Story' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveText(['Bug', 'Task', 'Epic', 'Sub-task'])
  await axe(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Type: Bug' })).toBeFocused()
  await expect(page.getByText('was Story; SAVE changes the fields')).toBeVisible()
  // A value of the old type may be part of the same save.
  await page.getByLabel('Component').fill('Loader')
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText(`Ticket ${code} saved`)).toBeVisible()
  await expect(page.getByLabel('Component')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'State: In Review' })).toBeVisible()
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByRole('tabpanel').getByRole('listitem').first()).toContainText('Type Story → Bug')
  await expect(page.getByRole('button', { name: 'RESTORE THIS VALUE: Component' })).toHaveCount(0)
  await page.getByRole('button', { name: 'RESTORE THIS VALUE: Type' }).click()
  await expect(page.getByRole('button', { name: 'Type: Story' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Component' })).toHaveValue('Loader')
})

test('two people change the type, one of them offline; the palette has it too', { tag: '@long' }, async ({
  page,
  context,
  titanium,
  axe,
  complaints,
}) => {
  const { code, tickets, templates } = await openLoader(page, titanium)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Find an action' }).fill('change the type')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Epic' }).click()
  await page.getByLabel('Acceptance').fill('Typed meanwhile')
  await saveBeside(page, { idTicket: tickets.loader, idTemplate: templates.task })
  const clash = page.locator('[data-clash]').filter({ hasText: 'changed Type to' })
  await expect(clash).toContainText('Task')
  await axe(page)
  await clash.getByRole('button', { name: 'KEEP MINE' }).click()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText('You are offline. What you type is kept.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Type: Epic' })).toBeVisible()
  await expect(page.getByLabel('Acceptance')).toHaveValue('Typed meanwhile')
  await context.setOffline(false)
  await expect(page.getByText('You are offline. What you type is kept.')).toBeHidden()
  // Parts that the page fetches ahead.
  expect(complaints.splice(0).filter(complaint => !complaint.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText(`Ticket ${code} saved`)).toBeVisible()
  // Another browser sees it without a reload.
  const other = await context.newPage()
  await other.goto(`/view-ticket/${tickets.loader}`)
  await other.getByRole('button', { name: 'Type: Epic' }).click()
  await other.getByRole('menuitem', { name: 'Story' }).click()
  await other.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Type: Story' })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Type: Story' }).click()
  await page.getByRole('menuitem', { name: 'Sub-task' }).click()
  await expect(page.getByText('was Story; SAVE changes the fields')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await axe(page)
})

test('many tickets get another type, and UNDO gives each its former one back', { tag: '@long' }, async ({ page, titanium }) => {
  const { projectId } = await titanium({ admin: true })
  await page.goto(`/view-project/${projectId}?phase=1,2,3`)
  const rows = page.locator('tr[data-key]')
  const types = page.locator('tr[data-key] td.type')
  await expect(rows.nth(3)).toBeVisible()
  const before = await types.allTextContents()
  await rows.first().getByRole('checkbox').click()
  const bar = page.getByRole('region', { name: 'Selected tickets' })
  await bar.getByRole('button', { name: /^Select all \d+$/i }).click()
  await bar.getByRole('button', { name: 'CHANGE…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'What to change' }).click()
  await page.getByRole('option', { name: 'Type', exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Task', exact: true }).click()
  await dialog.getByRole('button', { name: 'PREVIEW' }).click()
  await expect(dialog.getByText('Bug → Task').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'APPLY' }).click()
  await expect(types).toHaveText(before.map(() => 'Task'))
  await page.locator('[data-toast]').filter({ hasText: 'changed' }).getByRole('button', { name: 'UNDO' }).click()
  await expect(types).toHaveText(before)
})
