import { events } from '@tessera/contract/projects/live'
import { getTicketData } from '@tessera/contract/tickets/tickets'
import { makeMember, makeProject } from '@tessera/server/test/fixtures/factories'
import { expect, type Person, password, pressAfter, test } from '../fixtures.ts'
import { rowsOf, saveBeside } from '../lists/rows.ts'
import { makeTitanium } from '../titanium.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 120_000 })

async function endSession(product: { db: import('@tessera/server/db/db').Db }, { idUser, idOrganization }: Person) {
  await product.db.deleteFrom('session').where('organization_id', '=', idOrganization).where('user_id', '=', idUser).execute()
}

test('the main job: sign in, tree, filter, open, change, save, comment, child, sign out [1.1] [1.4] [1.5] [2.7] [2.10] [8.12] [8.30]', async ({
  page,
  product,
}) => {
  const person = await product.person({ fullName: 'Dana Kim' })
  const { projectId, shortCode, tickets } = await makeTitanium(product, person)
  await page.goto('/login')
  await page.getByLabel('Login name').fill(person.login)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/view-project/${projectId}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Titanium Mobile [${shortCode}]`)
  await expect(page.getByText('13 tickets', { exact: true })).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(5)
  await page.getByRole('button', { name: `Expand ${shortCode}-${tickets.kernel}` }).click()
  await expect(rowsOf(page)).toHaveCount(8)

  await page.getByLabel('Filter Description').fill('module loader')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText('in Kernel: replace the JavaScript engine')
  await rowsOf(page).getByText('Expose the new engine').click()
  await expect(page).toHaveURL(new RegExp(`/view-ticket/${tickets.loader}$`))

  await expect(page.getByRole('button', { name: 'SAVE' })).toBeDisabled()
  await page.getByLabel('Description', { exact: true }).fill('Expose the engine')
  await page.getByLabel('Acceptance').fill('Every sample starts.')
  await page.getByLabel('Severity').click()
  await page.getByRole('option', { name: 'High' }).click()
  await page.getByRole('button', { name: 'State: In Review' }).click()
  await page.getByRole('menuitem', { name: 'Resolved' }).click()
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.loader} saved`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'SAVE' })).toBeDisabled()
  await page.reload()
  await expect(page.getByLabel('Acceptance')).toHaveValue('Every sample starts.')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Expose the engine')
  await expect(page.getByRole('button', { name: 'State: Resolved' })).toBeVisible()

  await page.getByLabel('Add comment').fill('Done on both platforms.')
  await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('Done on both platforms.')).toBeVisible()
  await expect(page.getByLabel('Add comment')).toHaveValue('')

  await page.getByRole('region', { name: 'Child Tickets' }).getByRole('button', { name: 'ADD TICKET' }).click()
  await page.getByLabel('Ticket type').click()
  await page.getByRole('option', { name: 'Sub-task' }).click()
  await page.getByLabel('Title').fill('Write the release note')
  await page.getByRole('button', { name: 'ADD & OPEN' }).click()
  await expect(page.getByText(new RegExp(`Ticket ${shortCode}-\\d+ was created`))).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Write the release note')
  await expect(page.getByRole('link', { name: `${shortCode}-${tickets.loader}` })).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
})

test('a session that ends during an edit keeps the text, and the save is sent afterwards [4.3] [4.4]', async ({
  page,
  product,
  titanium,
}) => {
  const { shortCode, tickets, person } = await titanium()
  // The stream of changes would tell the page by itself that its session ended, perhaps before a call does.
  await page.route(`**${events.path}*`, route => route.abort())
  await page.goto(`/view-ticket/${tickets.loader}`)
  const dialog = page.getByRole('dialog', { name: 'Reconnect' })
  const reconnect = async () => {
    await expect(dialog).toContainText('Your session has timed out.')
    await expect(page).toHaveTitle('Tessera - Session timed out')
    await dialog.getByLabel('Login name').fill(person.login)
    await dialog.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  }
  await page.getByLabel('Acceptance').fill('Not to be lost')
  await page.getByLabel('Add comment').fill('Nor this')
  await pressAfter(() => endSession(product, person), page.getByRole('button', { name: 'SAVE', exact: true }).first())
  await reconnect()
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.loader} saved`)).toBeVisible()
  await expect(page.getByLabel('Add comment')).toHaveValue('Nor this')
  // SAVE has nothing left to save and takes no focus: the page does.
  await expect(page.getByRole('main')).toBeFocused()

  // The cookie is gone with the session: the page's token is no longer good for anything.
  await pressAfter(
    () => page.context().clearCookies(),
    page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }),
  )
  await reconnect()
  await expect(page.getByRole('listitem').filter({ hasText: 'Nor this' })).toBeVisible()
  await expect(page.getByLabel('Add comment')).toHaveValue('')

  // A canceled dialog that leads nowhere, as something is not saved: TRY AGAIN asks again.
  await page.getByLabel('Component').fill('Kernel')
  await pressAfter(() => endSession(product, person), page.getByRole('tab', { name: 'History' }))
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'STAY' }).click()
  await page.getByRole('button', { name: 'TRY AGAIN' }).click()
  await reconnect()
  await expect(page.getByRole('tabpanel')).toContainText('Acceptance')
  await expect(page.getByLabel('Component')).toHaveValue('Kernel')
})

test('a field that somebody else changed meanwhile offers theirs or mine', async ({ page, titanium, shoot }) => {
  const { shortCode, tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByLabel('Acceptance').fill('Mine')
  await page.getByLabel('Component').fill('Kernel')
  await saveBeside(page, { idTicket: tickets.loader, data: { note: 'Theirs', severity: 'low' } })
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText(/changed Acceptance to:/)).toBeVisible()
  await expect(page.locator('[data-clash] q')).toHaveText('Theirs')
  await expect(page.getByLabel('Acceptance')).toHaveValue('Mine')
  // Fields that were not edited follow the other person's save.
  await expect(page.getByRole('combobox', { name: 'Severity' })).toHaveText('Low')
  await shoot(page, 'ticket-clash')
  await page.getByRole('button', { name: 'KEEP MINE' }).click()
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.loader} saved`)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Acceptance')).toHaveValue('Mine')
  await expect(page.getByLabel('Component')).toHaveValue('Kernel')
})

test('typing while a dialog or the query loads triggers no shortcut', async ({ page, titanium }) => {
  const { projectId } = await titanium()
  let loaded = Promise.withResolvers<void>()
  await page.route(/\/assets\/(new-ticket-dialog|query-field)-[^/]*\.js$/, async route => {
    await loaded.promise
    await route.continue()
  })
  await page.goto(`/view-project/${projectId}`)
  await expect(rowsOf(page)).toHaveCount(5)
  await page.keyboard.press('j')
  await page.keyboard.press('c')
  // Each of these is a shortcut, and Enter opens the ticket.
  await page.keyboard.type('exams')
  await page.keyboard.press('Enter')
  loaded.resolve()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  loaded = Promise.withResolvers<void>()
  await page.getByRole('button', { name: 'Query' }).click()
  await page.keyboard.type('assignee:me')
  loaded.resolve()
  await expect(page.getByRole('combobox', { name: 'Query' })).toBeFocused()
  // The field has the text if it was there in time.
  await expect(page).toHaveURL(new RegExp(`/view-project/${projectId}(\\?q=assignee%3Ame)?$`))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText(/Notifications are/)).toHaveCount(0)
})

test('leaving with changes asks first', async ({ page, titanium, axe }) => {
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByLabel('Component').fill('Kernel')
  await page.getByRole('button', { name: 'Home' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Leave without saving?')
  await axe(page)
  await page.getByRole('button', { name: 'STAY' }).click()
  await expect(page.getByLabel('Component')).toHaveValue('Kernel')
  await page.getByRole('button', { name: 'Home' }).click()
  await page.getByRole('button', { name: 'LEAVE' }).click()
  await expect(page).toHaveURL('/home')
})

test('a new ticket: add another keeps the dialog, add and close ends it [9.3]', async ({ page, product, signIn, shoot }) => {
  const person = await product.person({ fullName: 'Dana Kim' })
  const { projectId } = await makeProject(product.db, person.idOrganization, { title: 'Greenfield', shortCode: 'GREEN' })
  await makeMember(product.db, person.idOrganization, projectId, person.idUser, 'all')
  await signIn(page, person)
  await page.goto(`/view-project/${projectId}`)
  await expect(page.getByText('There are no tickets yet')).toBeVisible()
  await shoot(page, 'project-empty')
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  // One project only: no line for it.
  await expect(dialog.getByText('Project', { exact: true })).toBeHidden()
  await shoot(page, 'new-ticket-dialog')
  await expect(dialog.getByRole('button', { name: 'ADD & CLOSE' })).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter a title')).toBeVisible()
  await dialog.getByLabel('Title').fill('First')
  await dialog.getByRole('button', { name: 'ADD & ADD ANOTHER' }).click()
  await expect(page.getByText(/Ticket GREEN-\d+ was created/)).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue('')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await dialog.getByLabel('Title').fill('Second')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(rowsOf(page)).toHaveCount(2)
})

test('a project without ticket types says what to do', { tag: '@long' }, async ({ page, product, signIn, axe }) => {
  const person = await product.person({ admin: true })
  const { projectId } = await makeProject(product.db, person.idOrganization)
  await makeMember(product.db, person.idOrganization, projectId, person.idUser, 'all')
  await product.db
    .deleteFrom('template_field')
    .where('organization_id', '=', person.idOrganization)
    .where('project_id', '=', projectId)
    .execute()
  await product.db.deleteFrom('template').where('organization_id', '=', person.idOrganization).where('project_id', '=', projectId).execute()
  await signIn(page, person)
  await page.goto(`/view-project/${projectId}`)
  await page.getByRole('main').getByRole('button', { name: 'ADD TICKET' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('This project has no ticket types yet')
  await expect(dialog.getByRole('button', { name: 'ADD & CLOSE' })).toBeDisabled()
  await axe(page)
  await dialog.getByRole('link', { name: 'Add a ticket template' }).click()
  await expect(page).toHaveURL(`/edit-project/${projectId}`)
})

test('a viewer sees why nothing can be changed, and no buttons for it', { tag: '@long' }, async ({ page, titanium, shoot }) => {
  const { projectId, tickets } = await titanium({ fullName: 'Vera Looker' }, [1])
  await page.goto(`/view-ticket/${tickets.loader}`)
  await expect(page.getByText('Needs the permission Edit tickets')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Acceptance' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Acceptance' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'State: In Review' })).toBeDisabled()
  await expect(page.getByLabel('Add comment')).toBeDisabled()
  await page.getByRole('button', { name: 'State: In Review' }).hover({ force: true })
  await expect(page.getByRole('tooltip')).toContainText('Needs the permission Change state')
  await shoot(page, 'ticket-read-only')
  await page.goto(`/view-project/${projectId}`)
  await expect(page.getByRole('main').getByRole('button', { name: 'ADD TICKET' })).toBeDisabled()
  await page.goto('/view-ticket/999999')
  await expect(page.getByText('There is no such ticket')).toBeVisible()
  await expect(page.getByRole('link', { name: 'GO HOME' })).toBeVisible()
  await page.goto('/view-project/abc')
  await expect(page.getByText('There is no such project')).toBeVisible()
  await page.getByRole('link', { name: 'GO HOME' }).click()
  await expect(page).toHaveURL('/home')
})

test('adding a ticket takes at most five calls, from opening the dialog to the ticket in the list', async ({ page, titanium }) => {
  const { projectId, tickets, shortCode } = await titanium()
  await page.goto(`/view-project/${projectId}`)
  await page.getByRole('button', { name: `Expand ${shortCode}-${tickets.kernel}` }).click()
  await expect(rowsOf(page)).not.toHaveCount(5)
  const calls: string[] = []
  page.on('request', request => {
    // A row below the pointer fetches its ticket ahead, which is no part of adding one.
    if (request.method() === 'POST' && !request.url().endsWith(getTicketData.path)) calls.push(new URL(request.url()).pathname)
  })
  await page.getByRole('banner').getByRole('button', { name: 'ADD TICKET' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Counted')
  await page.getByRole('button', { name: 'ADD & CLOSE' }).click()
  await expect(rowsOf(page).first()).toContainText('Counted')
  // Refetches for others' changes come within half a second, and for the echo of this one too.
  await page.waitForTimeout(1000)
  expect(calls.length, calls.join(' ')).toBeLessThanOrEqual(5)
})

test('a save and a comment read again only what they concern, once', async ({ page, titanium }) => {
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.kernel}`)
  await expect(page.getByRole('main').locator('tr[data-key]').first()).toBeVisible()
  await page.waitForTimeout(1000)
  const calls: string[] = []
  page.on('request', request => {
    const call = /private\/([^/]+)\.json\.php/.exec(request.url())?.[1]
    // Who mentions the ticket takes a search, which comes at most every five seconds.
    if (call && call !== 'get-ticket-links') calls.push(call)
  })
  const until = async (call: string) => {
    await expect.poll(() => calls).toContain(call)
    await page.waitForTimeout(1000)
    return calls.splice(0).sort()
  }
  await page.getByLabel('Description', { exact: true }).fill('Counted')
  await page.getByRole('button', { name: 'SAVE' }).click()
  const ofTicket = ['get-ticket-comments', 'get-ticket-data', 'query-tickets', 'set-ticket-data']
  expect(await until('set-ticket-data')).toEqual(ofTicket)
  await page.getByLabel('Add comment').fill('Counted')
  await page.getByLabel('Add comment').press('Control+Enter')
  await expect(page.getByLabel('Add comment')).toHaveValue('')
  const ofComment = ['get-ticket-comments', 'get-ticket-data', 'set-ticket-comment']
  expect(await until('set-ticket-comment')).toEqual(ofComment)
})
