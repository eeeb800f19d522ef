import { expect, test } from '../fixtures.ts'

test('a search is saved and shared, found in the palette by somebody else, and deleted with UNDO', async ({
  page,
  product,
  titanium,
  signIn,
  axe,
  shoot,
}) => {
  const { person } = await titanium()
  await page.goto('/search')
  await expect(page.getByRole('button', { name: 'SAVE SEARCH' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Saved searches' }).click()
  await expect(page.getByRole('menuitem', { name: 'There are no saved searches yet' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Saved searches' })).toBeFocused()

  await page.goto('/search?q=kernel')
  await page.getByRole('button', { name: 'SAVE SEARCH' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save Search' })
  await expect(dialog.getByRole('textbox', { name: 'Query' })).toHaveValue('kernel')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('About the kernel')
  await dialog.getByRole('button', { name: 'Everyone in the organization' }).click()
  await axe(page)
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(page.getByText('The search was saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'SAVE SEARCH' })).toBeFocused()

  await page.getByRole('button', { name: 'Saved searches' }).click()
  await page.getByRole('menuitem', { name: 'Edit saved searches' }).click()
  await page.getByRole('button', { name: 'Delete About the kernel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('There are no saved searches yet')).toBeVisible()
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByRole('button', { name: 'Edit About the kernel' })).toBeVisible()
  await shoot(page, 'saved-searches')
  await page.getByRole('button', { name: 'CLOSE' }).click()

  // In no project: it finds nothing, and says so.
  const other = await product.person({ idOrganization: person.idOrganization })
  await signIn(page, other)
  await page.goto('/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('about the')
  await page.getByRole('option', { name: 'About the kernel' }).click()
  await expect(page).toHaveURL('/search?q=kernel')
  await expect(page.getByText('Nothing was found')).toBeVisible()
})
