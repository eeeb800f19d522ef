import type { Locator } from '@playwright/test'
import { makeOrganization, makeTicket } from '@tessera/server/test/fixtures/factories'
import { expect, lines, prepareRoutes, test } from '../fixtures.ts'
import { drag, makeStudio, names } from './studio.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 180_000 })

test('the four cards and what they create [1.7] [2.84] [2.85] [2.87] [2.88] [2.90] [2.91] [2.93] [2.94] [2.95] [2.106] [2.107] [2.108] [2.123] [2.124] [4.8] [4.18] [5.14] [8.16] [8.17] [8.18] [8.19] [8.20] [8.21]', async ({
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
  await expect(fields.getByRole('row', { name: 'note' }).getByRole('cell', { name: 'TEXTMULTILINE', exact: true })).toBeVisible()
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
  await dialog.getByLabel('Database key').fill('note')
  await dialog.getByRole('button', { name: 'What is this?' }).hover()
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
  // A taken name is reported at its field, which has the focus.
  const isTaken = async (label: string) => {
    const field = dialog.getByLabel(label, { exact: true })
    await expect(field).toBeFocused()
    await expect(field).toHaveAccessibleDescription(/already/)
    await expect(dialog.getByRole('alert')).toHaveCount(0)
  }
  await isTaken('Database key')
  await dialog.getByLabel('Database key', { exact: true }).fill('how_severe')
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(page.getByText('New field created successfully')).toBeVisible()
  await expect(fields.getByRole('row', { name: 'Severity' })).toContainText('SELECT')
  // Where a key may break, a screen reader pauses only if Chromium's own tree has a space there.
  const { nodes } = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree')
  expect(nodes.map(({ name }) => name?.value)).toContain('how_severe')

  await states.getByRole('button', { name: 'NEW STATE' }).click()
  await expect(dialog.getByLabel('Phase')).toContainText('Proposed')
  await dialog.getByLabel('State name').fill('  ')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter a name for the state')).toBeVisible()
  await dialog.getByLabel('State name').fill('Open')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Failed to create new state')).toBeVisible()
  await isTaken('State name')
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
  await drag(page, available.getByText('Severity'), form)
  await expect(form.getByRole('listitem')).toHaveText(['Severity'])
  await dialog.getByRole('button', { name: 'Put Note into the form' }).click()
  await expect(form.getByRole('listitem')).toHaveText(['Severity', 'Note'])
  await shoot(page, 'new-template-dialog')
  await dialog.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(page.getByText('Failed to create new template')).toBeVisible()
  await isTaken('Ticket Type')
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

test('no word in the card of fields is broken, also beside other cards in a wide window', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
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
  // The skeleton rows are empty.
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

test('deletions say what they affect; items in use are archived and restored, and a state is replaced', { tag: '@long' }, async ({
  page,
  product,
  signIn,
  shoot,
}) => {
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

test('members, roles and settings; an archived project refuses changes and is restored', { tag: '@long' }, async ({
  page,
  product,
  signIn,
  shoot,
}) => {
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
  await expect(members.getByRole('button', { name: `Remove ${lee.login} from the project` })).toHaveCount(0)
  await expect(members.locator('button:focus')).toHaveAttribute('aria-label', /^Remove /)

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
  await prepareRoutes(page)
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
  await expect(page.getByRole('button', { name: 'FLOW DIAGRAM' })).toBeDisabled()
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).hover({ force: true })
  await expect(page.getByRole('tooltip')).toHaveText('The diagram draws the states: add a state first')
  await page.mouse.move(0, 0)
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
