import { makeMember, makeTicket } from '@tessera/server/test/fixtures/factories'
import { expect, prepareRoutes, test } from '../fixtures.ts'
import { makeStudio, names } from './studio.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 180_000 })

test('sets permissions one by one and says what happened [1.7] [2.96] [2.97] [6.4] [8.22] [8.23] [8.24]', async ({
  page,
  product,
  signIn,
}) => {
  await prepareRoutes(page)
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
  await page.route(/set-user-permission/, route => route.fulfill({ status: 503, body: '{}' }))
  await assign.click()
  await expect(page.getByText('Permissions failed to update')).toBeVisible()
  await expect(assign).toBeChecked()
  await page.unroute(/set-user-permission/)
  // The last member who manages permissions keeps the right.
  await card.getByRole('checkbox', { name: `Manage permissions: ${admin.login}` }).click()
  await expect(page.getByText('Permissions update failed', { exact: true })).toBeVisible()
  await expect(card.getByRole('checkbox', { name: `Manage permissions: ${admin.login}` })).toBeChecked()
})

test('UNDO restores a role to the people who held it, and a member with permissions and roles', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
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

test('UNDO grants a member no permission that the caller does not hold, and names those', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
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

test('people who configure a project find it in its menu and the palette, others in neither', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { idOrganization, admin, project } = await makeStudio(product, { permissions: [1, 8] })
  await signIn(page, admin)
  const more = page.getByRole('button', { name: 'More', exact: true })
  const entry = page.getByRole('menuitem', { name: 'Edit project' })
  for (const way of ['menu', 'palette']) {
    await page.goto(`/view-project/${project.projectId}`)
    await expect(page.getByRole('link', { name: 'Edit project' })).toHaveCount(0)
    if (way === 'menu') {
      await more.click()
      await entry.click()
    } else {
      await expect(more).toBeVisible()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('edit project')
      await page.getByRole('option', { name: 'Edit project', exact: true }).click()
    }
    await expect(page).toHaveURL(`/edit-project/${project.projectId}`)
  }
  const reporter = await product.person({ idOrganization })
  await makeMember(product.db, idOrganization, project.projectId, reporter.idUser, [1, 2, 12])
  await signIn(page, reporter)
  await page.goto(`/view-project/${project.projectId}`)
  await more.click()
  await expect(page.getByRole('menuitem', { name: 'Trash' })).toBeVisible()
  await expect(entry).toHaveCount(0)
})

test('on a phone the names stay beside the permissions, whose columns stop whole below their names', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { admin, lee, url } = await makeStudio(product)
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn(page, admin)
  await page.goto(url)
  const card = page.getByRole('region', { name: 'User Permissions' })
  const name = card.getByRole('rowheader', { name: lee.login })
  await expect(name).toBeVisible()
  const area = card.getByRole('group', { name: 'User Permissions' })
  /** The place of the names, and how far the nearest column is from their edge. */
  const places = () =>
    area.evaluate(element => {
      const [names, ...columns] = [...element.querySelectorAll('thead th')].map(head => head.getBoundingClientRect())
      const from = element.getBoundingClientRect().left
      const edge = names?.right ?? 0
      return { names: (names?.left ?? 0) - from, off: Math.round(Math.min(...columns.map(({ left }) => Math.abs(left - edge)))) }
    })
  for (const far of [70, 120]) {
    await area.evaluate((element, x) => element.scrollTo({ left: x }), far)
    await expect.poll(places).toEqual({ names: 0, off: 0 })
  }
  const middle = (element: Element) => {
    const { left, right } = element.getBoundingClientRect()
    return Math.round((left + right) / 2)
  }
  const head = card.getByRole('columnheader', { name: 'Comment' }).locator('div')
  const boxBelow = card.getByRole('checkbox', { name: `Comment: ${lee.login}` })
  expect(await head.evaluate(middle)).toBe(await boxBelow.evaluate(middle))
})
