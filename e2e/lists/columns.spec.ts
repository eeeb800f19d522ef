import { box, expect, test } from '../fixtures.ts'

import { makeLabels } from '../tickets/labels.ts'

test('columns are added to a list, can be sorted by, are kept for the person, and a card shows the first two', { tag: '@long' }, async ({
  page,
  product,
  titanium,
  shoot,
}) => {
  const { person, projectId, tickets } = await titanium()
  const { organization_id, field } = await product.db
    .selectFrom('field')
    .select(['organization_id', 'id as field'])
    .where('organization_id', '=', person.idOrganization)
    .where('project_id', '=', projectId)
    .where('key', '=', 'severity')
    .executeTakeFirstOrThrow()
  const values = [
    [tickets.kernel, 'low'],
    [tickets.flicker, 'high'],
  ] as const
  await product.db
    .insertInto('ticket_value')
    .values(values.map(([ticket_id, value]) => ({ organization_id, ticket_id, field_id: field, value })))
    .execute()
  await makeLabels(product, person.idOrganization, projectId, { regression: [tickets.flicker] })

  await page.goto(`/view-project/${projectId}`)
  const listed = page.locator('tr[data-key]')
  await expect(listed.first()).toBeVisible()
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  for (const name of [/^Severity/, /^Assignees/, /^Labels/, /^Updated/]) await page.getByRole('menuitemcheckbox', { name }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'Severity' })).toBeVisible()
  const row = listed.filter({ hasText: 'List view flickers' })
  await expect(row.locator('td.value').first()).toHaveText('High')
  await expect(row.locator('td.value').nth(1)).toContainText('Dana Kim')
  await expect(row.locator('td.title')).not.toContainText('regression')
  await expect(row.locator('td.value').nth(2)).toContainText('regression')
  // High, then Low: the order of the options; then those without.
  await page.getByRole('button', { name: 'Sort by Severity' }).click()
  await expect(listed.first()).toContainText('List view flickers')
  await expect(listed.nth(1)).toContainText('Kernel')
  await expect(page).toHaveURL(/columns=severity/)

  await page.goto(`/view-project/${projectId}`)
  await expect(row.locator('td.value').first()).toHaveText('High')
  await shoot(page, 'columns')
  // Each has room for a date.
  for (const [width, columns] of [
    [1060, 3],
    [960, 2],
    [820, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await expect(row.locator('td.value')).toHaveCount(columns)
    expect((await box(row.locator('td.value').first())).width).toBeGreaterThan(100)
    expect((await box(row.locator('td.title'))).width).toBeGreaterThan(140)
  }
  // An open tree takes some of it, and leaves the end of the last one within the list.
  for (const parent of [tickets.kernel, tickets.loader])
    await page.getByRole('button', { name: new RegExp(`^Expand .*-${parent}$`) }).click()
  await expect(page.locator('tr[aria-level="3"]').first()).toBeVisible()
  const [cell, whole] = [await box(row.locator('td.value')), await box(row)]
  expect(cell.x + cell.width).toBeLessThan(whole.x + whole.width + 1)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(row.locator('td.value')).toHaveCount(2)
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await expect(page.getByRole('menuitemcheckbox', { name: /No room on this screen/ })).toHaveCount(2)
  await page.keyboard.press('Escape')

  // A long name is cut off where its column ends.
  const { idOrganization } = person
  await product.db
    .updateTable('field')
    .set({ label: 'Severity as the customer of the customer sees it' })
    .where('organization_id', '=', idOrganization)
    .where('id', '=', field)
    .execute()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.reload()
  const head = page.getByRole('columnheader', { name: 'Severity as the customer' })
  const button = head.getByRole('button')
  await expect(button).toBeVisible()
  const right = async (part: typeof head) => part.evaluate(element => element.getBoundingClientRect().right)
  expect(await right(button)).toBeLessThanOrEqual(await right(head))

  // Of an archived field the column stays readable, and can be taken out.
  await product.db
    .updateTable('field')
    .set({ archived_at: new Date() })
    .where('organization_id', '=', idOrganization)
    .where('id', '=', field)
    .execute()
  await page.reload()
  await expect(row.locator('td.value').first()).toHaveText('High')
  await expect(head).toBeVisible()
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: /^Severity.*archived field/ }).click()
  await expect(head).toHaveCount(0)
})
