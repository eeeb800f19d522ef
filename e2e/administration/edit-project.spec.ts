import type { Locator, Page } from '@playwright/test'
import { makeMember, makeOrganization, makeProject, makeTicket } from '@tessera/server/test/data/factories'
import { expect, lines, type Product, test } from '../fixtures.ts'

// A picture is four pages read by axe.
test.describe.configure({ timeout: 180_000 })

async function makeStudio(product: Product, options: { permissions?: number[] } = {}) {
  const idOrganization = await makeOrganization(product.db)
  const admin = await product.person({ fullName: 'Dana Kim', admin: options.permissions === undefined, idOrganization })
  const project = await makeProject(product.db, idOrganization, { title: 'Titanium Mobile', shortCode: 'TIMOB' })
  await makeMember(product.db, idOrganization, project.projectId, admin.idUser, options.permissions ?? 'all')
  const lee = await product.person({ fullName: 'Lee Park', idOrganization })
  const member = await makeMember(product.db, idOrganization, project.projectId, lee.idUser)
  const nora = await product.person({ fullName: 'Nora Ames', idOrganization })
  return { idOrganization, admin, lee, nora, member, project, url: `/edit-project/${project.projectId}` }
}

async function makeState({ db }: Product, organization_id: number, project_id: number, name: string) {
  await db.insertInto('state').values({ organization_id, project_id, name, phase: 2, position: 9 }).execute()
}

/** The names in the order they stand in. */
function names(card: Locator) {
  return card.locator('tbody th').allTextContents()
}
async function drag(page: Page, handle: Locator, onto: Locator, place = 0.5) {
  // Waits until it stands still.
  await handle.hover()
  const from = await handle.boundingBox()
  const to = await onto.boundingBox()
  if (!from || !to) throw new Error('not on the screen')
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2 + 8, { steps: 2 })
  await page.mouse.move(to.x + to.width / 2, to.y + to.height * place, { steps: 8 })
  // The rows have made room when the page has drawn twice; nobody releases the button within that time.
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.mouse.up()
}
/** Keys as fast as the browser takes them: none waits for what the one before it did. */
async function hurry(page: Page, keys: string[]) {
  const browser = await page.context().newCDPSession(page)
  await Promise.all(
    keys.flatMap(name => {
      const isSpace = name === 'Space'
      const key = { key: isSpace ? ' ' : name, code: name, windowsVirtualKeyCode: keyCodes[name] ?? 0 }
      return [
        browser.send('Input.dispatchKeyEvent', { type: isSpace ? 'keyDown' : 'rawKeyDown', ...key, ...(isSpace && { text: ' ' }) }),
        browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
      ]
    }),
  )
  await browser.detach()
}
const keyCodes: Record<string, number> = { Space: 32, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }
function frames(page: Page) {
  return page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

test('the four cards and what they make [2.84] [2.85] [2.87] [2.88] [2.90] [2.91] [2.93] [2.94] [2.95] [2.106] [2.107] [2.108] [2.123] [2.124] [4.8] [4.18] [5.14] [8.16] [8.17] [8.18] [8.19] [8.20] [8.21]', async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  const fields = page.getByRole('region', { name: 'Ticket Fields' })
  const states = page.getByRole('region', { name: 'Ticket States' })
  const templates = page.getByRole('region', { name: 'Ticket Templates' })
  const permissions = page.getByRole('region', { name: 'User Permissions' })
  await expect(fields.getByRole('row', { name: 'note' })).toContainText('TEXTMULTILINE')
  await expect(states.getByRole('row', { name: 'Doing' })).toContainText('Active')
  await expect(templates.getByRole('button', { name: 'Bug', exact: true })).toBeVisible()
  await expect(permissions.getByRole('cell').getByRole('checkbox')).toHaveCount(26)
  await shoot(page, 'edit-project')
  for (const card of [fields, states, templates]) await expect(card.getByRole('button', { name: /^Delete selected/ })).toBeDisabled()
  await states.getByRole('checkbox', { name: 'Select Doing' }).check()
  await expect(states.getByRole('button', { name: 'Delete selected states' })).toBeEnabled()

  const dialog = page.getByRole('dialog')
  await fields.getByRole('button', { name: 'NEW FIELD' }).click()
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(dialog.getByText('Enter a label')).toBeVisible()
  await dialog.getByLabel('Label').fill('Severity')
  await dialog.getByLabel('Database key', { exact: true }).fill('note')
  await dialog.getByRole('button', { name: 'About the database key' }).hover()
  await expect(page.getByText('a unique identifier of at most 64 ASCII characters')).toBeVisible()
  await dialog.getByLabel('Control type').click()
  await page.getByRole('option', { name: 'SELECT', exact: true }).click()
  await dialog.getByRole('button', { name: 'ADD OPTION' }).click()
  await page.keyboard.type('High')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Low')
  await shoot(page, 'new-field-dialog')
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(page.getByText('Failed to create new field')).toBeVisible()
  await dialog.getByLabel('Database key', { exact: true }).fill('severity')
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(page.getByText('New field created successfully')).toBeVisible()
  await expect(fields.getByRole('row', { name: 'Severity' })).toContainText('SELECT')

  await states.getByRole('button', { name: 'NEW STATE' }).click()
  await expect(dialog.getByLabel('Phase')).toContainText('Proposed')
  await dialog.getByLabel('State name').fill('  ')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter a name for the state')).toBeVisible()
  await dialog.getByLabel('State name').fill('Open')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Failed to create new state')).toBeVisible()
  await dialog.getByLabel('State name').fill('In Review')
  await dialog.getByLabel('Phase').click()
  await page.getByRole('option', { name: 'Active', exact: true }).click()
  await shoot(page, 'new-state-dialog')
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(page.getByText('New state created successfully')).toBeVisible()
  await expect(states.getByRole('row', { name: 'In Review' })).toContainText('Active')

  await templates.getByRole('button', { name: 'NEW TEMPLATE' }).click()
  await expect(dialog.getByLabel('Initial State')).toContainText('Open')
  await dialog.getByLabel('Ticket Type').fill('Bug')
  const form = dialog.getByRole('list', { name: 'Form Fields' })
  const available = dialog.getByRole('list', { name: 'Available Fields' })
  await expect(available.getByRole('listitem')).toHaveText(['Note', 'Size', 'Severity'])
  await drag(page, available.getByRole('button', { name: 'Move Severity' }), form)
  await expect(form.getByRole('listitem')).toHaveText(['Severity'])
  await dialog.getByRole('button', { name: 'Add Note to the form' }).click()
  await expect(form.getByRole('listitem')).toHaveText(['Severity', 'Note'])
  await shoot(page, 'new-template-dialog')
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(page.getByText('Failed to create new template')).toBeVisible()
  await dialog.getByLabel('Ticket Type').fill('Epic')
  const sent = page.waitForRequest(/create-new-template/)
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({ Label: 'Epic', Fields: [expect.any(Number), expect.any(Number)] })
  await expect(page.getByText('New template created successfully')).toBeVisible()

  await templates.getByRole('button', { name: 'Epic', exact: true }).click()
  await expect(form.getByRole('listitem')).toHaveText(['Severity', 'Note'])
  await expect(dialog.getByRole('button', { name: 'SAVE' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Remove Note from the form' }).click()
  await dialog.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
})

test('no word of the fields breaks in its middle beside a wide window', async ({ page, product, signIn }) => {
  const { admin, idOrganization, project, url } = await makeStudio(product)
  const { projectId: project_id } = project
  const field = (key: string, label: string) => ({ organization_id: idOrganization, project_id, key, label, type_id: 1, position: 2 })
  await product.db
    .insertInto('field')
    .values([field('steps_to_reproduce', 'Steps to reproduce'), field('affected_version', 'Affected version')])
    .execute()
  await signIn(page, admin)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(url)
  const rows = page.getByRole('region', { name: 'Ticket Fields' }).locator('tbody tr')
  // The rows that stand in while the list loads are empty.
  await expect(rows.getByRole('cell', { name: 'steps_to_reproduce', exact: true })).toBeVisible()
  await expect(rows).toHaveCount(4)
  for (const row of await rows.all()) expect(await lines(row.locator('td').last())).toHaveLength(1)
  for (const [key, ...parts] of [
    ['steps_to_reproduce', 'steps_', 'to_', 'reproduce'],
    ['affected_version', 'affected_', 'version'],
  ] as const) {
    const drawn = await lines(rows.getByRole('cell', { name: key, exact: true }))
    expect(drawn.every(line => parts.some(part => line.endsWith(part)))).toBe(true)
  }
})

test('puts rows in order by mouse and by keyboard [2.86] [2.89] [4.21] [9.14]', async ({ page, product, signIn }) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  const states = page.getByRole('region', { name: 'Ticket States' })
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])
  const handle = states.getByRole('button', { name: 'Move Open' })
  const box = await handle.boundingBox()
  if (!box) throw new Error('no handle')
  let orders = 0
  page.on('requestfinished', request => {
    if (request.url().includes('-order')) orders += 1
  })
  await page.mouse.move(box.x + 8, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + 8, box.y + 12)
  await expect(states.locator('[data-dragging]')).toHaveCount(0)
  await page.mouse.up()
  await page.keyboard.press('Escape')
  expect(orders).toBe(0)
  await drag(page, handle, states.getByRole('row', { name: 'Done' }), 0.9)
  await expect.poll(() => names(states)).toEqual(['Doing', 'Done', 'Open'])
  await expect.poll(() => orders).toBe(1)

  const fields = page.getByRole('region', { name: 'Ticket Fields' })
  await fields.getByRole('button', { name: 'Move Note' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect.poll(() => names(fields)).toEqual(['Size', 'Note'])
  const templates = page.getByRole('region', { name: 'Ticket Templates' })
  await templates.getByRole('button', { name: 'Move Task' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect.poll(() => names(templates)).toEqual(['Task', 'Bug'])
  await expect.poll(() => orders).toBe(3)
  // A click alone offers the same: dragging is nobody's only way.
  await states.getByRole('button', { name: 'Move Open' }).click()
  await page.getByRole('menuitem', { name: 'Move to the top' }).click()
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])
  await expect.poll(() => orders).toBe(4)
  await page.reload()
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])
  await expect.poll(() => names(fields)).toEqual(['Size', 'Note'])
  await expect.poll(() => names(templates)).toEqual(['Task', 'Bug'])
})

test('an order that cannot be stored goes back without a word of its own [8.38]', async ({ page, product, signIn }) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  await page.route(/set-ticket-state-order/, route => route.fulfill({ status: 500, body: '{}' }))
  const states = page.getByRole('region', { name: 'Ticket States' })
  await states.getByRole('button', { name: 'Move Open' }).focus()
  const failed = page.waitForResponse(/set-ticket-state-order/)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await failed
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])
  await expect(page.locator('[data-toast]')).toHaveCount(0)
})

test('moves fields between the lists of a template by keyboard alone, and Escape puts a field back', async ({ page, product, signIn }) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  await page.getByRole('button', { name: 'NEW TEMPLATE' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const form = dialog.getByRole('list', { name: 'Form Fields' })
  const available = dialog.getByRole('list', { name: 'Available Fields' })
  await available.getByRole('button', { name: 'Move Size' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expect(available.getByRole('listitem')).toHaveText(['Note', 'Size'])
  await available.getByRole('button', { name: 'Move Size' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Space')
  await expect(form.getByRole('listitem')).toHaveText(['Size'])
  await expect(available.getByRole('listitem')).toHaveText(['Note'])
  await expect(dialog.getByText('Dropped Size, position 1 of 1 in Form Fields.')).toBeAttached()
  await expect(form.getByRole('button', { name: 'Move Size', exact: true })).toBeFocused()
  // Going on with Tab drops too.
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await expect(form.getByRole('listitem')).toHaveCount(0)
  await expect(available.getByRole('button', { name: 'Move Size', exact: true })).toHaveAttribute('aria-pressed', 'false')
  await expect(available.getByRole('listitem')).toHaveText(['Size', 'Note'])
})

test('keys that come at full speed are all obeyed: between lists and in a list that is stored [2.86] [2.107] [4.21]', async ({
  page,
  product,
  signIn,
}) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  const pick = (...arrows: string[]) =>
    hurry(
      page,
      arrows.flatMap(arrow => ['Space', arrow, 'Space']),
    )
  const states = page.getByRole('region', { name: 'Ticket States' })
  const orders: unknown[] = []
  // Answered, not only sent: a reload aborts what is on its way.
  page.on('requestfinished', request => {
    if (request.url().includes('-order')) orders.push(request.postDataJSON().SortOrder)
  })
  await states.getByRole('button', { name: 'Move Open' }).focus()
  for (let turn = 0; turn < 5; turn++) await pick('ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp')
  await pick('ArrowDown')
  expect(await names(states)).toEqual(['Doing', 'Open', 'Done'])
  await expect(states.getByRole('button', { name: 'Move Open' })).toBeFocused()
  await expect.poll(() => orders.length).toBe(21)
  expect(orders[20]).toEqual(orders[0])
  await page.reload()
  await expect.poll(() => names(states)).toEqual(['Doing', 'Open', 'Done'])

  await page.getByRole('button', { name: 'NEW TEMPLATE' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const form = dialog.getByRole('list', { name: 'Form Fields' })
  const available = dialog.getByRole('list', { name: 'Available Fields' })
  await dialog.getByRole('button', { name: 'Add Note to the form' }).click()
  await dialog.getByRole('button', { name: 'Move Size', exact: true }).focus()
  for (let turn = 0; turn < 20; turn++) await pick('ArrowLeft', 'ArrowDown', 'ArrowUp', 'ArrowRight')
  await expect(available.getByRole('listitem')).toHaveText(['Size'])
  await expect(form.getByRole('listitem')).toHaveText(['Note'])
  await expect(available.getByRole('button', { name: 'Move Size', exact: true })).toBeFocused()
  await pick('ArrowLeft')
  await expect(form.getByRole('listitem')).toHaveText(['Size', 'Note'])
  // In one go, and back where it came from.
  await hurry(page, ['Space', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowRight', 'Escape'])
  await expect(form.getByRole('listitem')).toHaveText(['Size', 'Note'])
  await expect(form.getByRole('button', { name: 'Move Size', exact: true })).toBeFocused()
})

test('a mouse that hurries between the lists loses no field and keeps the page [2.107]', async ({ page, product, signIn }) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  await page.getByRole('button', { name: 'NEW TEMPLATE' }).click()
  const dialog = page.getByRole('dialog')
  const form = dialog.getByRole('list', { name: 'Form Fields' })
  const available = dialog.getByRole('list', { name: 'Available Fields' })
  const [left, right] = [await form.boundingBox(), await available.boundingBox()]
  if (!left || !right) throw new Error('no lists')
  await expect(available.getByRole('listitem')).toHaveCount(2)
  const middle = (box: { x: number; width: number }) => box.x + box.width / 2
  const browser = await page.context().newCDPSession(page)
  for (let turn = 0; turn < 12; turn++) {
    const from = await dialog.getByRole('button', { name: turn % 3 ? 'Move Size' : 'Move Note', exact: true }).boundingBox()
    if (!from) throw new Error('no handle')
    const start = { x: from.x + 8, y: from.y + 8 }
    const way = [start, { ...start, y: start.y + 8 }]
    for (let step = 0; step < 8 + (turn % 2); step++)
      way.push({ x: middle((step + turn) % 2 ? left : right), y: left.y + 10 + ((step * 17 + turn * 5) % 90) })
    const end = way[way.length - 1] ?? start
    const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', at: { x: number; y: number }) =>
      browser.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', buttons: 1, clickCount: 1 })
    await browser.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...start })
    // Half of the turns leave the page no time between the moves, the others one frame.
    const moves = [send('mousePressed', start)]
    for (const at of way.slice(1)) {
      moves.push(send('mouseMoved', at))
      if (turn % 4 > 1) await frames(page)
    }
    await Promise.all([...moves, send('mouseReleased', end)])
    await expect(dialog.locator('[data-dragging], [data-dnd-placeholder]')).toHaveCount(0)
    expect((await dialog.getByRole('listitem').allTextContents()).toSorted()).toEqual(['Note', 'Size'])
  }
  await drag(page, dialog.getByRole('button', { name: 'Move Size', exact: true }), form)
  await drag(page, dialog.getByRole('button', { name: 'Move Note', exact: true }), form, 0.9)
  await expect(form.getByRole('listitem')).toHaveText(['Size', 'Note'])
})

test('sets permissions one by one and says what happened [2.96] [2.97] [6.4] [8.22] [8.23] [8.24]', async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  // All but Delete tickets.
  const { admin, lee, member, project, url } = await makeStudio(product, { permissions: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13] })
  await signIn(page, admin)
  await page.goto(url)
  const card = page.getByRole('region', { name: 'User Permissions' })
  const assign = card.getByRole('checkbox', { name: `Assign people: ${lee.login}` })
  await expect(card.getByRole('checkbox', { name: new RegExp(`^Delete tickets: ${lee.login} \\(You do not hold`) })).toBeDisabled()
  const sent = page.waitForRequest(/set-user-permission/)
  await assign.check()
  expect((await sent).postDataJSON()).toEqual({ idProject: project.projectId, idProjectMember: member, idPermission: 5, Enabled: 1 })
  await expect(page.getByText('Permissions updated')).toBeVisible()
  await expect(assign).toBeChecked()
  await shoot(page, 'permissions')
  await page.route(/set-user-permission/, route => route.fulfill({ status: 503, body: '{}' }))
  await assign.click()
  await expect(page.getByText('Permissions failed to update')).toBeVisible()
  await expect(assign).toBeChecked()
  await page.unroute(/set-user-permission/)
  // The last one who may manage permissions keeps that.
  await card.getByRole('checkbox', { name: `Manage permissions: ${admin.login}` }).click()
  await expect(page.getByText('Permissions update failed', { exact: true })).toBeVisible()
  await expect(card.getByRole('checkbox', { name: `Manage permissions: ${admin.login}` })).toBeChecked()
})

test('deletes with numbers, archives what is in use and brings it back, replaces a state', async ({ page, product, signIn, shoot }) => {
  const { admin, idOrganization, project, url } = await makeStudio(product)
  for (let index = 0; index < 3; index++) await makeTicket(product.db, idOrganization, project, { stateId: project.states.doing })
  await signIn(page, admin)
  await page.goto(url)
  const fields = page.getByRole('region', { name: 'Ticket Fields' })
  const states = page.getByRole('region', { name: 'Ticket States' })
  const templates = page.getByRole('region', { name: 'Ticket Templates' })
  const asked = page.getByRole('alertdialog')
  await templates.getByRole('checkbox', { name: 'Select every template' }).check()
  await templates.getByRole('button', { name: 'Delete selected templates' }).click()
  await expect(asked).toContainText('3 tickets')
  await expect(asked).toContainText('not in use')
  await shoot(page, 'delete-templates')
  await asked.getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('1 template archived, 1 deleted')).toBeVisible()
  await expect(templates.getByRole('button', { name: 'ARCHIVED (1)' })).toBeVisible()
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('2 templates are back')).toBeVisible()
  await expect.poll(() => names(templates)).toEqual(['Bug', 'Task'])
  await expect(templates.getByRole('button', { name: /ARCHIVED/ })).toHaveCount(0)

  await fields.getByRole('checkbox', { name: 'Select Note' }).check()
  await fields.getByRole('button', { name: 'Delete selected fields' }).click()
  await expect(asked).toContainText('2 templates')
  await asked.getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('1 field archived')).toBeVisible()
  await fields.getByRole('button', { name: 'ARCHIVED (1)' }).click()
  await fields.getByRole('button', { name: 'Restore Note' }).click()
  await expect(page.getByText('The field is back')).toBeVisible()
  await expect.poll(() => names(fields)).toContain('Note')

  await states.getByRole('checkbox', { name: 'Select Open' }).check()
  await states.getByRole('button', { name: 'Delete selected states' }).click()
  await expect(asked).toContainText('New tickets of Bug and Task start in Open')
  await expect(asked.getByRole('button', { name: 'DELETE' })).toBeDisabled()
  await asked.getByRole('button', { name: 'CANCEL' }).click()
  await states.getByRole('checkbox', { name: 'Select Open' }).uncheck()
  await states.getByRole('checkbox', { name: 'Select Doing' }).check()
  await states.getByRole('button', { name: 'Delete selected states' }).click()
  await expect(asked.getByRole('button', { name: 'DELETE' })).toBeDisabled()
  await asked.getByLabel('Move 3 tickets to').click()
  await page.getByRole('option', { name: 'Open' }).click()
  await shoot(page, 'delete-states')
  await asked.getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('1 state deleted, 3 tickets moved to Open')).toBeVisible()
  await expect.poll(() => names(states)).toEqual(['Open', 'Done'])
})

test('UNDO brings a deleted state back to its place, with its moves and its tickets', async ({ page, product, signIn }) => {
  const { admin, idOrganization, project, url } = await makeStudio(product)
  const { open, doing, done } = project.states
  for (let index = 0; index < 3; index++)
    await makeTicket(product.db, idOrganization, project, { stateId: doing, title: `Spline ${index}` })
  for (const [from, to] of [
    [open, doing],
    [doing, done],
  ]) {
    await product.db
      .insertInto('state_transition')
      .values({
        organization_id: idOrganization,
        project_id: project.projectId,
        from_state_id: from as number,
        to_state_id: to as number,
      })
      .execute()
  }
  await signIn(page, admin)
  await page.goto(url)
  const states = page.getByRole('region', { name: 'Ticket States' })
  const asked = page.getByRole('alertdialog')
  const undo = page.getByRole('button', { name: 'UNDO' })
  await states.getByRole('checkbox', { name: 'Select Doing' }).check()
  await states.getByRole('button', { name: 'Delete selected states' }).click()
  await asked.getByLabel('Move 3 tickets to').click()
  await page.getByRole('option', { name: 'Done' }).click()
  await asked.getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('1 state deleted, 3 tickets moved to Done')).toBeVisible()
  await expect.poll(() => names(states)).toEqual(['Open', 'Done'])
  // The toast outlives the page it came from; the pointer that rests on it keeps it.
  await page.locator('[data-toast]').hover()
  await page.getByRole('link', { name: 'Project overview' }).first().press('Enter')
  await expect(page).toHaveURL(/view-project/)
  await expect(page.getByRole('row', { name: /Spline 0/ })).toContainText('Done')
  await undo.click()
  await expect(page.getByText('The state is back, 3 tickets with it')).toBeVisible()
  await expect(page.getByRole('row', { name: /Spline 0/ })).toContainText('Doing')
  await page.goto(url)
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
  await expect(page.getByRole('dialog').locator('.react-flow__edge')).toHaveCount(2)
  await page.keyboard.press('Escape')

  // A name that was made again keeps the deleted one away, in words.
  await states.getByRole('checkbox', { name: 'Select Doing' }).check()
  await states.getByRole('button', { name: 'Delete selected states' }).click()
  await asked.getByLabel('Move 3 tickets to').click()
  await page.getByRole('option', { name: 'Open' }).click()
  await asked.getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('1 state deleted, 3 tickets moved to Open')).toBeVisible()
  await makeState(product, idOrganization, project.projectId, 'Doing')
  await undo.click()
  await expect(page.getByText('This project has a state named Doing already')).toBeVisible()
})

test('UNDO brings a role back to those who held it, and a member with permissions and roles', async ({ page, product, signIn }) => {
  const { admin, lee, idOrganization, project, url } = await makeStudio(product)
  const ticket = await makeTicket(product.db, idOrganization, project)
  await product.db
    .insertInto('assignment')
    .values({
      organization_id: idOrganization,
      project_id: project.projectId,
      ticket_id: ticket,
      user_id: lee.idUser,
      role_id: project.roles.assignee,
    })
    .execute()
  await signIn(page, admin)
  await page.goto(url)
  const roles = page.getByRole('region', { name: 'Roles' })
  const asked = page.getByRole('alertdialog')
  await roles.getByRole('checkbox', { name: 'Select Assignee' }).check()
  await roles.getByRole('button', { name: 'Delete selected roles' }).click()
  await asked.getByLabel('Give 1 assignment the role').click()
  await page.getByRole('option', { name: 'Reviewer' }).click()
  await asked.getByRole('button', { name: 'DELETE' }).click()
  await expect(roles.getByRole('row', { name: 'Reviewer' })).toContainText('1 assignment')
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('The role is back, 1 assignment with it')).toBeVisible()
  await expect.poll(() => names(roles)).toEqual(['Responsible', 'Assignee', 'Reviewer'])
  await expect(roles.getByRole('row', { name: 'Assignee' })).toContainText('1 assignment')
  await expect(roles.getByRole('row', { name: 'Reviewer' })).toContainText('not in use')

  const members = page.getByRole('region', { name: 'Members' })
  const permissions = page.getByRole('region', { name: 'User Permissions' })
  await permissions.getByRole('checkbox', { name: `Delete tickets: ${lee.login}` }).check()
  await expect(page.getByText('Permissions updated')).toBeVisible()
  await members.getByRole('button', { name: `Remove ${lee.login} from the project` }).click()
  await asked.getByRole('button', { name: 'REMOVE' }).click()
  await expect(permissions.getByRole('checkbox', { name: `Delete tickets: ${lee.login}` })).toHaveCount(0)
  await expect(roles.getByRole('row', { name: 'Assignee' })).toContainText('not in use')
  await page.locator('[data-toast]', { hasText: 'Lee Park is no longer a member' }).getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('Lee Park is a member again')).toBeVisible()
  await expect(permissions.getByRole('checkbox', { name: `Delete tickets: ${lee.login}` })).toBeChecked()
  await expect(roles.getByRole('row', { name: 'Assignee' })).toContainText('1 assignment')
})

test('UNDO gives a member no permission that its giver does not hold, and says which', async ({ page, product, signIn }) => {
  // View tickets and Manage project.
  const { admin, idOrganization, member, lee, url } = await makeStudio(product, { permissions: [1, 2, 3, 13] })
  await product.db
    .updateTable('project_member')
    .set({ permissions: 0b1000_0000_0111 })
    .where('organization_id', '=', idOrganization)
    .where('id', '=', member)
    .execute()
  await signIn(page, admin)
  await page.goto(url)
  await page.getByRole('button', { name: `Remove ${lee.login} from the project` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'REMOVE' }).click()
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('Lee Park is a member again, without what you do not hold: Delete tickets')).toBeVisible()
})

test('draws the workflow by mouse and keyboard, sees its flaws, saves it whole [2.92]', async ({ page, product, signIn, shoot }) => {
  const { admin, project, url } = await makeStudio(product)
  const { open, doing, done } = project.states
  await signIn(page, admin)
  await page.goto(url)
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
  const dialog = page.getByRole('dialog', { name: 'Flow Diagram' })
  const node = (id: number) => dialog.locator(`.react-flow__node[data-id="${id}"]`)
  await expect(node(open)).toBeVisible()
  await expect(dialog.getByText('No moves are set: every state can change to every other.')).toBeVisible()
  await drag(page, node(open).locator('.react-flow__handle-right'), node(doing).locator('.react-flow__handle-left'))
  await expect(dialog.getByText('Done cannot be reached; Doing and Done cannot be left')).toBeVisible()
  await node(doing).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('checkbox', { name: 'From Doing to Done' }).press('Space')
  await dialog.getByRole('checkbox', { name: 'From Doing to Open' }).press('Space')
  await expect(dialog.locator('.react-flow__edge')).toHaveCount(3)
  await shoot(page, 'workflow')
  await dialog.getByRole('tab', { name: 'TABLE' }).click()
  await dialog.getByRole('checkbox', { name: 'From Done to Open' }).check()
  await expect(dialog.getByText('cannot be left')).toHaveCount(0)
  await shoot(page, 'workflow-table')
  await dialog.getByRole('tab', { name: 'DIAGRAM' }).click()
  await dialog.locator(`.react-flow__edge[data-id="${done}>${open}"]`).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Delete')
  await expect(dialog.locator('.react-flow__edge')).toHaveCount(3)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toContainText('Discard your changes')
  await page.getByRole('alertdialog').getByRole('button', { name: 'KEEP EDITING' }).click()
  await dialog.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('Workflow saved: 3 moves')).toBeVisible()
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
  await expect(dialog.locator('.react-flow__edge')).toHaveCount(3)
})

test('a state that was dragged in the diagram stands there the next time; ARRANGE forgets it', async ({ page, product, signIn }) => {
  const { admin, project, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  const dialog = page.getByRole('dialog', { name: 'Flow Diagram' })
  const place = (id: number) => dialog.locator(`.react-flow__node[data-id="${id}"]`).evaluate(node => (node as HTMLElement).style.transform)
  const { doing, done } = project.states
  const open = async () => {
    await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
    await expect(dialog.locator('.react-flow__node')).toHaveCount(3)
  }
  await open()
  const laidOut = [await place(doing), await place(done)]
  const node = dialog.locator(`.react-flow__node[data-id="${doing}"]`)
  await node.focus()
  await page.keyboard.press('Enter')
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown')
  await expect.poll(() => place(doing)).not.toBe(laidOut[0])
  const moved = await place(doing)
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await open()
  expect([await place(doing), await place(done)]).toEqual([moved, laidOut[1]])
  await page.reload()
  await open()
  expect(await place(doing)).toBe(moved)
  await drag(page, node, dialog.locator(`.react-flow__node[data-id="${done}"]`), 3)
  await expect.poll(() => place(doing)).not.toBe(moved)
  const dragged = await place(doing)
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await open()
  expect(await place(doing)).toBe(dragged)
  await dialog.getByRole('button', { name: 'ARRANGE' }).click()
  await expect.poll(() => place(doing)).toBe(laidOut[0])
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await open()
  expect([await place(doing), await place(done)]).toEqual(laidOut)
})

test('a workflow that somebody else saved meanwhile is not overwritten unasked', async ({ page, browser, product, signIn }) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  const other = await browser.newPage({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
  await signIn(other, admin)
  const tick = async (where: Page, move: string) => {
    await where.goto(url)
    await where.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
    await where.getByRole('tab', { name: 'TABLE' }).click()
    await where.getByRole('checkbox', { name: move }).check()
  }
  await tick(page, 'From Open to Doing')
  await tick(other, 'From Doing to Done')
  await other.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(other.getByText('Workflow saved: 1 move')).toBeVisible()
  await other.close()
  const save = page.getByRole('button', { name: 'SAVE', exact: true })
  // The page may have heard of it before, and then refuses the click.
  await save.dispatchEvent('click')
  await expect(page.getByText('Somebody else saved the workflow meanwhile: 1 move')).toBeVisible()
  await expect(save).toBeDisabled()
  await page.getByRole('button', { name: 'KEEP MINE' }).click()
  await save.click()
  await expect(page.getByText('Workflow saved: 1 move')).toBeVisible()
})

test('members, roles and settings; an archived project takes no changes and comes back', async ({ page, product, signIn, shoot }) => {
  const { admin, lee, nora, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  const members = page.getByRole('region', { name: 'Members' })
  await members.getByRole('button', { name: 'ADD MEMBER' }).click()
  await expect(members.getByText('Choose a person first')).toBeVisible()
  await members.getByLabel('Add a person').fill('Nora')
  await page.getByRole('option', { name: /Nora Ames/ }).click()
  await members.getByRole('button', { name: 'ADD MEMBER' }).click()
  await expect(page.getByText('Nora Ames is a member now')).toBeVisible()
  await expect(members.getByRole('listitem').filter({ hasText: nora.login })).toBeVisible()
  await members.getByRole('button', { name: `Remove ${lee.login} from the project` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'REMOVE' }).click()
  await expect(page.getByText('Lee Park is no longer a member')).toBeVisible()

  const roles = page.getByRole('region', { name: 'Roles' })
  await roles.getByRole('button', { name: 'NEW ROLE' }).click()
  await page.getByRole('dialog').getByLabel('Role').fill('Tester')
  await page.keyboard.press('Enter')
  await expect.poll(() => names(roles)).toEqual(['Responsible', 'Assignee', 'Reviewer', 'Tester'])
  await roles.getByRole('button', { name: 'Reviewer', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Role').fill('Critic')
  await page.keyboard.press('Enter')
  await expect.poll(() => names(roles)).toContain('Critic')
  await roles.getByRole('checkbox', { name: 'Select Tester' }).check()
  await roles.getByRole('button', { name: 'Delete selected roles' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('1 role deleted')).toBeVisible()

  const settings = page.getByRole('region', { name: 'Project Settings' })
  await settings.getByLabel('Title').fill('Titanium SDK')
  await settings.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Titanium SDK [TIMOB]')
  await members.scrollIntoViewIfNeeded()
  await shoot(page, 'edit-project-project')
  await settings.getByRole('button', { name: 'ARCHIVE PROJECT' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'ARCHIVE PROJECT' }).click()
  await expect(page.getByText('This project is archived: it can be read and takes no changes.')).toBeVisible()
  for (const name of ['NEW FIELD', 'NEW STATE', 'NEW TEMPLATE', 'NEW ROLE', 'ADD MEMBER', 'Move Open'])
    await expect(page.getByRole('button', { name })).toBeDisabled()
  const endOf = async (element: Locator) => element.evaluate(node => node.getBoundingClientRect().right)
  expect(await endOf(members.getByRole('button', { name: 'ADD MEMBER' }))).toBeLessThan(await endOf(members))
  await shoot(page, 'edit-project-archived')
  await page.getByRole('button', { name: 'RESTORE PROJECT' }).click()
  await expect(page.getByText('The project is back')).toBeVisible()
  await expect(page.getByRole('button', { name: 'NEW FIELD' })).toBeEnabled()
})

test('a new project leads its administrator from the first state to the first template [2.24] [2.115] [5.7] [8.32] [8.33]', async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  const idOrganization = await makeOrganization(product.db)
  const admin = await product.person({ fullName: 'Dana Kim', admin: true, idOrganization })
  await signIn(page, admin)
  await page.goto('/home')
  await page.getByRole('button', { name: 'NEW PROJECT' }).click()
  const dialog = page.getByRole('dialog')
  let creations = 0
  page.on('request', request => {
    if (request.url().includes('create-project')) creations += 1
  })
  await dialog.getByLabel('Title').fill('  ')
  await dialog.getByLabel('ShortCode').fill(' ')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter a title')).toBeVisible()
  await expect(dialog.getByText('Enter a short code')).toBeVisible()
  expect(creations).toBe(0)
  await shoot(page, 'new-project-dialog')
  await dialog.getByLabel('Title').fill(' Alloy ')
  await dialog.getByLabel('ShortCode').fill(' ALOY ')
  await page.route(/create-project/, route => route.fulfill({ status: 500, body: '{}' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Failed to create new project')).toBeVisible()
  await page.unroute(/create-project/)
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(page.getByText('New project created successfully')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Alloy' })).toBeVisible()
  await page.getByRole('link', { name: 'Edit project' }).click()
  await expect(page.getByText('First step of two:')).toBeVisible()
  await expect(page.getByRole('button', { name: 'NEW TEMPLATE' })).toBeDisabled()
  await shoot(page, 'edit-project-new')
  await page.getByRole('button', { name: 'NEW STATE' }).click()
  await dialog.getByLabel('State name').fill('Open')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Second step of two:')).toBeVisible()
  await page.getByRole('button', { name: 'NEW TEMPLATE' }).click()
  await dialog.getByLabel('Ticket Type').fill('Task')
  await page.keyboard.press('Enter')
  await expect(page.getByText('New template created successfully')).toBeVisible()
  await expect(page.getByText('step of two')).toHaveCount(0)
})
