import type { Locator, Page } from '@playwright/test'
import { getTicketData, queryTickets, setTicketData } from '@tessera/contract/tickets'
import { makeMember, makeOrganization, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { expect, password, prepareRoutes, test, withMotion } from '../fixtures.ts'

test.use(withMotion)

async function box(element: Locator) {
  const found = await element.boundingBox()
  if (!found) throw new Error('not on the screen')
  return found
}
async function overlap(one: Locator, other: Locator) {
  const [a, b] = [await box(one), await box(other)]
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
/** Everything but links in running text. */
const targets =
  'button:enabled, input:enabled, textarea:enabled, [role=tab], [role=option], a[role=button], :is(nav, header, h1, h2, dd, form) a'
/** What can be pressed and is smaller than a finger: a check box with the label or the cell around it, a name in a table with its row. */
function smallTargets(page: Page) {
  return page.evaluate(selector => {
    const small: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      // The chevron of a row reaches beyond its edges.
      if (element.matches('.chevron, [type=hidden], [type=file]') || element.closest('[inert]') || !element.checkVisibility()) continue
      const target = element.closest('tr[data-clickable]') ?? (element.matches('[type=checkbox]') ? element.parentElement : element)
      const { width, height } = (target ?? element).getBoundingClientRect()
      if (width > 1 && (width < 43.9 || height < 43.9)) small.push(`${element.outerHTML.slice(0, 120)} ${width}×${height}`)
    }
    return small
  }, targets)
}

test('a link that is opened signed out leads there after the sign-in; a sign-out asks for what is unsaved', async ({ page, product }) => {
  const { db } = product
  const idOrganization = await makeOrganization(db, 'Morning Works')
  const person = await product.person({ idOrganization })
  const other = await makeOrganization(db, 'Evening Works')
  await db
    .insertInto('organization_member')
    .values({ organization_id: other, user_id: person.idUser, admin: false, manager: false })
    .execute()
  const project = await makeProject(db, idOrganization, { title: 'Harbour' })
  await makeMember(db, idOrganization, project.projectId, person.idUser, 'all')
  const ticket = await makeTicket(db, idOrganization, project, { title: 'Repaint the crane' })
  const list = `/view-project/${project.projectId}?phase=1%2C2&sort=ID.asc`
  const login = page.getByLabel('Login name')
  const signInHere = async () => {
    await login.fill(person.login)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByLabel('Select organization').click()
    await page.getByRole('option', { name: 'Morning Works' }).click()
    await page.getByRole('button', { name: 'CONTINUE' }).click()
  }

  // A filtered list; with a reload, a look at the forgotten password and the choice of the organization in between.
  await page.goto(list)
  await expect(page).toHaveURL('/login')
  await page.reload()
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await page.getByRole('button', { name: 'CANCEL' }).click()
  await signInHere()
  await expect(page).toHaveURL(list)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Harbour')

  // A comment and a field that are not saved.
  await page.goto(`/view-ticket/${ticket}`)
  await page.getByLabel('Add comment').fill('Not sent')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'STAY' }).click()
  await expect(page.getByLabel('Add comment')).toHaveValue('Not sent')
  await page.getByLabel('Description', { exact: true }).fill('Repaint both cranes')
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'LEAVE' }).click()
  await expect(page).toHaveURL('/login')
  await expect(login).toBeFocused()

  // A ticket of a mail. A user who opens the login page comes to the usual first page.
  await page.goto(`/view-ticket/${ticket}?tab=history#comments`)
  await expect(page).toHaveURL('/login')
  await signInHere()
  await expect(page).toHaveURL(`/view-ticket/${ticket}?tab=history#comments`)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/profile')
  await expect(page).toHaveURL('/login')
  await page.goto('about:blank')
  await page.goto('/login')
  await signInHere()
  await expect(page).toHaveURL(`/view-project/${project.projectId}`)
})

test('the triage of a ticket takes at most 8 keys, the next one follows, and the way back leads to its row', async ({
  page,
  product,
  titanium,
}) => {
  await prepareRoutes(page)
  const { db } = product
  const { person, ...project } = await titanium()
  const { projectId, shortCode, tickets } = project
  // Severity is the first field then.
  await db.deleteFrom('template_field').where('field_id', '=', project.fields.note).execute()
  for (let number = 1; number <= 97; number++) await makeTicket(db, person.idOrganization, project, { title: `Number ${number}` })
  const heading = page.getByRole('heading', { level: 1 })
  const call = async (path: string, data: object) => {
    const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
    const answer = await page.request.post(path, { data, headers: { 'x-xsrf-token': decodeURIComponent(token) } })
    return answer.json()
  }
  let keys = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  const entry = page.locator('[role=menu] :focus, [role=listbox] :focus')

  // The second page of the list stays away until a ticket is shown.
  const { promise: isTicketShown, resolve: showTicket } = Promise.withResolvers<void>()
  await page.route(`**${queryTickets.path}`, async route => {
    if (route.request().postDataJSON().Cursor) await isTicketShown
    await route.continue().catch(() => undefined)
  })
  await page.goto(`/view-project/${projectId}?sort=ID.asc`)
  await expect(page).toHaveTitle('Titanium Mobile - Tessera')
  await expect(page.locator('tr[data-key]').first()).toContainText('Local notifications')
  for (const key of ['j', 'j', 'j', 'j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
  await expect(heading).toContainText('Window management')
  await expect(heading).toBeFocused()
  await expect(page).toHaveTitle(`${shortCode}-${tickets.rotation} Window management that survives rotation - Tessera`)

  await press('s')
  await expect(entry).toHaveText(/Open/)
  await press('2')
  await press('i')
  await expect(page.getByText('Dana Kim (Assignee)')).toBeVisible()
  await press('e')
  await expect(entry).toHaveText('None')
  await press('2')
  await press('Control+s')
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.rotation} saved`)).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Severity' })).toBeFocused()
  await press(']')
  await expect(heading).toContainText('Kernel')
  await expect(heading).toBeFocused()
  expect(keys).toBeLessThanOrEqual(8)
  expect(await call(getTicketData.path, { idTicket: tickets.rotation })).toMatchObject({
    State: 'In Progress',
    Assignees: [{ Name: 'Dana Kim', Role: 'Assignee' }],
    Fields: expect.arrayContaining([expect.objectContaining({ Key: 'severity', Value: 'high' })]),
  })

  // What is typed is typed, and SAVE keeps the focus.
  await page.getByLabel('Component').fill('')
  await page.getByLabel('Component').pressSequentially('jams]c?')
  await expect(page.getByLabel('Component')).toHaveValue('jams]c?')
  await expect(heading).toContainText('Kernel')
  const save = page.getByRole('button', { name: /^SAVE/ }).first()
  await save.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.kernel} saved`)).toBeVisible()
  await expect(save).toBeDisabled()
  await expect(save).toBeFocused()
  await call(setTicketData.path, { idTicket: tickets.kernel, Title: 'Kernel of both' })
  await expect(page).toHaveTitle(`${shortCode}-${tickets.kernel} Kernel of both - Tessera`)
  await page.keyboard.press('?')
  for (const words of ['Change the state', 'Change the assignees', 'Next ticket of the list', 'Save the ticket'])
    await expect(page.getByRole('dialog')).toContainText(words)
  await page.keyboard.press('Escape')

  // A comment: its box keeps the focus, and the button that edits it gets it back.
  const comment = page.getByLabel('Add comment')
  await comment.fill('Seen')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('listitem').filter({ hasText: 'Seen' })).toBeVisible()
  await expect(comment).toBeFocused()
  const editing = page.getByRole('button', { name: 'Edit comment' })
  await editing.press('Enter')
  await page.keyboard.type(' twice')
  await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).press('Enter')
  await expect(page.getByRole('listitem').filter({ hasText: 'Seen twice' })).toBeVisible()
  await expect(editing).toBeFocused()

  // Back in the list, and on over the end of its first page.
  await page.goBack()
  const focused = page.locator('tr:focus')
  await expect(focused).toContainText('Kernel of both')
  await page.keyboard.press('End')
  await expect(focused).toContainText('Number 95')
  await page.keyboard.press('Enter')
  await expect(heading).toContainText('Number 95')
  showTicket()
  for (const title of ['Number 96', 'Number 97']) {
    await page.keyboard.press(']')
    await expect(heading).toContainText(title)
    await expect(heading).toBeFocused()
  }
  await page.keyboard.press(']')
  await expect(page.getByText('This is the last ticket of the list')).toBeVisible()
  await page.keyboard.press('[')
  await expect(heading).toContainText('Number 96')
  await expect(heading).toBeFocused()
  await page.goBack()
  await expect(focused).toContainText('Number 96')

  // What the list does not hold is passed over, and its order is kept.
  await page.goto(`/view-project/${projectId}?title=Number%201&sort=ID.desc`)
  await expect(page.locator('tr[data-key]').last()).toContainText('Number 1')
  for (const key of ['j', 'End', 'k', 'Enter']) await page.keyboard.press(key)
  await expect(heading).toContainText('Number 10')
  await page.keyboard.press(']')
  await expect(heading).toContainText(/Number 1$/)

  // Switched off in the profile, no single key does anything.
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByLabel('Keyboard shortcuts').uncheck()
  await expect(page).toHaveTitle('Tessera')
  await page.getByRole('link', { name: 'Project overview' }).click()
  await expect(heading).toContainText('Titanium Mobile')
  await page.keyboard.press('j')
  await page.keyboard.press('c')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(focused).toHaveCount(0)
  await page.goto('/view-ticket/999999999')
  await expect(heading).toHaveText('There is no such ticket')
  await page.goto('/view-project/999999999')
  await expect(heading).toHaveText('There is no such project')
})

test('messages keep off the buttons of a dialog and go with their cause; icons have names; what opens stands in a landmark', async ({
  page,
  titanium,
  axe,
  complaints,
}) => {
  const { projectId, tickets } = await titanium({ admin: true })
  const landmarks = () => axe(page, ['region', 'landmark-unique'])
  const dialog = page.getByRole('dialog')
  const bar = page.getByRole('navigation', { name: 'Main' })
  await page.setViewportSize({ width: 900, height: 480 })
  await page.goto(`/edit-project/${projectId}`)
  await page.getByRole('button', { name: 'ADD TICKET' }).click()
  await dialog.getByLabel('Title').fill('One more')
  await dialog.getByRole('button', { name: 'ADD & ADD ANOTHER' }).click()
  const toast = page.locator('[data-toast]')
  await expect(toast).toContainText('was created')
  for (const button of await dialog.getByRole('button').all()) expect(await overlap(toast, button)).toBe(false)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 900 })

  // The connection goes and comes back.
  await page.getByRole('button', { name: 'NEW STATE' }).click()
  await dialog.getByLabel('State name').fill('Blocked')
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached')
  await page.context().setOffline(false)
  await expect(dialog.getByRole('alert')).toContainText('The server could not be reached')
  await expect(dialog.getByLabel('State name')).toHaveValue('Blocked')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'DISCARD' }).click()
  // The browser's, about the connection.
  expect(complaints.splice(0).filter(words => !words.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])

  const home = bar.getByRole('button', { name: 'Home' })
  for (const name of ['Project overview', 'Edit project', 'Home', 'Profile', 'Logout']) await expect(bar).toContainText(name)
  await page.setViewportSize({ width: 1279, height: 900 })
  await expect(bar).toHaveText('')
  await home.hover()
  await expect(page.getByRole('tooltip')).toHaveText('Home')
  await landmarks()
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByRole('button', { name: 'State: In Review' }).click()
  await landmarks()
  await page.keyboard.press('Escape')
  await page.getByLabel('Severity').click()
  await landmarks()
  await page.keyboard.press('Escape')
  await page.getByLabel('Owner').click()
  await expect(page.getByRole('listbox')).toBeVisible()
  await landmarks()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('what can be pressed is as wide as a finger, and a wide table says that it goes on', async ({ page, product, titanium }) => {
    const idOrganization = await makeOrganization(product.db, 'Thumb Works')
    const { projectId, tickets } = await titanium({ admin: true, manager: true, idOrganization })
    // So many that the list of people has a search.
    for (let count = 0; count < 9; count++) await product.person({ idOrganization })
    await page.goto(`/view-project/${projectId}`)
    await page.getByRole('button', { name: 'FILTER' }).tap()
    await expect(page.getByLabel('Filter Description')).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    const { x, y, width, height } = await box(page.locator('.chevron').first())
    await page.touchscreen.tap(x + width / 2 + 20, y + height / 2 - 20)
    await expect(page.locator('tr[data-key]')).toHaveCount(8)

    await page.goto(`/view-ticket/${tickets.loader}`)
    await page.getByLabel('Add comment').fill('Sent')
    await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).tap()
    await expect(page.getByRole('listitem').filter({ hasText: 'Sent' })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await page.getByLabel('Owner').tap()
    await expect(page.getByRole('option').first()).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'State: In Review' }).tap()
    await expect(page.getByRole('menuitem').first()).toBeVisible()
    for (const item of await page.getByRole('menuitem').all()) expect((await box(item)).height).toBeGreaterThanOrEqual(44)

    await page.goto('/home')
    await expect(page.getByRole('link', { name: 'Recently changed' })).toBeVisible()
    await expect(page.getByRole('searchbox', { name: 'Search users' })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await page.getByRole('button', { name: 'Menu' }).tap()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])

    await page.goto(`/edit-project/${projectId}`)
    await expect(page.getByRole('region', { name: 'User Permissions' }).getByRole('checkbox').first()).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
    await page.getByRole('button', { name: 'FLOW DIAGRAM' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Table' }).tap()
    const area = dialog.getByRole('group', { name: 'Moves between states' })
    await expect(dialog.getByText('Scroll sideways to see every state.')).toBeVisible()
    await expect(area).toHaveAttribute('data-more')
    expect(await smallTargets(page)).toEqual([])
    await area.evaluate(element => element.scrollTo({ left: element.scrollWidth }))
    await expect(area).not.toHaveAttribute('data-more')
    await page.context().clearCookies()
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
    expect(await smallTargets(page)).toEqual([])
  })
})
