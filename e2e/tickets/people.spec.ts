import type { Route } from '@playwright/test'
import { makeMember, makeOrganization } from '@tessera/server/test/fixtures/factories'
import { sql } from 'kysely'
import { expect, prepareRoutes, test } from '../fixtures.ts'
import { openLoader } from './page/open-loader.ts'

test('assigning: the search has the focus, the own row is first, one key assigns, and 160 people are not 480 check boxes', async ({
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
  await expect(page.getByRole('button', { name: 'SAVE', exact: true })).toBeVisible()
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

test('a new user gets a welcome mail unless unchecked, again on demand, and is deactivated and reactivated', { tag: '@long' }, async ({
  page,
  product,
  signIn,
  axe,
}) => {
  const idOrganization = await makeOrganization(product.db, 'Account Works')
  const admin = await product.person({ login: 'keeper', admin: true, manager: true, idOrganization })
  const leaver = await product.person({ login: 'leaver', idOrganization })
  await signIn(page, admin)
  await page.goto('/home')
  await page.getByRole('button', { name: 'NEW USER' }).click()
  const dialog = page.getByRole('dialog', { name: 'New User' })
  await expect(dialog.getByRole('checkbox', { name: 'Send a welcome mail' })).toBeDisabled()
  await dialog.getByLabel('Login Name').fill('newcomer')
  await dialog.getByLabel('Email Address').fill('newcomer@example.com')
  await expect(dialog.getByRole('checkbox', { name: 'Send a welcome mail' })).toBeChecked()
  const created = page.waitForRequest(/create-user/)
  await dialog.getByRole('button', { name: 'ADD' }).click()
  expect((await created).postDataJSON()).toMatchObject({ SendWelcome: 1 })

  const users = page.getByRole('list', { name: 'users' })
  await users.getByRole('button', { name: 'newcomer' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit User' })
  await edit.getByRole('button', { name: 'SEND WELCOME MAIL' }).click()
  await expect(page.getByText('A welcome mail is on its way to newcomer@example.com')).toBeVisible()
  await axe(page)
  await edit.getByRole('button', { name: 'CANCEL' }).click()

  await users.getByRole('button', { name: 'leaver' }).click()
  await expect(edit.getByText('The account is active.')).toBeVisible()
  await expect(edit.getByRole('button', { name: 'SEND WELCOME MAIL' })).toHaveCount(0)
  const isDisabled = () =>
    product.db.selectFrom('user_account').select('disabled').where('id', '=', leaver.idUser).executeTakeFirstOrThrow()
  await edit.getByRole('button', { name: 'DEACTIVATE' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'DEACTIVATE' }).click()
  await expect(page.getByText('leaver is deactivated')).toBeVisible()
  await expect(edit.getByRole('button', { name: 'REACTIVATE' })).toBeVisible()
  expect(await isDisabled()).toEqual({ disabled: true })
  await edit.getByRole('button', { name: 'CANCEL' }).click()
  await expect(users.getByRole('button', { name: 'leaver deactivated' })).toBeVisible()
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('leaver can sign in again')).toBeVisible()
  await expect(users.getByRole('button', { name: 'leaver', exact: true })).toBeVisible()
  expect(await isDisabled()).toEqual({ disabled: false })
  // The dialog reactivates a person whom somebody deactivated before.
  await product.db.updateTable('user_account').set({ disabled: true }).where('id', '=', leaver.idUser).execute()
  await page.reload()
  await users.getByRole('button', { name: 'leaver deactivated' }).click()
  await edit.getByRole('button', { name: 'REACTIVATE' }).click()
  await expect(edit.getByRole('button', { name: 'DEACTIVATE' })).toBeVisible()
  expect(await isDisabled()).toEqual({ disabled: false })
})

test('several people get the permissions of a preset at once, and UNDO restores theirs', { tag: '@long' }, async ({
  page,
  product,
  titanium,
  axe,
}) => {
  const { projectId, person } = await titanium()
  for (const name of ['Ada Novak', 'Bo Lind']) {
    const { idUser } = await product.person({ login: name.split(' ')[0]?.toLowerCase() ?? name, fullName: name })
    await makeMember(product.db, person.idOrganization, projectId, idUser, [1, 8])
  }
  await page.goto(`/edit-project/${projectId}`)
  const card = page.getByRole('region', { name: 'User Permissions' })
  const bar = card.getByRole('region', { name: 'Selected users' })
  await expect(bar).toHaveCount(0)
  for (const login of ['ada', 'bo']) await card.getByRole('checkbox', { name: `Select ${login}` }).check()
  await expect(bar).toContainText('2 selected')
  await axe(page)
  await bar.getByRole('button', { name: 'Reporter' }).click()
  await expect(page.getByText('Permissions updated')).toBeVisible()
  await expect(bar).toHaveCount(0)
  const held = async (login: string) => {
    const boxes = card.getByRole('row', { name: login }).getByRole('checkbox', { checked: true })
    return (await boxes.evaluateAll(all => all.map(box => box.getAttribute('aria-label')?.split(':')[0]))).sort()
  }
  const reporter = ['Add attachments', 'Comment', 'Create tickets', 'View tickets']
  await expect.poll(() => held('ada')).toEqual(reporter)
  await expect.poll(() => held('bo')).toEqual(reporter)
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect.poll(() => held('bo')).toEqual(['Manage fields', 'View tickets'])
  for (const [preset, boxes] of [
    ['Viewer', 1],
    ['Contributor', 6],
    ['Lead', 13],
  ] as const) {
    await card.getByRole('checkbox', { name: 'Select bo' }).check()
    await bar.getByRole('button', { name: preset }).click()
    await expect.poll(async () => (await held('bo')).length).toBe(boxes)
  }
})

test('the bell shows and toggles the notifications, after the server has agreed [1.6] [2.62] [4.15] [8.28]', async ({ page, titanium }) => {
  await prepareRoutes(page)
  await openLoader(page, titanium)
  const on = page.getByRole('button', { name: 'Notifications are enabled' })
  const off = page.getByRole('button', { name: 'Notifications are disabled' })
  await on.or(off).waitFor()
  if (await off.isVisible()) await off.click()
  await on.hover()
  await expect(page.getByRole('tooltip')).toHaveText('Notifications are enabled')
  const sent = page.waitForRequest(/set-ticket-notification/)
  const unanswered = async (route: Route) => {
    await expect(on).toBeVisible()
    await route.continue()
  }
  await page.route(/set-ticket-notification/, unanswered, { times: 1 })
  await on.click()
  expect((await sent).postDataJSON()).toMatchObject({ Notify: 0 })
  await page.mouse.move(0, 0)
  await off.hover()
  await expect(page.getByRole('tooltip')).toHaveText('Notifications are disabled')
  await page.reload()
  await expect(off).toBeVisible()
  await page.keyboard.press('m')
  await expect(page.locator('[data-toast]')).toContainText('Notifications are enabled')
  await expect(on).toBeVisible()
  await page.route(/set-ticket-notification/, route =>
    route.fulfill({ status: 500, json: { error: 'Internal Server Error', code: 'internal', requestId: '1' } }),
  )
  await on.click()
  await expect(page.getByText('An error occurred trying to set notification status')).toBeVisible()
  await expect(on).toBeVisible()
})
