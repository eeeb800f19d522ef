import { makeMember, makeOrganization, makeProject } from '@tessera/server/test/fixtures/factories'
import { expect, test } from '../fixtures.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 120_000 })

test('an organization admin creates and edits users [2.23] [2.24] [2.30] [2.31] [2.32] [2.103] [2.104] [2.105] [2.119] [5.3] [5.4] [5.9] [5.10] [5.11] [6.3] [6.6] [8.6] [8.14] [8.15]', async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  const idOrganization = await makeOrganization(product.db, 'Northwind Tools')
  const admin = await product.person({ fullName: 'Dana Kim', admin: true, idOrganization })
  const titanium = await makeProject(product.db, idOrganization, { title: 'Titanium Mobile', shortCode: 'TIMOB' })
  await makeProject(product.db, idOrganization, { title: 'Alloy Studio', shortCode: 'ALOY' })
  await makeMember(product.db, idOrganization, titanium.projectId, admin.idUser, 'all')
  for (const login of ['nora', 'lee', 'mika']) await product.person({ login: `${login}-${idOrganization}`, idOrganization })
  await signIn(page, admin)
  await page.goto('/home')
  const projects = page.getByRole('region', { name: 'Project list' })
  await expect(projects.getByRole('link', { name: 'Titanium Mobile' })).toHaveAttribute('href', `/view-project/${titanium.projectId}`)
  await expect(page.getByRole('region', { name: 'Organization list' })).toHaveCount(0)
  const users = page.getByRole('region', { name: 'User Management' })
  await expect(users.getByRole('listitem')).toHaveCount(4)
  await shoot(page, 'home')

  await users.getByRole('button', { name: 'NEW USER' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'ADD' }).click()
  await expect(dialog.getByText('Enter a login name')).toBeVisible()
  await expect(dialog.getByText('Enter an email address')).toBeVisible()
  await expect(dialog.getByLabel('Login Name')).toBeFocused()
  await expect(dialog.getByLabel('Send a welcome mail')).toBeDisabled()
  const login = `ada-${idOrganization}`
  await dialog.getByLabel('Login Name').fill(admin.login)
  await dialog.getByLabel('Email Address').fill('ada@example')
  await expect(dialog.getByLabel('Send a welcome mail')).toBeEnabled()
  await dialog.getByLabel('Send a welcome mail').check()
  await dialog.getByLabel('Full Name').fill('Ada Novak')
  await dialog.getByLabel('Greeting Name').fill('Ada')
  await dialog.getByLabel('Project Assignment').click()
  await page.getByRole('option', { name: 'Titanium Mobile' }).click()
  await shoot(page, 'new-user-dialog')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'ADD' }).click()
  await expect(page.getByText('User creation failure')).toBeVisible()
  await dialog.getByLabel('Login Name').fill(` ${login} `)
  await dialog.getByRole('button', { name: 'ADD' }).click()
  await expect(page.getByText(`User ${login} created`)).toBeVisible()
  await expect(dialog).toBeHidden()

  await users.getByRole('button', { name: login }).click()
  await expect(dialog.getByText('Northwind Tools')).toBeVisible()
  await expect(dialog.getByLabel('Login Name')).toHaveValue(login)
  await expect(dialog.getByLabel('Email Address')).toHaveValue('ada@example')
  const save = dialog.getByRole('button', { name: 'SAVE' })
  await expect(save).toBeDisabled()
  // Removing and adding again is no change.
  await dialog.getByLabel('Project Membership').click()
  await page.getByRole('option', { name: 'Titanium Mobile' }).click()
  await expect(save).toBeEnabled()
  await page.getByRole('option', { name: 'Titanium Mobile' }).click()
  await expect(save).toBeDisabled()
  await page.getByRole('option', { name: 'Alloy Studio' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByLabel('Greeting Name').fill('Addy')
  await shoot(page, 'edit-user-dialog')
  const sent = page.waitForRequest(/set-user-data-admin/)
  await save.click()
  expect((await sent).postDataJSON()).toEqual({
    idUser: expect.any(Number),
    GreetingName: 'Addy',
    ProjectMembership: [titanium.projectId, expect.any(Number)],
    MembershipBefore: [titanium.projectId],
  })
  await expect(page.getByText('User updated')).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('a person without rights sees only projects, and a message where there are none [2.25]', async ({ page, product, signIn, shoot }) => {
  const idOrganization = await makeOrganization(product.db, 'Empty Rooms')
  await signIn(page, await product.person({ fullName: 'Lee Park', idOrganization }))
  await page.goto('/home')
  await expect(page.getByText("You don't have any projects. Go ahead and create a new one to get started.")).toBeVisible()
  await expect(page.getByRole('main').getByRole('region')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'NEW PROJECT' })).toHaveCount(0)
  await shoot(page, 'home-empty')
})

test('a manager sees organizations and users, and cannot add users [2.26] [2.29] [6.2]', async ({ page, product, signIn }) => {
  const idOrganization = await makeOrganization(product.db, 'Managed Works')
  const manager = await product.person({ fullName: 'Mika Sato', manager: true, idOrganization })
  await signIn(page, manager)
  await page.goto('/home')
  await expect(page.getByRole('link', { name: 'Managed Works' })).toBeVisible()
  await expect(page.getByRole('button', { name: manager.login })).toBeVisible()
  for (const name of ['NEW USER', 'NEW PROJECT', 'NEW ORGANIZATION']) await expect(page.getByRole('button', { name })).toHaveCount(0)
})

test('a super user creates an organization and opens it [2.11] [2.26] [2.27] [2.113] [5.6] [6.1] [8.34] [8.35]', async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  await signIn(page, product.superUser)
  await page.goto('/home')
  // The people stand beside the two shorter tiles, which follow each other.
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const tile = async (name: string) => (await page.getByRole('region', { name }).boundingBox()) ?? { x: 0, y: 0, height: 0 }
    // The tiles grow when their rows come.
    await expect(async () => {
      const [projects, organizations, users] = [await tile('Project list'), await tile('Organization list'), await tile('User Management')]
      expect(organizations.y).toBe(projects.y + projects.height + 16)
      expect(users.y).toBe(projects.y)
      expect(users.x).toBeGreaterThan(projects.x)
    }).toPass()
  }
  await page.getByRole('button', { name: 'NEW ORGANIZATION' }).click()
  const dialog = page.getByRole('dialog')
  let requests = 0
  page.on('request', request => {
    if (request.url().includes('create-organization')) requests += 1
  })
  await dialog.getByLabel('Title').fill('   ')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter a title')).toBeVisible()
  await shoot(page, 'new-organization-dialog')
  expect(requests).toBe(0)
  await dialog.getByLabel('Title').fill('Tessera Test')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Failed to create new organization')).toBeVisible()
  await dialog.getByLabel('Title').fill(' Fabrikam ')
  await page.keyboard.press('Enter')
  await expect(page.getByText('New organization created successfully')).toBeVisible()
  await page.getByRole('link', { name: 'Fabrikam' }).click()
  await expect(page).toHaveURL(/\/view-organization\/\d+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fabrikam')
})
