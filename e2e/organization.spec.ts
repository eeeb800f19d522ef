import { makeOrganization, makeProject } from '@tessera/server/test/factories'
import { expect, test } from './fixtures.ts'

test.describe.configure({ timeout: 120_000 })

test('renames the organization, changes rights, adds and removes members', async ({ page, product, signIn, shoot }) => {
  const idOrganization = await makeOrganization(product.db, 'Contoso')
  await makeProject(product.db, idOrganization, { title: 'Titanium Mobile', shortCode: 'TIMOB' })
  await makeProject(product.db, idOrganization, { title: 'Alloy Studio', shortCode: 'ALOY' })
  const admin = await product.person({ login: 'contoso-admin', fullName: 'Dana Kim', admin: true, idOrganization })
  const lee = await product.person({ login: 'contoso-lee', fullName: 'Lee Park', idOrganization })
  const guest = await product.person({ login: 'contoso-guest', fullName: 'Nora Ames' })
  await signIn(page, admin)
  await page.goto(`/view-organization/${idOrganization}`)
  await expect(page.getByRole('link', { name: 'Titanium Mobile' })).toBeVisible()
  await shoot(page, 'organization')
  await page.getByRole('button', { name: 'Rename the organization' }).click()
  await page.getByLabel('Title', { exact: true }).fill(' ')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a title')).toBeVisible()
  await page.getByLabel('Title', { exact: true }).fill('Contoso Works')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contoso Works')

  const members = page.getByRole('table', { name: 'Members' })
  // The tick shows when the server has agreed.
  await members.getByRole('checkbox', { name: `Organisation Admin: ${lee.login}` }).click()
  await expect(members.getByRole('checkbox', { name: `Organisation Admin: ${lee.login}` })).toBeChecked()
  await expect(page.getByText('Permissions updated')).toBeVisible()
  await page.getByLabel('Login name of a new member').fill('nobody-at-all')
  await page.getByRole('button', { name: 'ADD MEMBER' }).click()
  await expect(page.locator('.Mui-error').first()).toBeVisible()
  await page.getByLabel('Login name of a new member').fill(guest.login)
  await page.getByRole('button', { name: 'ADD MEMBER' }).click()
  await expect(page.getByText(/no longer a member|is a member now|may add/).first()).toBeVisible()
  await page.getByRole('button', { name: `Remove ${lee.login} from the organization` }).click()
  await shoot(page, 'organization-remove')
  await page.getByRole('alertdialog').getByRole('button', { name: 'REMOVE' }).click()
  await expect(page.getByText(`${lee.login} is no longer a member`)).toBeVisible()
  await expect(members.getByRole('row', { name: lee.login })).toHaveCount(0)
})

test('whoever may not see an organization lands on home', async ({ page, product, signIn }) => {
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

test('a super user sees whether the backup is proven', async ({ page, product, signIn, shoot }) => {
  await signIn(page, product.superUser)
  await page.goto(`/view-organization/${product.superUser.idOrganization}`)
  await expect(page.getByRole('region', { name: 'Backup' })).toContainText('There is no backup yet')
  await shoot(page, 'organization-super')
})
