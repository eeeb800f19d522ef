import { expect, test } from '../fixtures.ts'

test('a text field with few values becomes a SELECT, once its preview finds no value that does not fit', { tag: '@long' }, async ({
  page,
  product,
  titanium,
  axe,
}) => {
  const { projectId, tickets, person, fields } = await titanium()
  const ofField = { organization_id: person.idOrganization, field_id: fields.note }
  const set = (ticket_id: number, value: string) =>
    product.db
      .insertInto('ticket_value')
      .values({ ...ofField, ticket_id, value })
      .onConflict(conflict => conflict.columns(['organization_id', 'ticket_id', 'field_id']).doUpdateSet({ value }))
      .execute()
  await set(tickets.loader, 'Android')
  await set(tickets.kernel, 'Android\nand iOS')
  await page.goto(`/edit-project/${projectId}`)
  const list = page.getByRole('region', { name: 'Ticket Fields' })
  const dialog = page.getByRole('dialog', { name: 'Edit Ticket Field' })
  const choose = async () => {
    await list.getByRole('button', { name: 'Acceptance', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Control type' }).click()
    await page.getByRole('option', { name: 'SELECT', exact: true }).click()
  }
  await choose()
  await expect(dialog).toContainText('1 of 2 tickets has a value that does not fit, so the type cannot change:')
  await expect(dialog.getByRole('listitem')).toContainText('has several lines')
  await expect(dialog.getByRole('button', { name: 'SAVE' })).toBeDisabled()
  await axe(page)
  await dialog.getByRole('button', { name: 'CANCEL' }).click()

  await set(tickets.kernel, 'iOS')
  await page.reload()
  await choose()
  await expect(dialog).toContainText('The values of all 2 tickets fit. The options: Android, iOS.')
  await dialog.getByRole('button', { name: 'SAVE' }).click()
  await expect(dialog).toBeHidden()
  await expect(list.getByRole('row', { name: 'Acceptance' })).toContainText('SELECT')
})
