import { makeMember } from '@tessera/server/test/factories'
import { sql } from 'kysely'
import { expect, test } from './fixtures.ts'

test('assigning: the search has the focus, the reader is first, one key assigns them, and 160 people are not 480 boxes', async ({
  page,
  product,
  titanium,
  axe,
}) => {
  const { projectId, tickets, person } = await titanium()
  const { idOrganization } = person
  const late = await product.person({ fullName: 'Zoe Late' })
  await makeMember(product.db, idOrganization, projectId, late.idUser)
  await sql`
    with people as (
      insert into user_account (login, full_name) select 'crowd-' || i, 'Crowd Member ' || i from generate_series(1, 160) i returning id),
    members as (insert into organization_member (organization_id, user_id) select ${idOrganization}::bigint, id from people returning user_id)
    select 1 from members`.execute(product.db)
  await sql`
    insert into project_member (organization_id, project_id, user_id, permissions)
    select ${idOrganization}, ${projectId}, id, 1 from user_account where login like 'crowd-%'`.execute(product.db)
  await sql`
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, user_id)
    values (${idOrganization}, 1, 'ticket', ${tickets.flicker}, ${projectId}, ${tickets.flicker}, 'Title', ${late.idUser})`.execute(
    product.db,
  )

  await page.goto(`/view-ticket/${tickets.kernel}`)
  await expect(page.getByRole('button', { name: 'ASSIGN ME' })).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByText('Dana Kim (Assignee)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'SAVE 1 change' })).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByText('Dana Kim (Assignee)')).toBeHidden()

  await page.getByRole('button', { name: 'Edit assignees' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assignees' })
  await expect(dialog.getByRole('searchbox', { name: 'Search' })).toBeFocused()
  const names = dialog.getByRole('rowheader')
  await expect(names.first()).toHaveText('Dana Kim (you)')
  await expect(names.nth(1)).toHaveText('Zoe Late')
  await expect(names).toHaveCount(30)
  await expect(dialog.getByText('132 more: search for them.')).toBeVisible()
  await axe(page)
  // From the search to a box, with the keyboard alone.
  await page.keyboard.type('member 77')
  await expect(names).toHaveText(['Crowd Member 77'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(dialog.getByRole('checkbox', { name: 'Crowd Member 77: Assignee' })).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await expect(dialog.getByRole('searchbox', { name: 'Search' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Crowd Member 77 (Assignee)')).toBeVisible()
})
