import { getTicketData, queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { makeMember, makeOrganization, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { callBeside } from '../call.ts'
import { expect, password, prepareRoutes, test, withMotion } from '../fixtures.ts'

test.use(withMotion)

test('a link opened while signed out is followed after the sign-in; a sign-out asks about unsaved text', { tag: '@long' }, async ({
  page,
  product,
}) => {
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

  // A link from a mail leads to its ticket. A user who opens the login page comes to the usual first page.
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

test('triaging a ticket takes at most 8 keys, the next one follows, and going back leads to its row', { tag: '@long' }, async ({
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
  await expect(entry).toHaveText(/In Progress/)
  await press('1')
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
  expect(await callBeside(page, getTicketData, { idTicket: tickets.rotation })).toMatchObject({
    State: 'In Progress',
    Assignees: [{ Name: 'Dana Kim', Role: 'Assignee' }],
    Fields: expect.arrayContaining([expect.objectContaining({ Key: 'severity', Value: 'high' })]),
  })

  // The typed text stays, and SAVE keeps the focus.
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
  await callBeside(page, setTicketData, { idTicket: tickets.kernel, Title: 'Kernel of both' })
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
  // The way back leads to the place where the list was left.
  const place = () => page.evaluate(() => window.scrollY)
  const left = await place()
  await page.keyboard.press('Enter')
  await expect(heading).toContainText('Number 95')
  await page.goBack()
  await expect(focused).toContainText('Number 95')
  await expect.poll(place).toBe(left)
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

  // Tickets that are no longer in the list are skipped, and its order is kept.
  await page.goto(`/view-project/${projectId}?title=Number%201&sort=ID.desc`)
  await expect(page.locator('tr[data-key]').last()).toContainText('Number 1')
  for (const key of ['j', 'End', 'k', 'Enter']) await page.keyboard.press(key)
  await expect(heading).toContainText('Number 10')
  await page.keyboard.press(']')
  await expect(heading).toContainText(/Number 1$/)

  // Switched off in the profile, no single key does anything.
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByLabel('Keyboard shortcuts').uncheck()
  await expect(page).toHaveTitle('Your Profile - Tessera')
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
