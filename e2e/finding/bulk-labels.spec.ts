import { setLabel } from '@tessera/contract/projects/labels'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { callBeside } from '../call.ts'
import { expect, test } from '../fixtures.ts'

test('the labels of the selected tickets are replaced by others', { tag: '@long' }, async ({ page, titanium, axe }) => {
  const { projectId: idProject, tickets } = await titanium({ admin: true })
  const label = async (Label: string) => (await callBeside(page, setLabel, { idProject, Label, Color: '#aa0000' })).idLabel
  const [urgent, stale] = [await label('urgent'), await label('stale'), await label('idle')]
  await callBeside(page, setTicketData, { idTicket: tickets.kernel, Labels: [{ idLabel: stale, Enabled: 1 }] })
  await callBeside(page, setTicketData, { idTicket: tickets.rotation, Labels: [{ idLabel: urgent, Enabled: 1 }] })
  await page.goto(`/view-project/${idProject}?phase=1,2,3`)
  const row = (id: number) => page.locator(`tr[data-key="${id}"]`)
  await row(tickets.kernel).getByRole('checkbox').click()
  await row(tickets.rotation).getByRole('checkbox').click()
  await page.getByRole('region', { name: 'Selected tickets' }).getByRole('button', { name: 'CHANGE…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'What to change' }).click()
  await page.getByRole('option', { name: 'Replace all labels with' }).click()
  await expect(dialog).toContainText('The tickets will have no labels')
  await dialog.getByRole('combobox', { name: 'Replace all labels with' }).click()
  await page.getByRole('option', { name: 'urgent' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('combobox', { name: 'What else to change' }).click()
  await expect(page.getByRole('option', { name: 'Parent' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Add labels' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await axe(page)
  await dialog.getByRole('button', { name: 'PREVIEW' }).click()
  await expect(dialog.getByRole('status')).toContainText('1 ticket changes, 1 stays the same')
  await dialog.getByRole('button', { name: 'APPLY' }).click()
  await expect(row(tickets.kernel)).toContainText('urgent')
  await expect(row(tickets.kernel)).not.toContainText('stale')
})
