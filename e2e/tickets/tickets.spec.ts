import type { Page } from '@playwright/test'
import { events } from '@tessera/contract/live'
import { getTicketData, setTicketData } from '@tessera/contract/tickets'
import { makeMember, makeProject, makeTicket } from '@tessera/server/test/data/factories'
import { jpeg } from '@tessera/server/test/data/hostile-files'
import { expect, lines, listenAt, type Person, password, test } from '../fixtures.ts'
import { makeTitanium } from '../titanium.ts'

// A picture is four pages read by axe.
test.describe.configure({ timeout: 120_000 })

const rowsOf = (page: Page) => page.locator('tr[data-key]')

/** Sends a save as the page's own session, without the page. */
async function saveBeside(page: Page, input: { idTicket: number; data?: Record<string, string>; Title?: string }) {
  const token = (await page.context().cookies()).find(({ name }) => name.endsWith('XSRF-TOKEN'))?.value ?? ''
  const answer = await page.request.post(setTicketData.path, { data: input, headers: { 'x-xsrf-token': decodeURIComponent(token) } })
  expect(answer.status()).toBe(200)
}
async function endSession(product: { db: import('@tessera/server/db/db').Db }, { idUser, idOrganization }: Person) {
  await product.db.deleteFrom('session').where('organization_id', '=', idOrganization).where('user_id', '=', idUser).execute()
}

test('the main job: sign in, tree, filter, open, change, save, comment, child, sign out [1.1] [1.4] [2.7] [2.10] [8.12] [8.30]', async ({
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
  await page.getByRole('button', { name: 'SAVE 4 changes' }).click()
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

test('a session that ends in the middle of an edit keeps the text, and what was to be saved is saved afterwards [4.3] [4.4]', async ({
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
    await dialog.getByLabel('Login name').fill(person.login)
    await dialog.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  }
  await page.getByLabel('Acceptance').fill('Not to be lost')
  await page.getByLabel('Add comment').fill('Nor this')
  await endSession(product, person)
  await page.getByRole('button', { name: 'SAVE 1 change' }).click()
  await reconnect()
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.loader} saved`)).toBeVisible()
  await expect(page.getByLabel('Add comment')).toHaveValue('Nor this')

  // The cookie is gone with the session: the page's token is no longer good for anything.
  await page.waitForLoadState('networkidle')
  await page.context().clearCookies()
  await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).click()
  await reconnect()
  await expect(page.getByRole('listitem').filter({ hasText: 'Nor this' })).toBeVisible()
  await expect(page.getByLabel('Add comment')).toHaveValue('')

  // A cancelled dialog that leads nowhere, as something is not saved: TRY AGAIN asks again.
  await page.getByLabel('Component').fill('Kernel')
  await page.waitForLoadState('networkidle')
  await endSession(product, person)
  await page.getByRole('tab', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'STAY' }).click()
  await page.getByRole('button', { name: 'TRY AGAIN' }).click()
  await reconnect()
  await expect(page.getByRole('tabpanel')).toContainText('Acceptance')
  await expect(page.getByLabel('Component')).toHaveValue('Kernel')
})

test('a field that somebody else changed meanwhile asks: theirs or mine', async ({ page, titanium, shoot }) => {
  const { shortCode, tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByLabel('Acceptance').fill('Mine')
  await page.getByLabel('Component').fill('Kernel')
  await saveBeside(page, { idTicket: tickets.loader, data: { note: 'Theirs', severity: 'low' } })
  await page.getByRole('button', { name: 'SAVE 2 changes' }).click()
  await expect(page.getByText(/changed Acceptance to:/)).toBeVisible()
  await expect(page.locator('[data-clash] q')).toHaveText('Theirs')
  await expect(page.getByLabel('Acceptance')).toHaveValue('Mine')
  // Fields that were not edited follow the other person's save.
  await expect(page.getByRole('combobox', { name: 'Severity' })).toHaveText('Low')
  await shoot(page, 'ticket-clash')
  await page.getByRole('button', { name: 'KEEP MINE' }).click()
  await page.getByRole('button', { name: 'SAVE 2 changes' }).click()
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.loader} saved`)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Acceptance')).toHaveValue('Mine')
  await expect(page.getByLabel('Component')).toHaveValue('Kernel')
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

test('the list: columns, sort, filters and views stand in the address', async ({ page, titanium, shoot }) => {
  const { projectId, shortCode, tickets } = await titanium({ admin: true })
  await page.goto(`/view-project/${projectId}`)
  await expect(rowsOf(page)).toHaveCount(5)
  for (const name of ['ID', 'Type', 'Phase', 'State', 'Description', 'Subordinates'])
    await expect(page.getByRole('columnheader', { name }).first()).toBeVisible()
  await page.getByRole('button', { name: `Expand ${shortCode}-${tickets.kernel}` }).click()
  await page.getByRole('button', { name: `Expand ${shortCode}-${tickets.loader}` }).click()
  await expect(rowsOf(page)).toHaveCount(11)
  await expect(page).toHaveURL(new RegExp(`open=${tickets.kernel}%2C${tickets.loader}|open=${tickets.kernel},${tickets.loader}`))
  await shoot(page, 'project')

  const head = page.getByRole('columnheader', { name: 'Sort by State' })
  await page.getByRole('button', { name: 'Sort by State' }).click()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(rowsOf(page).first()).toContainText('Open')
  await page.getByRole('button', { name: 'Sort by ID' }).click()
  await page.getByRole('button', { name: 'Sort by State' }).click()
  await expect(page).toHaveURL(/sort=State\.desc(%2C|,)ID\.asc/)
  await page.getByRole('button', { name: 'Sort by State' }).click()
  await expect(head).not.toHaveAttribute('aria-sort')

  await page.getByRole('button', { name: 'Load View' }).click()
  await page.getByRole('menuitem', { name: 'My active tickets' }).click()
  await expect(page.getByLabel('My Tickets')).toBeChecked()
  await expect(rowsOf(page).filter({ has: page.getByRole('img', { name: 'You are assigned to this ticket' }) })).toHaveCount(3)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Phase: Active' })).toBeVisible()
  await shoot(page, 'project-filtered')
  await page.getByLabel('Filter ID').fill('zzz')
  await expect(page.getByText('No ticket matches')).toBeVisible()
  await shoot(page, 'project-nothing-matches')
  await page.getByRole('button', { name: 'CLEAR FILTERS' }).click()
  await expect(page.getByLabel('Filter ID')).toHaveValue('')
  await expect(page.getByLabel('My Tickets')).not.toBeChecked()
  await page.getByRole('button', { name: 'Type: All' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Epic' }).click()
  await page.keyboard.press('Escape')
  await expect(rowsOf(page).filter({ hasText: 'Epic' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Clear Type' }).click()

  await page.locator('[data-tip^="Child tickets:"]').first().hover()
  await expect(page.getByRole('tooltip')).toHaveText(/^Child tickets: \d proposed, \d active, \d inactive$/)
})

test('the tree is worked with the keyboard alone', async ({ page, titanium }) => {
  const { projectId, tickets } = await titanium()
  await page.goto(`/view-project/${projectId}?sort=ID.desc`)
  await expect(rowsOf(page)).toHaveCount(5)
  const current = page.locator('tr:focus')
  await page.keyboard.press('j')
  await expect(current).toContainText('Kernel')
  await page.keyboard.press('ArrowRight')
  await expect(current).toHaveAttribute('aria-expanded', 'true')
  await expect(rowsOf(page)).toHaveCount(8)
  await page.keyboard.press('ArrowRight')
  await expect(current).toHaveAttribute('aria-level', '2')
  await page.keyboard.press('ArrowLeft')
  await expect(current).toHaveAttribute('aria-level', '1')
  await page.keyboard.press('ArrowLeft')
  await expect(rowsOf(page)).toHaveCount(5)
  await page.keyboard.press('End')
  await expect(current).toContainText('Local notifications')
  await page.keyboard.press('k')
  await expect(current).toContainText('Date picker')
  await page.keyboard.press('Home')
  await page.keyboard.press('f')
  await expect(page.getByLabel('Filter Description')).toBeFocused()
  await page.keyboard.press('Escape')
  await rowsOf(page).first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/view-ticket/${tickets.kernel}`))
})

test('a long list loads by page and keeps only the rows in sight', async ({ page, product, signIn }) => {
  const person = await product.person()
  const project = await makeProject(product.db, person.idOrganization, { title: 'Long' })
  await makeMember(product.db, person.idOrganization, project.projectId, person.idUser)
  for (let number = 1; number <= 650; number++) await makeTicket(product.db, person.idOrganization, project, { title: `Number ${number}.` })
  await signIn(page, person)
  await page.goto(`/view-project/${project.projectId}`)
  await expect(rowsOf(page).getByText('Number 650.')).toBeVisible()
  await expect(async () => {
    await page.mouse.wheel(0, 5000)
    await expect(rowsOf(page).getByText('Number 1.', { exact: true })).toBeVisible({ timeout: 200 })
  }).toPass({ timeout: 20_000 })
  expect(await rowsOf(page).count()).toBeLessThan(80)
  await expect(page.getByRole('treegrid')).toHaveAttribute('aria-rowcount', '652')
  // The head stays, under the title bar.
  expect((await page.getByRole('columnheader', { name: 'Description' }).boundingBox())?.y).toBeLessThan(60)
  await rowsOf(page).last().focus()
  await page.keyboard.press('Home')
  await expect(page.locator('tr:focus')).toContainText('Number 650.')
})

test('the real link opens a tab of its own on a middle click', async ({ page, titanium, context }) => {
  const { projectId, tickets } = await titanium()
  await page.goto(`/view-project/${projectId}`)
  const opened = context.waitForEvent('page')
  await rowsOf(page).getByText('Kernel: replace').click({ button: 'middle' })
  await expect(await opened).toHaveURL(new RegExp(`/view-ticket/${tickets.kernel}`))
  await expect(page).toHaveURL(new RegExp(`/view-project/${projectId}`))
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

test('a project without ticket types says what to do', async ({ page, product, signIn, axe }) => {
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

test('who may only look is told why, and gets nothing to press', async ({ page, titanium, shoot }) => {
  const { projectId, tickets } = await titanium({ fullName: 'Vera Looker' }, [1])
  await page.goto(`/view-ticket/${tickets.loader}`)
  await expect(page.getByText('to change it you need the permission Edit tickets')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Acceptance' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Acceptance' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'State: In Review' })).toBeDisabled()
  await expect(page.getByLabel('Add comment')).toBeDisabled()
  await page.getByRole('button', { name: 'State: In Review' }).hover({ force: true })
  await expect(page.getByRole('tooltip')).toContainText('Needs the permission Change state in this project')
  await shoot(page, 'ticket-read-only')
  await page.goto(`/view-project/${projectId}`)
  await expect(page.getByRole('main').getByRole('button', { name: 'ADD TICKET' })).toBeDisabled()
  await page.goto('/view-ticket/999999')
  await expect(page.getByText('There is no such ticket')).toBeVisible()
  await page.goto('/view-project/abc')
  await expect(page.getByText('There is no such project')).toBeVisible()
})

test('assignees are chosen in the matrix and saved with the ticket [2.69] [2.120] [3.9] [6.5]', async ({
  page,
  product,
  titanium,
  shoot,
}) => {
  const { projectId, tickets, shortCode } = await titanium()
  const other = await product.person({ fullName: 'Ada Novak' })
  await makeMember(product.db, other.idOrganization, projectId, other.idUser)
  await page.goto(`/view-ticket/${tickets.loader}`)
  await expect(page.getByText('Dana Kim (Responsible)')).toBeVisible()
  await page.getByRole('button', { name: 'Edit assignees' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assignees' })
  await expect(dialog.getByRole('checkbox', { name: 'Dana Kim: Responsible' })).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'OK' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Ada Novak: Reviewer' }).check()
  await dialog.getByRole('checkbox', { name: 'Dana Kim: Responsible' }).uncheck()
  await shoot(page, 'assignees-dialog')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('Ada Novak (Reviewer)')).toBeVisible()
  await page.getByRole('button', { name: 'SAVE 1 change' }).click()
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.loader} saved`)).toBeVisible()
  await page.reload()
  await expect(page.getByText('Ada Novak (Reviewer)')).toBeVisible()
  await expect(page.getByText('Dana Kim (Responsible)')).toBeHidden()
})

test('comments: written, edited, their versions read [2.80] [2.81] [2.82] [2.83] [8.29]', async ({ page, titanium, shoot }) => {
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  const card = page.getByRole('region', { name: 'Comments' })
  await expect(card.getByRole('button', { name: 'SAVE' })).toBeHidden()
  await card.getByLabel('Add comment').fill('   ')
  await expect(card.getByRole('button', { name: 'SAVE' })).toBeHidden()
  await card.getByLabel('Add comment').fill('Cold start is 180 ms faster.')
  await card.getByRole('button', { name: 'SAVE' }).click()
  await expect(card.getByRole('listitem')).toContainText(/\w{3} \d+, \d{4}, \d+:\d\d [AP]M - Dana Kim/)
  await card.getByRole('button', { name: 'Edit comment' }).click()
  await card.getByLabel('Edit comment').fill('Cold start is 200 ms faster.')
  await card.getByRole('button', { name: 'SAVE' }).click()
  await card.getByRole('button', { name: 'Versions of this comment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions of this comment' })
  await expect(dialog.locator('ins')).toHaveText('200')
  await shoot(page, 'comment-history-dialog')
  await page.keyboard.press('Escape')
  await page.route('**/set-ticket-comment.json.php', route => route.fulfill({ status: 503, json: { error: 'Away', code: 'unavailable' } }))
  await card.getByLabel('Add comment').fill('Kept')
  await card.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('An error occurred trying to save comment').first()).toBeVisible()
  await expect(card.getByLabel('Add comment')).toHaveValue('Kept')
})

test('the ticket page in its states', async ({ page, titanium, shoot }) => {
  const { tickets } = await titanium({ admin: true })
  await page.goto(`/view-ticket/${tickets.loader}`)
  await expect(rowsOf(page)).toHaveCount(3)
  await shoot(page, 'ticket')
  await page.getByRole('button', { name: 'State: In Review' }).click()
  await expect(page.getByRole('menuitem', { name: 'In Progress' })).toBeVisible()
  await shoot(page, 'state-menu')
  await page.getByRole('menuitem', { name: 'In Progress' }).click()
  await page.getByLabel('Estimate').fill('two')
  await expect(page.getByText('Enter a number, such as 12.5')).toBeVisible()
  await page.getByLabel('Acceptance').fill('The loader asks the kernel for a module record.\n\nDone when every sample application starts.')
  await shoot(page, 'ticket-changed')
  await page.getByRole('button', { name: 'Notifications are' }).hover()
  await expect(page.getByRole('tooltip')).toHaveText(/Notifications are (en|dis)abled/)
})

test("a list and a ticket that are open show the other person's save by themselves", async ({
  page,
  product,
  titanium,
  signIn,
  browser,
}) => {
  const { projectId, tickets, shortCode } = await titanium()
  const other = await product.person({ fullName: 'Ada Novak' })
  await makeMember(product.db, other.idOrganization, projectId, other.idUser)
  const context = await browser.newContext({ baseURL: product.url })
  const beside = await context.newPage()
  await signIn(beside, other)

  await listenAt(page, `/view-project/${projectId}`)
  await expect(rowsOf(page)).toHaveCount(5)
  await saveBeside(beside, { idTicket: tickets.kernel, Title: 'Kernel: another engine' })
  await expect(rowsOf(page).getByText('Kernel: another engine')).toBeVisible()

  await listenAt(page, `/view-ticket/${tickets.loader}`)
  await page.getByLabel('Acceptance').fill('Half a sentence, not yet')
  await saveBeside(beside, { idTicket: tickets.loader, data: { component: 'Loader' } })
  await expect(page.getByLabel('Component')).toHaveValue('Loader')
  await expect(page.getByLabel('Acceptance')).toHaveValue('Half a sentence, not yet')
  await expect(page.getByLabel('Acceptance')).toBeFocused()
  await saveBeside(beside, { idTicket: tickets.loader, data: { note: 'A whole one.' } })
  await expect(page.getByText('Ada Novak changed Acceptance to:')).toBeVisible()
  await page.getByRole('button', { name: 'TAKE THEIRS' }).click()
  await expect(page.getByLabel('Acceptance')).toHaveValue('A whole one.')
  await expect(page.getByRole('button', { name: 'SAVE' }).first()).toBeDisabled()
  await expect(page.getByRole('link', { name: `${shortCode}-${tickets.kernel}` })).toBeVisible()
  await context.close()
})

test('history tells who changed what, and a value can be restored', async ({ page, titanium, shoot }) => {
  const { tickets, shortCode } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  const before = 'The loader asks the kernel for a module record.\nWith the old engine the record is created after the source is read.'
  await saveBeside(page, { idTicket: tickets.loader, data: { note: before, component: 'Kernel' } })
  await saveBeside(page, { idTicket: tickets.loader, data: { note: before.replace('old', 'new').replace('after', 'before') } })
  await page.getByRole('tab', { name: 'History' }).click()
  const panel = page.getByRole('tabpanel')
  await expect(panel.locator('del').first()).toHaveText('old')
  await expect(panel.locator('ins').first()).toHaveText('new')
  await shoot(page, 'history')
  await panel.getByRole('listitem').first().getByRole('button', { name: 'RESTORE THIS VALUE' }).click()
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.loader} saved`)).toBeVisible()
  await expect(page.getByLabel('Acceptance')).toHaveValue(before)
})

test('a ticket is moved, goes to the trash with its children, comes back, is deleted', async ({ page, titanium, shoot }) => {
  const { projectId, tickets, shortCode } = await titanium()
  const code = `${shortCode}-${tickets.loader}`
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
  await shoot(page, 'ticket-menu')
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  await page.getByLabel('New parent').fill('rotation')
  await expect(page.getByRole('option')).toHaveCount(1)
  await shoot(page, 'move-dialog')
  await page.getByRole('option').click()
  await page.getByRole('button', { name: 'MOVE', exact: true }).click()
  await expect(page.getByRole('link', { name: `${shortCode}-${tickets.rotation}` })).toBeVisible()

  const trash = async () => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Move to the trash…' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('This ticket and the 3 tickets below it go to the trash.')
  }
  await page.getByLabel('Component').fill('Unsaved, and let go')
  await trash()
  await shoot(page, 'trash-confirmation')
  await page.getByRole('button', { name: 'MOVE TO THE TRASH' }).click()
  await expect(page).toHaveURL(`/view-ticket/${tickets.rotation}`)
  await expect(page.getByText('4 tickets are in the trash')).toBeVisible()
  await page.locator('[data-toast]').filter({ hasText: 'in the trash' }).getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText(`Ticket ${code} restored`)).toBeVisible()
  await expect(rowsOf(page).filter({ hasText: code })).toHaveCount(1)

  await page.goto(`/view-ticket/${tickets.loader}`)
  await trash()
  await page.getByRole('button', { name: 'MOVE TO THE TRASH' }).click()
  await page.goto(`/view-ticket/${tickets.loader}`)
  const banner = page.getByText('This ticket is in the trash and takes no changes.')
  await expect(banner).toBeVisible()
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  expect((await lines(banner)).length).toBeLessThan(4)
  if (size) await page.setViewportSize(size)
  await expect(page.getByRole('group', { name: 'Acceptance' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Acceptance' })).toHaveCount(0)
  await shoot(page, 'ticket-trashed')
  await page.goto(`/view-project/${projectId}`)
  await page.getByRole('main').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await expect(page.getByRole('dialog')).toContainText('with 3 below it')
  await shoot(page, 'trash-dialog')
  await page.getByRole('button', { name: 'DELETE FOR EVER' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'DELETE FOR EVER' }).click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
})

test('files are uploaded one by one, shown shortened, downloaded [2.71] [2.109] [2.111] [2.112] [4.12] [5.12] [5.26] [7.48] [8.9]', async ({
  page,
  titanium,
  shoot,
}) => {
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByRole('button', { name: 'Upload attachments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload Attachments' })
  await expect(dialog.getByRole('button', { name: 'UPLOAD' })).toBeDisabled()
  const files = dialog.locator('input[type=file]')
  await expect(files).toHaveAttribute('accept', 'image/jpeg,image/png,image/gif,image/webp')
  await files.setInputFiles([
    { name: 'trace-0412-before.jpg', mimeType: 'image/jpeg', buffer: jpeg() },
    { name: 'startup.jpg', mimeType: 'image/jpeg', buffer: jpeg() },
    { name: 'no-image.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not an image at all') },
    { name: 'removed.jpg', mimeType: 'image/jpeg', buffer: jpeg() },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') },
  ])
  await expect(dialog.getByText('notes.txt is not of an accepted type')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(4)
  await shoot(page, 'upload-dialog')
  await dialog.getByRole('button', { name: 'Remove removed.jpg' }).click()
  await dialog.getByRole('button', { name: 'UPLOAD' }).click()
  await expect(page.getByText('Upload failed: no-image.jpg')).toBeVisible()
  await expect(dialog.getByRole('img', { name: 'Finished' })).toHaveCount(2)
  await expect(dialog.getByRole('img', { name: 'Failed' })).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: 'SELECT FILES' })).toBeDisabled()
  await shoot(page, 'upload-dialog-done')
  await dialog.getByRole('button', { name: 'CLOSE' }).click()
  const link = page.getByRole('button', { name: 'trace-0412….jpg' })
  await expect(link).toHaveAttribute('target', '_blank')
  // A tab of its own would close again before its download could be asked about.
  await link.evaluate(element => element.removeAttribute('target'))
  const download = page.waitForEvent('download')
  await link.click()
  expect((await download).suggestedFilename()).toBe('trace-0412-before.jpg')
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
  // What others' changes would bring comes within half a second, this one's echo too.
  await page.waitForTimeout(1000)
  expect(calls.length, calls.join(' ')).toBeLessThanOrEqual(5)
})
