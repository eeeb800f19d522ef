import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const fact = (page: Page, term: string) => page.locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${term}$`) }) })

test('labels: made and chosen on the ticket, shown and filtered in the list, merged and brought back in the configuration', async ({
  page,
  product,
  titanium,
  axe,
  shoot,
}) => {
  const { person, projectId, tickets } = await titanium({ admin: true })
  const [, crash] = await product.db
    .insertInto('label')
    .values([
      { organization_id: person.idOrganization, project_id: projectId, name: 'regression', color: '#f5b800' },
      { organization_id: person.idOrganization, project_id: projectId, name: 'crash', color: '#d92d20' },
    ])
    .returning('id')
    .execute()
  await product.db
    .insertInto('ticket_label')
    .values({ organization_id: person.idOrganization, ticket_id: tickets.rotation, label_id: crash?.id as number })
    .execute()

  await page.goto(`/view-ticket/${tickets.flicker}`)
  const row = fact(page, 'Labels')
  await expect(row).toContainText('None')
  await row.getByRole('button', { name: 'Edit labels' }).click()
  const field = page.getByRole('combobox', { name: 'Labels' })
  await field.fill('regr')
  await page.keyboard.press('Enter')
  // A label that is not there yet is made on the way.
  await field.fill('Customer')
  await page.getByRole('option', { name: 'Create the label “Customer”' }).click()
  await expect(row.getByRole('button', { name: 'Remove Customer' })).toBeVisible()
  await field.fill('c')
  await axe(page)
  await field.press('Escape')
  await field.press('Escape')
  await expect(row.getByRole('button', { name: 'Edit labels' })).toBeFocused()
  await page.getByRole('button', { name: /^SAVE/ }).click()
  await expect(page.getByText(/ saved$/)).toBeVisible()
  await page.reload()
  await expect(row).toContainText('Customerregression')

  await page.goto(`/view-project/${projectId}`)
  const listed = page.locator('tr[data-key]')
  await expect(listed.filter({ hasText: 'List view flickers' })).toContainText('Customerregression')
  await page.getByRole('button', { name: 'Labels: All labels' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'crash' }).click()
  await page.keyboard.press('Escape')
  await expect(listed).toHaveCount(1)
  await expect(page).toHaveURL(/label=/)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Labels: crash' })).toBeVisible()
  await expect(listed).toHaveCount(1)
  await page.goto(`/view-project/${projectId}`)
  await expect(listed.first()).toBeVisible()
  await shoot(page, 'labels-list')

  await page.goto(`/edit-project/${projectId}`)
  const card = page.getByRole('region', { name: 'Labels' }).first()
  await card.getByRole('checkbox', { name: 'Select crash' }).check()
  await card.getByRole('checkbox', { name: 'Select regression' }).check()
  await card.getByRole('button', { name: 'MERGE 2 LABELS' }).click()
  await page.getByRole('combobox', { name: 'The label that stays' }).click()
  await page.getByRole('option', { name: 'regression' }).click()
  await page.getByRole('button', { name: 'MERGE', exact: true }).click()
  await expect(page.getByText('1 label merged into regression')).toBeVisible()
  await expect(card.getByRole('row', { name: /regression/ })).toContainText('2 tickets')
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(card.getByRole('row', { name: /crash/ })).toContainText('1 ticket')
  await card.getByRole('button', { name: 'NEW LABEL' }).click()
  await page.getByRole('textbox', { name: 'Label' }).fill('docs')
  await page.getByRole('radio', { name: 'Sky' }).check({ force: true })
  await axe(page)
  await page.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(card.getByRole('row', { name: /docs/ })).toBeVisible()
  await shoot(page, 'labels-project')
})
