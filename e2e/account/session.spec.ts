import type { Page } from '@playwright/test'
import { connstate } from '@tessera/contract/people/session'
import { makeMember, makeOrganization, makeProject } from '@tessera/server/test/fixtures/factories'
import { expect, type Person, type Product, password, returnToTab, test } from '../fixtures.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 120_000 })

test('signs in, walks the title bar, signs out [1.1] [1.9] [2.6] [2.8] [2.9] [2.12] [2.37] [2.39] [2.40] [4.1] [8.1]', async ({
  page,
  product,
  shoot,
}) => {
  const { idOrganization, login, idUser } = await product.person({ fullName: 'Dana Kim', admin: true })
  const one = await makeProject(product.db, idOrganization, { title: 'Titanium Desktop' })
  const two = await makeProject(product.db, idOrganization, { title: 'Alloy Studio' })
  for (const { projectId } of [one, two]) await makeMember(product.db, idOrganization, projectId, idUser, 'all')

  await page.goto('/')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('banner')).toContainText('Tessera - Welcome')
  await expect(page).toHaveTitle('Tessera - Welcome')
  await shoot(page, 'login')
  await page.getByLabel('Login name').fill(login)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'LOGIN' }).click()
  await expect(page.getByRole('alert')).toHaveText('Login failed, check your credentials and try again')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/home')
  await expect(page).toHaveTitle('Tessera')
  await shoot(page, 'title-bar')

  await page.getByRole('button', { name: /^Project:/ }).click()
  await page.getByRole('menuitem', { name: 'Titanium Desktop' }).click()
  await expect(page).toHaveURL(`/view-project/${one.projectId}`)
  await expect(page.getByRole('link', { name: 'Project overview' })).toHaveAttribute('aria-current', 'page')
  // If there is no room for the names, they are in tooltips.
  await page.setViewportSize({ width: 1200, height: 900 })
  await page.getByRole('button', { name: 'Home' }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('Home')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toBeHidden()
  await page.getByRole('button', { name: 'Logout' }).focus()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('tooltip')).toHaveText('Profile')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/home')
  await expect(page).toHaveURL('/login')
})

test('asks which organization, and leads to the only project [1.2] [2.7] [2.13] [4.2]', async ({ page, product, axe }) => {
  const login = 'of-two'
  const person = await product.person({ login })
  const other = await makeOrganization(product.db, 'Another Organization')
  await product.db
    .insertInto('organization_member')
    .values({ organization_id: other, user_id: person.idUser, admin: false, manager: false })
    .execute()
  const { projectId } = await makeProject(product.db, other)
  await makeMember(product.db, other, projectId, person.idUser)
  await page.goto('/login')
  await page.getByLabel('Login name').fill(login)
  await page.getByLabel('Password').fill(password)
  // On a slow network CONTINUE waits for the choice.
  let load = () => {}
  const isLoading = page.waitForRequest(/organization-select/)
  await page.route(/organization-select/, route => {
    load = () => void route.continue()
  })
  await page.getByRole('button', { name: 'LOGIN' }).click()
  await isLoading
  await expect(page.getByRole('button', { name: 'LOGIN' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'CONTINUE' })).toHaveCount(0)
  load()
  await expect(page.getByLabel('Select organization')).toBeFocused()
  await page.getByRole('button', { name: 'BACK' }).click()
  await expect(page.getByLabel('Login name')).toBeFocused()
  await page.getByRole('button', { name: 'LOGIN' }).click()
  await page.getByLabel('Select organization').click()
  await page.getByRole('option', { name: 'Another Organization' }).click()
  await axe(page)
  await page.getByRole('button', { name: 'CONTINUE' }).click()
  await expect(page).toHaveURL(`/view-project/${projectId}`)
})

test('a session that ends asks to sign in again and keeps the page [2.98] [2.99] [2.100] [2.101] [4.4] [8.3] [8.4] [8.5]', async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  const person = await product.person({ fullName: 'Ada Novak', admin: true })
  await signIn(page, person)
  await page.goto('/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await product.db.deleteFrom('session').where('user_id', '=', person.idUser).execute()
  await returnToTab(page, page.getByRole('dialog'))
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Your session has timed out. Enter your credentials to continue with the current session.')
  await expect(dialog.getByLabel('Login name')).toBeFocused()
  await expect(dialog.getByLabel('Password')).toHaveAttribute('type', 'password')
  await shoot(page, 'reconnect-dialog')
  await dialog.getByLabel('Login name').fill(person.login)
  await dialog.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Attempting to reconnect')).toBeVisible()
  await expect(page.getByText('Authentication completed')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/home')
})

test('folds into the menu on a phone [2.33]', async ({ page, product, signIn, shoot }) => {
  await signIn(page, await product.person({ fullName: 'Dana Kim', admin: true }))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/home')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('button', { name: 'Profile' })).toBeVisible()
  await shoot(page, 'menu')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
})

/** Ends the person's sessions on the server; the page finds out when its tab comes to the front. */
async function endSession(page: Page, { db }: Product, { idUser }: Person) {
  await db.deleteFrom('session').where('user_id', '=', idUser).execute()
  await returnToTab(page, page.getByRole('dialog', { name: 'Reconnect' }))
}

test('a reconnect that is postponed, canceled, or done by somebody else [1.10] [2.34] [2.102]', async ({ page, product, signIn }) => {
  const first = await product.person({ fullName: 'Dana Kim' })
  const second = await product.person({ fullName: 'Ada Novak' })
  await signIn(page, first)
  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await endSession(page, product, first)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Login name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByRole('banner')).toContainText('Tessera - Session timed out')

  await page.getByRole('button', { name: 'RECONNECT' }).click()
  await dialog.getByLabel('Login name').fill(second.login)
  await dialog.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Login failed, check your credentials and try again')
  await expect(dialog.getByLabel('Password')).toBeFocused()
  await dialog.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('You are now signed in as Ada Novak in Tessera Test.')).toBeVisible()
  await expect(page).toHaveURL('/home')

  await endSession(page, product, second)
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('banner')).toContainText('Tessera - Session timed out')
})

test('somebody else who reconnects is asked before unsaved text is dropped, and can go back', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const first = await product.person({ fullName: 'Dana Kim' })
  const second = await product.person({ fullName: 'Ada Novak' })
  await signIn(page, first)
  await page.goto('/profile')
  await page.getByLabel('Given name').fill('Not lost')
  await endSession(page, product, first)
  const dialog = page.getByRole('dialog', { name: 'Reconnect' })
  const reconnect = async ({ login }: Person) => {
    await dialog.getByLabel('Login name').fill(login)
    await dialog.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
  }
  await reconnect(second)
  const question = page.getByRole('alertdialog', { name: 'Continue as Ada Novak in Tessera Test?' })
  await expect(question).toContainText('What Dana Kim typed on this page is not saved')
  await question.getByRole('button', { name: 'GO BACK' }).click()
  await expect(dialog.getByLabel('Login name')).toBeFocused()
  // The field has the focus before the logout is answered.
  await expect.poll(async () => (await page.request.get(connstate.path)).json()).toEqual({ auth: 0 })
  await reconnect(first)
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Given name')).toHaveValue('Not lost')
  await page.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()

  // Without unsaved text nothing is asked (see the test above). Text typed in a dialog counts as well.
  await page.getByRole('button', { name: 'CHANGE PASSWORD' }).click()
  await page.getByLabel('Current password').fill('typed')
  await endSession(page, product, first)
  await reconnect(second)
  await question.getByRole('button', { name: 'DISCARD AND CONTINUE' }).click()
  await expect(page.getByText('You are now signed in as Ada Novak in Tessera Test.')).toBeVisible()
  await expect(page).toHaveURL('/home')
})

test('a logout asks before it drops unsaved changes, keeps the theme, removes the rest, and shows in other tabs at once', {
  tag: '@long',
}, async ({ page, context, product, signIn }) => {
  await signIn(page, await product.person())
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Dark' }).click()
  await page.getByLabel('Keyboard shortcuts').uncheck()
  await page.evaluate(() => localStorage.setItem('tessera.workflow.5', '[[1,10,20]]'))
  await page.getByLabel('Given name').fill('Not saved')
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'STAY' }).click()
  await expect(page.getByLabel('Given name')).toHaveValue('Not saved')
  expect(await (await page.request.get(connstate.path)).json()).toMatchObject({ auth: 1 })

  const other = await context.newPage()
  await other.goto('/home')
  await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible()
  for (const scheme of ['Light', 'Dark']) {
    await page.getByRole('button', { name: scheme }).click()
    await expect(other.locator('html')).toHaveAttribute(`data-${scheme.toLowerCase()}`, '')
  }
  await page.getByRole('button', { name: 'Logout' }).click()
  await question.getByRole('button', { name: 'LEAVE' }).click()
  await expect(other.getByRole('dialog', { name: 'Reconnect' })).toBeVisible()
  await other.close()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('banner')).toContainText('Tessera - Welcome')
  await expect(page.getByLabel('Login name')).toBeFocused()
  expect(await (await page.request.get(connstate.path)).json()).toEqual({ auth: 0 })
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-dark', '')
  expect(await page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('tessera')))).toEqual(['tessera.shortcuts'])
})

test('the sign-in pages redirect a signed-in person to home; no address signs them out', async ({ page, product, signIn }) => {
  await signIn(page, await product.person())
  for (const path of ['/login', '/reset-password', '/logout']) {
    await page.goto(path)
    await expect(page).toHaveURL('/home')
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  }
  // Going back in the history does not get around it.
  await page.evaluate(() => history.pushState(null, '', '/login'))
  await page.reload()
  await expect(page).toHaveURL('/home')
})

test('a sign-in in another tab stops this one', { tag: '@long' }, async ({ page, context, product, signIn }) => {
  await signIn(page, await product.person())
  await page.goto('/home')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  const tab = await context.newPage()
  await signIn(tab, await product.person())
  await page.bringToFront()
  await returnToTab(page, page.getByRole('alertdialog'))
  await expect(page.getByRole('alertdialog')).toContainText('Somebody else signed in')
  await page.getByRole('button', { name: 'RELOAD' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page).toHaveURL('/home')
})

test('? lists the keys, and keys lead home', async ({ page, product, signIn, shoot }) => {
  await signIn(page, await product.person())
  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Go home')
  await shoot(page, 'shortcut-list-dialog')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page).toHaveURL('/home')
})

test('a chosen color scheme applies from the first paint', async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const dark = 'rgb(15, 17, 21)'
  let atFirstPaint = ''
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/login')
  await page.evaluate(() => localStorage.setItem('color-scheme', 'dark'))
  await page.route('**/assets/index-*.js', async route => {
    // The application waits for this file, so what is visible now is the first paint.
    await page.locator('header.starting').waitFor()
    atFirstPaint = await background()
    await route.continue()
  })
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'LOGIN' })).toBeVisible()
  expect([atFirstPaint, await background()]).toEqual([dark, dark])
  // With reduced motion, as here, nothing takes time to change.
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('transition-duration', '0s')
})
