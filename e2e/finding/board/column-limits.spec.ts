import { makeMember, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { expect, test } from '../../fixtures.ts'

test('a column above its limit shows it in numbers, words and color; its name looks like the others', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const ada = await product.person()
  const { db } = product
  const project = await makeProject(db, ada.idOrganization)
  await makeMember(db, ada.idOrganization, project.projectId, ada.idUser, 'all')
  for (const title of ['Buoy', 'Rope']) await makeTicket(db, ada.idOrganization, project, { title })
  await db
    .updateTable('state')
    .set({ board_limit: 1 })
    .where('organization_id', '=', ada.idOrganization)
    .where('id', 'in', [project.states.open, project.states.doing])
    .execute()
  await signIn(page, ada)
  await page.goto(`/view-project/${project.projectId}?layout=board`)
  const colors = async (heading: RegExp) => {
    const texts = page.getByRole('heading', { name: heading }).locator('span:not([aria-hidden])')
    return texts.evaluateAll(all => all.map(text => getComputedStyle(text).color))
  }
  await expect(page.getByRole('heading', { name: 'Open 2 / 1' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Open, 2 tickets, above the limit of 1/ })).toBeVisible()
  const [[name, above], [otherName, within]] = [await colors(/^Open/), await colors(/^Doing 0 \/ 1/)]
  expect(name).toBe(otherName)
  expect(new Set([name, above, within]).size).toBe(3)
})

test('an enforced limit: the board and the ticket say why the state accepts no ticket', { tag: '@long' }, async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  const ada = await product.person()
  const { db } = product
  const project = await makeProject(db, ada.idOrganization)
  await makeMember(db, ada.idOrganization, project.projectId, ada.idUser, 'all')
  const buoy = await makeTicket(db, ada.idOrganization, project, { title: 'Buoy' })
  await makeTicket(db, ada.idOrganization, project, { title: 'Rope', stateId: project.states.doing })
  await signIn(page, ada)
  await page.goto(`/edit-project/${project.projectId}`)
  await page.getByRole('region', { name: 'Ticket States' }).getByRole('button', { name: 'Doing', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Ticket State' })
  const holds = dialog.getByRole('checkbox', { name: /^Enforce the limit/ })
  await expect(holds).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Limit on the board' }).fill('1')
  await holds.check()
  await shoot(page, 'limit-that-holds')
  await dialog.getByRole('button', { name: 'SAVE' }).click()
  await expect(dialog).toBeHidden()

  await page.goto(`/view-project/${project.projectId}?layout=board`)
  await expect(page.getByRole('button', { name: /^Doing, 1 ticket, full, limit 1/ })).toBeVisible()
  await page.getByRole('link', { name: 'Buoy' }).focus()
  await page.keyboard.press('Space')
  await expect(page.locator('[data-refused]').getByText('It has reached its limit of 1')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto(`/view-ticket/${buoy}`)
  await page.getByRole('button', { name: 'State: Open' }).click()
  await page.getByRole('menuitem', { name: 'Doing' }).click()
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText('Doing has reached its limit of 1 ticket').first()).toBeVisible()
  await shoot(page, 'full-state')
})
