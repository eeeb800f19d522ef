import { makeMember, makeOrganization, makeProject } from '@tessera/server/test/fixtures/factories'
import { expect, password, returnToTab, test } from '../fixtures.ts'

const guarded = ['/edit', '/home', '/profile', '/edit-project/1', '/view-project/1', '/view-ticket/1']

test('every page but three asks for a sign-in; other addresses lead home [1.11] [2.1] [2.2] [2.3] [2.4] [2.5] [2.6] [6.7]', async ({
  page,
  product,
  signIn,
}) => {
  await page.route('**/assets/index-*.js', async route => {
    await expect(page.getByText('App starting, please wait until initialisation finishes')).toBeVisible()
    await route.continue()
  })
  await page.goto('/home')
  await expect(page).toHaveURL('/login')
  await page.unroute('**/assets/index-*.js')
  for (const path of [...guarded, '/', '/no/such/page']) {
    const asked = page.waitForResponse(/connstate/)
    await page.goto(path)
    expect(await (await asked).json()).toEqual({ auth: 0 })
    await expect(page, path).toHaveURL('/login')
  }
  for (const [path, heading] of [
    ['/login', 'Sign in to Tessera'],
    ['/reset-password', 'Reset password'],
    ['/reset-password-verify/code', 'Welcome to Tessera'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page).toHaveURL(new RegExp(`^${product.url}${path.replace('code', '')}`))
  }

  const idOrganization = await makeOrganization(product.db)
  const person = await product.person({ admin: true, idOrganization })
  const { projectId } = await makeProject(product.db, idOrganization, { title: 'Titanium Mobile' })
  await makeMember(product.db, idOrganization, projectId, person.idUser, 'all')
  await signIn(page, person)
  for (const path of ['/', '/no/such/page', '/view-nothing/3']) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/home')
  }
  await page.goto('/edit')
  await expect(page).toHaveURL(`/edit-project/${projectId}`)
  // Within the application, the guard does not check again, even when the server is down.
  await page.route(/connstate/, route => route.abort())
  await page.getByRole('button', { name: 'Home' }).press('Space')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  await page.goto('/home')
  await expect(page).toHaveURL('/login')
})

test('the title bar and home show what the role may do [1.3] [1.8] [2.23] [2.24] [2.26] [2.27] [2.29] [2.32] [2.33] [2.35] [2.36] [2.37] [2.38] [2.39] [2.40] [2.116] [2.118] [3.2] [6.1] [6.2] [6.3]', async ({
  page,
  product,
  signIn,
  axe,
}) => {
  const { db } = product
  const idOrganization = await makeOrganization(db, 'Roles Inc')
  const [zinc, alloy] = [
    await makeProject(db, idOrganization, { title: 'Zinc' }),
    await makeProject(db, idOrganization, { title: 'Alloy' }),
  ]
  const person = async (options: { admin?: boolean; manager?: boolean }, projects: number[], permissions: number[] | 'all' = 'all') => {
    const made = await product.person({ ...options, idOrganization })
    for (const projectId of projects) await makeMember(db, idOrganization, projectId, made.idUser, permissions)
    return made
  }
  const of = (labels: string) => labels.split(', ').filter(Boolean)
  const rows = [
    // who · title bar beside Menu, Home, Profile, Logout · home's tiles · home's buttons
    [await person({}, []), '', 'Project list', ''],
    [await person({}, [zinc.projectId], [1]), 'Project overview', 'Project list', ''],
    [await person({}, [zinc.projectId]), 'ADD TICKET, Project overview', 'Project list', ''],
    [
      await person({ admin: true }, [zinc.projectId, alloy.projectId]),
      'Project: Alloy, ADD TICKET, Project overview, Edit project',
      'Project list, User Management',
      'NEW PROJECT, NEW USER',
    ],
    [
      await person({ manager: true }, [zinc.projectId]),
      'ADD TICKET, Project overview',
      'Project list, Organization list, User Management',
      '',
    ],
  ] as const
  const optional = ['Project: Alloy', 'Project: Zinc', 'ADD TICKET', 'Project overview', 'Edit project']
  for (const [who, bar, tiles, buttons] of rows) {
    await signIn(page, who)
    await page.goto('/home')
    const banner = page.getByRole('banner')
    const control = (name: string) => banner.getByRole('button', { name, exact: true }).or(banner.getByRole('link', { name, exact: true }))
    for (const name of ['Menu', 'Home', 'Profile', 'Logout', ...of(bar)]) await expect(control(name), name).toBeVisible()
    for (const name of optional.filter(label => !of(bar).includes(label))) await expect(control(name), `no ${name}`).toHaveCount(0)
    const main = page.getByRole('main')
    for (const name of of(tiles)) await expect(main.getByRole('region', { name })).toBeVisible()
    await expect(main.getByRole('region')).toHaveCount(of(tiles).length)
    for (const name of of(buttons)) await expect(main.getByRole('button', { name })).toBeVisible()
    await expect(main.getByRole('button', { name: /^NEW / })).toHaveCount(of(buttons).length)
  }
  // The first project by name is the active one.
  await signIn(page, rows[3][0])
  await page.goto('/home')
  await expect(page.getByRole('link', { name: 'Project overview' })).toHaveAttribute('href', `/view-project/${alloy.projectId}`)
  await expect(page.getByRole('link', { name: 'Edit project' })).toHaveAttribute('href', `/edit-project/${alloy.projectId}`)
  await page.getByRole('button', { name: 'ADD TICKET' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Ticket' })
  await expect(dialog).toContainText('Alloy [')
  for (const label of ['Ticket type', 'Title']) await expect(dialog.getByLabel(label)).toBeVisible()
  for (const name of ['ADD & CLOSE', 'ADD & ADD ANOTHER', 'ADD & OPEN']) await expect(dialog.getByRole('button', { name })).toBeEnabled()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await expect(menu.getByText(/^Tessera \d+\.\d+\.\d+$/)).toBeVisible()
  for (const name of ['Project overview', 'Edit project', 'Alloy', 'Zinc'])
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible()
  for (const name of ['Home', 'Profile']) await expect(menu.getByRole('button', { name, exact: true })).toBeVisible()
  await axe(page)

  await signIn(page, product.superUser)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/home')
  await expect(page.getByRole('button', { name: 'NEW ORGANIZATION' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Organization list' }).getByRole('link', { name: 'Roles Inc' })).toBeVisible()
})

test('logout resets a time-out and a pending choice of organizations [2.9] [4.5]', async ({ page, product, signIn }) => {
  const other = await makeOrganization(product.db)
  const person = await product.person()
  await product.db
    .insertInto('organization_member')
    .values({ organization_id: other, user_id: person.idUser, admin: false, manager: false })
    .execute()
  await signIn(page, person)
  await page.goto('/home')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await product.db.deleteFrom('session').where('user_id', '=', person.idUser).execute()
  await returnToTab(page, page.getByRole('dialog'))
  await page.getByRole('dialog').getByRole('button', { name: 'CANCEL' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('banner')).toContainText('Tessera - Session timed out')
  await page.getByLabel('Login name').fill(person.login)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'LOGIN' }).click()
  await page.getByRole('button', { name: 'CONTINUE' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('banner')).toContainText('Tessera - Welcome')
  await expect(page.getByRole('button', { name: 'RECONNECT' })).toHaveCount(0)
  await expect(page.getByLabel('Select organization')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
  await page.goto('/home')
  await expect(page).toHaveURL('/login')
})
