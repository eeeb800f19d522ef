import { makeMember, makeOrganization, makeProject } from '@tessera/server/test/fixtures/factories'
import { expect, lines, prepareRoutes, test } from '../fixtures.ts'

test.describe.configure({ timeout: 120_000 })

test('renames the organization, changes rights, adds and removes members', async ({ page, product, signIn, shoot }) => {
  await prepareRoutes(page)
  const idOrganization = await makeOrganization(product.db, 'Contoso')
  await makeProject(product.db, idOrganization, { title: 'Titanium Mobile', shortCode: 'TIMOB' })
  await makeProject(product.db, idOrganization, { title: 'Alloy Studio', shortCode: 'ALOY' })
  const admin = await product.person({ login: 'contoso-admin', fullName: 'Dana Kim', admin: true, idOrganization })
  const lee = await product.person({ login: 'contoso-lee', fullName: 'Lee Park', idOrganization })
  const mia = await product.person({ login: 'contoso-mia', fullName: 'Mia Berg', idOrganization })
  const guest = await product.person({ login: 'contoso-guest', fullName: 'Nora Ames' })
  await signIn(page, admin)
  await page.goto(`/view-organization/${idOrganization}`)
  await expect(page.getByRole('link', { name: 'Titanium Mobile' })).toBeVisible()
  await shoot(page, 'organization')
  await page.getByRole('button', { name: 'Rename the organization' }).click()
  await page.getByLabel('Title', { exact: true }).fill(' ')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a title')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contoso')
  await page.getByLabel('Title', { exact: true }).fill('Contoso Works')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contoso Works')

  const members = page.getByRole('table', { name: 'Members' })
  // The tick appears with the click, long before the server has answered; the next box need not wait for it.
  const agreed = Promise.withResolvers<void>()
  await page.route(/set-organization-member/, async route => {
    await agreed.promise
    await route.continue()
  })
  await members.getByRole('checkbox', { name: `Organisation Admin: ${lee.login}` }).check()
  await members.getByRole('checkbox', { name: `Organisation Admin: ${mia.login}` }).check()
  await expect(page.getByText('Permissions updated')).toHaveCount(0)
  agreed.resolve()
  await expect(page.getByText('Permissions updated')).toHaveCount(2)
  await page.unroute(/set-organization-member/)
  // A refused change is reverted.
  await page.route(/set-organization-member/, route => route.fulfill({ status: 422, json: { Success: 0, error: 'No', code: 'rule' } }))
  await members.getByRole('checkbox', { name: `Organisation Admin: ${mia.login}` }).click()
  const refusal = page.locator('[data-toast]').filter({ hasText: 'failed' })
  await expect(refusal.getByText('Permissions update failed', { exact: true })).toBeVisible()
  await expect(refusal.getByText('No', { exact: true })).toBeVisible()
  for (const { login } of [lee, mia]) await expect(members.getByRole('checkbox', { name: `Organisation Admin: ${login}` })).toBeChecked()
  await page.unroute(/set-organization-member/)
  await page.getByLabel('Login name of a new member').fill('nobody-at-all')
  await page.getByRole('button', { name: 'ADD MEMBER' }).click()
  await expect(page.getByText('Nobody has this login name')).toBeVisible()
  await page.getByLabel('Login name of a new member').fill(guest.login)
  await page.getByRole('button', { name: 'ADD MEMBER' }).click()
  await expect(page.getByText(`${guest.login} is invited by mail`)).toBeVisible()
  await page.getByRole('button', { name: `Remove ${lee.login} from the organization` }).click()
  await shoot(page, 'organization-remove')
  await page.getByRole('alertdialog').getByRole('button', { name: 'REMOVE' }).click()
  await expect(page.getByText(`${lee.login} is no longer a member`)).toBeVisible()
  await expect(members.getByRole('row', { name: lee.login })).toHaveCount(0)
  // Former members are offered when a member is added.
  await expect(page.locator(`datalist option[value="${lee.login}"]`)).toBeAttached()
})

test('on a phone a short login fits on one line, and a long one breaks at its separators', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const idOrganization = await makeOrganization(product.db, 'Narrow Works')
  const admin = await product.person({ login: 'narrow-admin', fullName: 'Dana Kim', admin: true, idOrganization })
  await product.person({ login: 'alexandra.papadopoulos@narrow-works.example.com', idOrganization })
  await signIn(page, admin)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/view-organization/${idOrganization}`)
  await expect(page.getByRole('rowheader')).toHaveCount(2)
  expect(await lines(page.getByRole('rowheader', { name: /^alexandra/ }))).toEqual(['alexandra.papadopoulos@', 'narrow-works.example.com'])
  expect((await lines(page.getByRole('rowheader', { name: /^narrow-admin/ })))[0]).toBe('narrow-admin')
})

test('UNDO restores a removed member: rights, projects and permissions there', { tag: '@long' }, async ({
  page,
  browser,
  product,
  signIn,
}) => {
  const idOrganization = await makeOrganization(product.db, 'Undone Works')
  const project = await makeProject(product.db, idOrganization, { title: 'Blade Runner', shortCode: 'BR' })
  const admin = await product.person({ fullName: 'Dana Kim', admin: true, idOrganization })
  const lee = await product.person({ fullName: 'Lee Park', admin: true, idOrganization })
  await makeMember(product.db, idOrganization, project.projectId, lee.idUser, [1, 12])
  await signIn(page, admin)
  await page.goto(`/view-organization/${idOrganization}`)
  const members = page.getByRole('table', { name: 'Members' })
  await page.getByRole('button', { name: `Remove ${lee.login} from the organization` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'REMOVE' }).click()
  await expect(members.getByRole('row', { name: lee.login })).toHaveCount(0)
  // The toast outlives its page, and stays while the pointer is on it.
  await page.locator('[data-toast]').hover()
  await page.getByRole('link', { name: 'Blade Runner' }).press('Enter')
  await expect(page).toHaveURL(/view-project/)
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText(`${lee.login} is a member again`)).toBeVisible()
  await page.goto(`/view-organization/${idOrganization}`)
  await expect(members.getByRole('checkbox', { name: `Organisation Admin: ${lee.login}` })).toBeChecked()
  await page.goto(`/edit-project/${project.projectId}`)
  const permissions = page.getByRole('region', { name: 'User Permissions' })
  await expect(permissions.getByRole('checkbox', { name: `Delete tickets: ${lee.login}` })).toBeChecked()
  await expect(permissions.getByRole('checkbox', { name: `Create tickets: ${lee.login}` })).not.toBeChecked()

  const other = await browser.newPage({ baseURL: product.url })
  await signIn(other, lee)
  await other.goto('/home')
  await expect(other.getByRole('link', { name: 'Blade Runner' })).toBeVisible()
  await other.close()
})

test('a person who may not see an organization lands on home', async ({ page, product, signIn }) => {
  const idOrganization = await makeOrganization(product.db, 'Closed Doors')
  const home = await makeOrganization(product.db, 'Own Doors')
  await signIn(page, await product.person({ admin: true, idOrganization: home }))
  for (const id of [idOrganization, 999_999_999, 'nonsense']) {
    await page.goto(`/view-organization/${id}`)
    await expect(page).toHaveURL('/home')
  }
  await signIn(page, await product.person({ idOrganization: home }))
  await page.goto(`/view-organization/${home}`)
  await expect(page).toHaveURL('/home')
})

test('a super user sees whether the last backup has been proven', { tag: '@long' }, async ({ page, product, signIn, shoot }) => {
  await signIn(page, product.superUser)
  await page.goto(`/view-organization/${product.superUser.idOrganization}`)
  const card = page.getByRole('region', { name: 'Backup' })
  const headline = (words: string) => card.getByText(words, { exact: true })
  const hue = async (words: string) => {
    const color = await headline(words).evaluate(element => getComputedStyle(element).color)
    const [red = 0, green = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
    return red > green ? 'red' : 'green'
  }
  expect(await hue('There is no backup yet')).toBe('red')
  await shoot(page, 'organization-super')

  const run = { started_at: new Date(), finished_at: new Date(), location: 'backup.tar.gz' }
  for (const [values, words, color] of [
    [{ ...run, proven_at: new Date() }, 'The last backup is proven', 'green'],
    [{ ...run, proven_at: new Date(), warning: 'Missing: a.jpg' }, 'The last backup lacks files', 'red'],
    [run, 'The last backup is not proven', 'red'],
    [{ ...run, error: 'The disk is full' }, 'The last backup failed its test', 'red'],
  ] as const) {
    await product.db.insertInto('backup_run').values(values).execute()
    await page.reload()
    await expect(headline(words)).toBeVisible()
    expect(await hue(words)).toBe(color)
  }
  await expect(card).toContainText('The disk is full')
  await product.db.deleteFrom('backup_run').execute()
})

test('a manager reads the names of all projects and opens the own ones', { tag: '@long' }, async ({ page, product, signIn }) => {
  const idOrganization = await makeOrganization(product.db, 'Half Open')
  const own = await makeProject(product.db, idOrganization, { title: 'Own work', shortCode: 'OWN' })
  await makeProject(product.db, idOrganization, { title: 'Work of others', shortCode: 'OTHER' })
  const manager = await product.person({ manager: true, idOrganization })
  await makeMember(product.db, idOrganization, own.projectId, manager.idUser)
  await signIn(page, manager)
  await page.goto(`/view-organization/${idOrganization}`)
  const projects = page.getByRole('region', { name: 'Projects' })
  await expect(projects.getByText('Work of others')).toBeVisible()
  await expect(projects.getByRole('link')).toHaveText([/Own work/])
})
