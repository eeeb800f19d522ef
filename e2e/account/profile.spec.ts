import { makeOrganization } from '@tessera/server/test/fixtures/factories'
import { box, expect, password, prepareRoutes, test } from '../fixtures.ts'

test.describe.configure({ timeout: 120_000 })

test('changes the own profile and sends only that [2.41] [2.42] [2.43] [2.44] [5.21] [8.26] [8.27]', async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  await prepareRoutes(page)
  const idOrganization = await makeOrganization(product.db, 'Profile Works')
  const person = await product.person({ fullName: 'Dana Kim', idOrganization })
  await signIn(page, person)
  await page.goto('/profile')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Profile')
  await expect(page.getByLabel('Email')).not.toBeEditable()
  const save = page.getByRole('button', { name: 'SAVE' })
  await expect(save).toBeDisabled()
  await expect(page.getByLabel('Receive ticket update notifications')).toBeChecked()
  await page.getByLabel('Given name').fill('Dana')
  await expect(save).toBeEnabled()
  await page.getByLabel('Given name').fill('')
  await expect(save).toBeDisabled()
  await page.getByLabel('Given name').fill('Dany')
  await page.getByLabel('Receive ticket update notifications').uncheck()
  await shoot(page, 'profile')
  await page.route(/set-user-data/, route => route.fulfill({ status: 500, body: '{}' }))
  await save.click()
  await expect(page.getByText('Failed to save changes')).toBeVisible()
  await page.unroute(/set-user-data/)
  const sent = page.waitForRequest(/set-user-data/)
  await save.click()
  expect((await sent).postDataJSON()).toEqual({ GivenName: 'Dany', AutoReceiveNotifications: false })
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(save).toBeDisabled()
  await page.reload()
  await expect(page.getByLabel('Given name')).toHaveValue('Dany')
})

test('changes the password [2.45] [2.114] [5.8] [8.10] [8.11]', async ({ page, product, signIn, shoot }) => {
  const idOrganization = await makeOrganization(product.db, 'Password Works')
  const person = await product.person({ fullName: 'Lee Park', idOrganization })
  await signIn(page, person)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'CHANGE PASSWORD' }).click()
  const dialog = page.getByRole('dialog')
  const change = dialog.getByRole('button', { name: 'CHANGE' })
  await dialog.getByLabel('Current password').fill('wrong')
  await dialog.getByLabel('New password').fill('a quiet harbour light')
  await expect(change).toBeDisabled()
  await dialog.getByLabel('Verify password').fill('a quiet harbour')
  await expect(change).toBeDisabled()
  await dialog.getByLabel('Verify password').fill('a quiet harbour light')
  await change.click()
  await expect(dialog.getByText('Password update failed, try again')).toBeVisible()
  await expect(page.getByText('Password update failed', { exact: true })).toBeVisible()
  await shoot(page, 'change-password-dialog')
  // It has the focus and is selected, as after a refused sign-in.
  await page.keyboard.type(password)
  await change.click()
  await expect(page.getByText('Your password has been changed')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/profile')
})

test('keeps theme and shortcuts in this browser, and ends other sessions', async ({ page, browser, product, signIn }) => {
  const idOrganization = await makeOrganization(product.db, 'Session Works')
  const person = await product.person({ fullName: 'Ada Novak', idOrganization })
  const other = await browser.newPage({ baseURL: product.url })
  await signIn(other, person)
  await signIn(page, person)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-dark', '')
  await page.getByLabel('Keyboard shortcuts').uncheck()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByLabel('Keyboard shortcuts')).not.toBeChecked()
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(sessions).toHaveCount(2)
  await expect(sessions.filter({ hasText: 'This session' })).toHaveCount(1)
  await page.getByRole('button', { name: 'SIGN OUT EVERYWHERE' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'SIGN OUT EVERYWHERE' }).click()
  await expect(page.getByText('The session was ended')).toBeVisible()
  await expect(sessions).toHaveCount(1)
  await other.goto('/home')
  await expect(other).toHaveURL('/login')
  await other.close()
})

for (const device of ['mouse', 'touch'] as const) {
  test.describe(`with ${device}`, () => {
    test.use(device === 'touch' ? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } : {})

    test('the cards below the account do not move when it has loaded', { tag: '@long' }, async ({ page, product, signIn }) => {
      await prepareRoutes(page)
      await signIn(page, await product.person({ fullName: 'Dana Kim' }))
      const answer = Promise.withResolvers<void>()
      await page.route(/get-user-data/, async route => {
        await answer.promise
        await route.continue()
      })
      await page.goto('/profile')
      const sessions = page.getByRole('region', { name: 'Sessions' })
      await expect(sessions.getByText('This session')).toBeVisible()
      const { y } = await box(sessions)
      answer.resolve()
      await expect(page.getByLabel('Full name')).toHaveValue('Dana Kim')
      expect(Math.abs((await box(sessions)).y - y)).toBeLessThan(2)
    })
  })
}
