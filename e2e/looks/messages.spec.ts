import type { Page } from '@playwright/test'
import { events } from '@tessera/contract/projects/live'
import { permissionMask } from '@tessera/server/lib/authorize'
import { makeMember, makeOrganization, makeProject } from '@tessera/server/test/fixtures/factories'
import { expect, type Person, type Product, prepareRoutes, pressAfter, test } from '../fixtures.ts'

// The messages of projects, people, profile, passwords and uploads are caused where those screens are driven.

const answerBroken = (page: Page, url: RegExp) => page.route(url, route => route.fulfill({ status: 500, body: '' }))

/** Leaves the person only these permissions, while the page is open. */
async function allowOnly({ db }: Product, { idOrganization, idUser }: Person, permissions: number[]) {
  await db
    .updateTable('project_member')
    .set({ permissions: permissionMask(permissions) })
    .where('organization_id', '=', idOrganization)
    .where('user_id', '=', idUser)
    .execute()
}
const toast = (page: Page, text: string | RegExp) => page.locator('[data-toast]').filter({ hasText: text })

test('a server that fails while signing in, and while signing out [2.9] [8.2] [8.36]', async ({ page, product, signIn }) => {
  await prepareRoutes(page)
  await page.goto('/login')
  await answerBroken(page, /authenticate/)
  await page.getByLabel('Login name').fill('somebody')
  await page.getByLabel('Password').fill('secret')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Login failed, server problem detected')
  await page.unroute(/authenticate/)
  await signIn(page, await product.person())
  await page.goto('/home')
  await answerBroken(page, /logout/)
  const refused = page.waitForResponse(/logout/)
  await page.getByRole('button', { name: 'Logout' }).click()
  await refused
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('banner')).toContainText('Tessera - Welcome')
  await expect(toast(page, /./)).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('Edit User: what is wrong keeps SAVE off; a refused and a broken save say which [5.1] [5.2] [5.5] [8.6] [8.7] [8.8]', async ({
  page,
  product,
  signIn,
}) => {
  await prepareRoutes(page)
  const idOrganization = await makeOrganization(product.db, 'Message Works')
  const admin = await product.person({ admin: true, idOrganization })
  const other = await product.person({ fullName: 'Lee Park', idOrganization })
  await signIn(page, admin)
  await page.goto('/home')
  await page.getByRole('button', { name: other.login }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit User' })
  const save = dialog.getByRole('button', { name: 'SAVE' })
  await dialog.getByLabel('Full Name').fill('Lee Parker')
  await expect(save).toBeEnabled()
  await dialog.getByLabel('Login Name').fill('   ')
  await expect(save).toBeDisabled()
  await dialog.getByLabel('Login Name').fill(other.login)
  await dialog.getByLabel('Email Address').fill('no address')
  await expect(save).toBeDisabled()
  for (const label of ['Email Address', 'Full Name', 'Greeting Name']) await dialog.getByLabel(label).fill('')
  await expect(save).toBeEnabled()

  await dialog.getByLabel('Login Name').fill(admin.login)
  await save.click()
  await expect(toast(page, /^An error occurred saving changes/)).toBeVisible()
  await expect(dialog.getByLabel('Login Name')).toBeFocused()
  await expect(dialog.getByLabel('Login Name')).toHaveAccessibleDescription(/taken/)
  await dialog.getByLabel('Login Name').fill(other.login)
  await expect(dialog.getByLabel('Login Name')).toHaveAccessibleDescription('')
  await answerBroken(page, /set-user-data-admin/)
  await save.click()
  await expect(toast(page, 'A page access error occurred saving changes')).toBeVisible()
  await page.unroute(/set-user-data-admin/)
  await save.click()
  await expect(toast(page, 'User updated')).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('permissions lost after the ticket was opened: saves fail with a message and lose nothing [8.13] [8.29] [8.31]', async ({
  page,
  product,
  titanium,
  shoot,
}) => {
  const { projectId, shortCode, tickets, person } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByLabel('Component').fill('Kernel')
  await page.getByLabel('Add comment').fill('Not lost')
  await allowOnly(product, person, [1])
  await page.getByRole('button', { name: 'SAVE', exact: true }).first().click()
  await expect(toast(page, `Ticket ${shortCode}-${tickets.loader} failed to save`)).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Edit tickets')
  await expect(page.getByLabel('Component')).toHaveValue('Kernel')
  await allowOnly(product, person, [1, 2, 3, 4, 6])
  await page.reload()
  await page.getByLabel('Add comment').fill('Not lost')
  await allowOnly(product, person, [1])
  await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).click()
  await expect(toast(page, 'An error occurred trying to save comment')).toBeVisible()
  await expect(page.getByLabel('Add comment')).toHaveValue('Not lost')
  await page.getByLabel('Add comment').fill('')

  await allowOnly(product, person, [1, 2])
  await page.goto(`/view-project/${projectId}`)
  await page.getByRole('main').getByRole('button', { name: 'ADD TICKET' }).click()
  await page.getByLabel('Title').fill('Never to be')
  await allowOnly(product, person, [1])
  await page.getByRole('button', { name: 'ADD & CLOSE' }).click()
  await expect(toast(page, 'Ticket creation failure')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Never to be')
  await shoot(page, 'ticket-creation-failure')
})

test('a dialog that cannot load shows no toast; a 403 from any call asks to sign in [4.3] [8.5] [8.37]', async ({
  page,
  product,
  titanium,
  signIn,
}) => {
  await prepareRoutes(page)
  const { tickets, projectId, person } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  await answerBroken(page, /get-project-role-list/)
  await page.getByRole('button', { name: 'Edit assignees' }).click()
  const assignees = page.getByRole('dialog', { name: 'Assignees' })
  await expect(assignees.getByRole('button', { name: 'TRY AGAIN' })).toBeVisible()
  await expect(toast(page, /./)).toHaveCount(0)
  await page.unroute(/get-project-role-list/)
  const reconnect = page.getByRole('dialog', { name: 'Reconnect' })
  // The stream of changes would tell the page by itself that its session ended, perhaps before the call does.
  await page.route(`**${events.path}*`, route => route.abort())
  const fillPasswords = async () => {
    await page.getByRole('button', { name: 'CHANGE PASSWORD' }).click()
    await fillPassword(page)
  }
  for (const [path, button, prepare] of [
    [`/view-ticket/${tickets.loader}`, page.getByRole('button', { name: 'Notifications are' })],
    [`/view-ticket/${tickets.loader}`, page.getByRole('button', { name: 'Edit assignees' })],
    [`/view-project/${projectId}`, page.getByRole('button', { name: /^Expand/ }).first()],
    ['/profile', page.getByRole('button', { name: 'CHANGE', exact: true }), fillPasswords],
  ] as const) {
    await signIn(page, person)
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await prepare?.()
    await pressAfter(() => product.db.deleteFrom('session').where('user_id', '=', person.idUser).execute(), button)
    await expect(reconnect).toContainText('Your session has timed out. Enter your credentials to continue with the current session.')
    await expect(toast(page, /./)).toHaveCount(0)
  }
})

async function fillPassword(page: Page) {
  for (const label of ['Current password', 'New password', 'Verify password']) await page.getByLabel(label).fill('a quiet harbour')
}

test('a 200 with Success 0 is a failure, with the message of its call [8.7] [8.10] [8.13] [8.15] [8.19] [8.23] [8.27] [8.28] [8.29] [8.31] [8.33] [8.35]', async ({
  page,
  product,
  titanium,
  signIn,
}) => {
  await prepareRoutes(page)
  const { person, projectId, shortCode, tickets } = await titanium({ admin: true })
  const other = await product.person()
  await makeMember(product.db, person.idOrganization, projectId, other.idUser)
  await page.route(/\/private\/(set|create|change)-/, route => route.fulfill({ json: { Success: 0 } }))
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const failed = async (words: string) => {
    await expect(toast(page, words).first()).toBeVisible()
    // A failure must not also report success.
    await expect(toast(page, /success|saved|was created|User .* created|updated$/)).toHaveCount(0)
  }

  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByRole('button', { name: 'Notifications are' }).click()
  await failed('An error occurred trying to set notification status')
  await page.getByLabel('Add comment').fill('Kept')
  await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).click()
  await failed('An error occurred trying to save comment')
  await expect(page.getByLabel('Add comment')).toHaveValue('Kept')
  await page.getByLabel('Component').fill('Kernel')
  await button('SAVE').first().click()
  await failed(`Ticket ${shortCode}-${tickets.loader} failed to save`)
  await expect(page.getByLabel('Component')).toHaveValue('Kernel')

  await page.goto(`/view-project/${projectId}`)
  await page.getByRole('main').getByRole('button', { name: 'ADD TICKET' }).click()
  await dialog.getByLabel('Title').fill('Never to be')
  await button('ADD & CLOSE').click()
  await failed('Ticket creation failure')
  await expect(dialog.getByLabel('Title')).toHaveValue('Never to be')

  await page.goto('/profile')
  await page.getByLabel('Given name').fill('Dany')
  await button('SAVE').click()
  await failed('Failed to save changes')
  await expect(button('SAVE')).toBeEnabled()
  await button('CHANGE PASSWORD').click()
  await fillPassword(page)
  await button('CHANGE').click()
  await failed('Password update failed')
  await expect(dialog.getByText('Password update failed, try again')).toBeVisible()

  await page.goto(`/edit-project/${projectId}`)
  await page.getByRole('checkbox', { name: `Assign people: ${other.login}` }).click()
  await failed('Permissions update failed')
  await expect(page.getByRole('checkbox', { name: `Assign people: ${other.login}` })).not.toBeChecked()
  await button('NEW STATE').click()
  await dialog.getByLabel('State name').fill('Never')
  await button('ADD').click()
  await failed('Failed to create new state')

  await signIn(page, product.superUser)
  await page.goto('/home')
  await button(other.login).click()
  await dialog.getByLabel('Full Name').fill('Lee Parker')
  await button('SAVE').click()
  await failed('An error occurred saving changes')
  await expect(dialog.getByLabel('Full Name')).toHaveValue('Lee Parker')
  await button('CANCEL').click()
  await button('NEW USER').click()
  await dialog.getByLabel('Login Name').fill('never')
  await dialog.getByLabel('Email Address').fill('never@example.com')
  await button('ADD').click()
  await failed('User creation failure')
  await button('CANCEL').click()
  await button('NEW PROJECT').click()
  await dialog.getByLabel('Title').fill('Never')
  await dialog.getByLabel('ShortCode').fill('NVR')
  await button('ADD').click()
  await failed('Failed to create new project')
  await button('CANCEL').click()
  await button('NEW ORGANIZATION').click()
  await dialog.getByLabel('Title').fill('Never')
  await button('ADD').click()
  await failed('Failed to create new organization')
})

test('an empty list of tickets or organizations shows a message [2.28] [2.49]', async ({ page, product, signIn }) => {
  await prepareRoutes(page)
  const person = await product.person({ manager: true })
  const { projectId } = await makeProject(product.db, person.idOrganization)
  await makeMember(product.db, person.idOrganization, projectId, person.idUser)
  await signIn(page, person)
  await page.goto(`/view-project/${projectId}`)
  await expect(page.getByText('There are no tickets yet')).toBeVisible()
  await page.getByRole('button', { name: 'ADD THE FIRST TICKET' }).click()
  await expect(page.getByRole('dialog', { name: 'New Ticket' })).toBeVisible()
  // A manager always has at least one organization, so the empty list is faked.
  await page.route(/get-organization-list/, route => route.fulfill({ json: [] }))
  await page.goto('/home')
  await expect(page.getByText('There are no organizations to show.')).toBeVisible()
})
