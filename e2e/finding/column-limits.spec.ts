import { makeMember, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { expect, test } from '../fixtures.ts'

test('a column above its limit says so in numbers, words and colour; its name stays as the others are', async ({
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
  const colours = async (heading: RegExp) => {
    const texts = page.getByRole('heading', { name: heading }).locator('span:not([aria-hidden])')
    return texts.evaluateAll(all => all.map(text => getComputedStyle(text).color))
  }
  await expect(page.getByRole('heading', { name: 'Open 2 / 1' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Open, 2 tickets, above the limit of 1/ })).toBeVisible()
  const [[name, above], [otherName, within]] = [await colours(/^Open/), await colours(/^Doing 0 \/ 1/)]
  expect(name).toBe(otherName)
  expect(new Set([name, above, within]).size).toBe(3)
})
