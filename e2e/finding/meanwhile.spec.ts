import type { Page } from '@playwright/test'
import { deleteViews, setView } from '@tessera/contract/projects/views'
import { purgeTicket, trashTicket } from '@tessera/contract/tickets/moving'
import { makeMember, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { callBeside } from '../call.ts'
import { expect, type Product, test } from '../fixtures.ts'

// What others do meanwhile, and where the focus is afterwards.

/** A project with three open tickets, the newest first: Cargo, Boat, Anchor. */
async function makeHarbour(product: Product) {
  const person = await product.person({ admin: true })
  const project = await makeProject(product.db, person.idOrganization, { title: 'Harbour', shortCode: `HRB${person.idUser}` })
  await makeMember(product.db, person.idOrganization, project.projectId, person.idUser, 'all')
  const ids = []
  for (const title of ['Anchor', 'Boat', 'Cargo']) ids.push(await makeTicket(product.db, person.idOrganization, project, { title }))
  const [anchor, boat, cargo] = ids as [number, number, number]
  return { person, idProject: project.projectId, anchor, boat, cargo }
}
const rows = (page: Page) => page.locator('tr[data-key]')
const toast = (page: Page, text: string) => page.locator('[data-toast]').filter({ hasText: text })

test('a move on the board is undone although the card above was moved to the trash', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { person, idProject, cargo } = await makeHarbour(product)
  await signIn(page, person)
  await page.goto(`/view-project/${idProject}?layout=board`)
  const column = (name: string) => page.getByRole('list', { name, exact: true })
  await column('Open').getByRole('link', { name: 'Boat' }).focus()
  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await expect(column('Doing').getByRole('link', { name: 'Boat' })).toBeVisible()
  await callBeside(page, trashTicket, { idTicket: cargo })
  await expect(page.getByRole('link', { name: 'Cargo' })).toHaveCount(0)
  await toast(page, 'moved to Doing').getByRole('button', { name: 'UNDO' }).click()
  await expect(toast(page, 'is back in Open')).toBeVisible()
  await expect(column('Open').getByRole('link', { name: 'Boat' })).toBeVisible()
})

test('a selected ticket that was deleted is left out of the change and named; the focus returns to the list', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { person, idProject, boat } = await makeHarbour(product)
  await signIn(page, person)
  await page.goto(`/view-project/${idProject}`)
  await rows(page).first().focus()
  for (const key of ['x', 'ArrowDown', 'x']) await page.keyboard.press(key)
  const bar = page.getByRole('region', { name: 'Selected tickets' })
  await expect(bar).toContainText('2 selected')
  await callBeside(page, trashTicket, { idTicket: boat })
  await callBeside(page, purgeTicket, { idTicket: boat })
  await expect(rows(page)).toHaveCount(2)
  await bar.getByRole('button', { name: 'WATCH' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'PREVIEW' }).press('Enter')
  await expect(toast(page, `Deleted meanwhile and left out: HRB${person.idUser}-${boat}`)).toBeVisible()
  await expect(dialog.getByRole('status')).toContainText('1 ticket changes')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'APPLY' }).press('Enter')
  await expect(toast(page, '1 ticket changed')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await expect(page.locator('tr[data-key]:focus')).toHaveCount(1)

  // The same on the page of changes, whose button turns into words.
  await page.goto(`/project-changes/${idProject}`)
  const list = page.getByRole('list', { name: 'Changes' })
  const revert = list.getByRole('button', { name: /^Revert/ })
  await expect(revert).toBeEnabled()
  await revert.press('Enter')
  await expect(dialog.getByRole('status')).toContainText('1 ticket changes')
  await dialog.getByRole('button', { name: 'REVERT' }).press('Enter')
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(revert).toBeFocused()
})

test('the dialog that saves a copy of a view keeps its text when the view is deleted', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { person, idProject } = await makeHarbour(product)
  await signIn(page, person)
  await page.goto(`/view-project/${idProject}`)
  const content = { Query: 'is:open', Layout: 'list' as const }
  const { idView } = await callBeside(page, setView, { idProject, Name: 'Shared', Scope: 'project', ...content })
  await page.goto(`/view-project/${idProject}?view=${idView}&layout=list&q=is%3Aopen`)
  await expect(page.getByText('View Shared')).toBeVisible()
  await page.getByLabel('My Tickets').click()
  await page.getByRole('button', { name: /^SAVE AS/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('A copy of it')
  await callBeside(page, deleteViews, { idProject, ids: [idView] })
  await expect(page.getByText('View Shared')).toHaveCount(0)
  await expect(dialog.getByLabel('Name')).toHaveValue('A copy of it')
  await dialog.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('View A copy of it')).toBeVisible()
  const copy = Number(new URL(page.url()).searchParams.get('view'))
  await callBeside(page, deleteViews, { idProject, ids: [copy] })
  await expect(toast(page, 'The view A copy of it was deleted')).toBeVisible()
  await expect(page).toHaveURL(/q=is%3Aopen/)
  await expect(page).not.toHaveURL(/view=/)
})

test('typed dates of the charts change the range once they are valid', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { person, idProject } = await makeHarbour(product)
  await signIn(page, person)
  await page.goto(`/project-charts/${idProject}`)
  await page.getByRole('button', { name: 'Custom' }).click()
  const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
  await from.focus()
  await page.keyboard.type('01102026')
  await expect(from).toBeFocused()
  await expect(from).toHaveValue('2026-01-10')
  await expect(page).toHaveURL(/from=2026-01-10/)
  await to.focus()
  await page.keyboard.type('01052026')
  await expect(page.getByText('From is after To')).toBeVisible()
  await expect(page).toHaveURL(/from=2026-01-10/)
  // Back to its first part.
  await from.focus()
  await to.focus()
  await page.keyboard.type('02052026')
  await expect(page).toHaveURL(/to=2026-02-05/)
  await expect(page.getByText('From is after To')).toHaveCount(0)
})
