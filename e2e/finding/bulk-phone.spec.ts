import { expect, test } from '../fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('Select in the menu starts the selection, a tap selects, and all targets are large enough to touch', { tag: '@long' }, async ({
  page,
  titanium,
  axe,
}) => {
  const { projectId } = await titanium({ admin: true })
  await page.goto(`/view-project/${projectId}?phase=1,2,3`)
  const rows = page.locator('tr[data-key]')
  await page.getByRole('main').getByRole('button', { name: 'More' }).tap()
  await page.getByRole('menuitem', { name: 'Select' }).tap()
  const bar = page.getByRole('region', { name: 'Selected tickets' })
  await expect(bar).toContainText('0 selected')
  await rows.nth(0).tap()
  await rows.nth(1).getByRole('checkbox').tap()
  await expect(bar).toContainText('2 selected')
  const box = await rows.nth(1).getByRole('checkbox').boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await axe(page)
  for (const button of await bar.getByRole('button').all()) {
    const place = await button.boundingBox()
    expect((place?.x ?? 0) + (place?.width ?? 999)).toBeLessThanOrEqual(390)
    expect(place?.height).toBeGreaterThanOrEqual(44)
  }
  await bar.getByRole('button', { name: 'CLEAR' }).tap()
  await expect(bar).toBeHidden()

  // The change of the selection is previewed, applied and undone by taps.
  await page.getByRole('main').getByRole('button', { name: 'More' }).tap()
  await page.getByRole('menuitem', { name: 'Select' }).tap()
  const key = (await rows.first().getAttribute('data-key')) ?? ''
  const row = page.locator(`tr[data-key="${key}"]`)
  await row.tap()
  await bar.getByRole('button', { name: 'TRASH' }).tap()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('status')).toContainText('1 ticket changes')
  await dialog.getByRole('button', { name: 'APPLY' }).tap()
  await expect(row).toHaveCount(0)
  // UNDO appears where APPLY was: half a second long, a tap there is taken for the second one of a double tap on APPLY.
  await page.waitForTimeout(500)
  await page.locator('[data-toast]').filter({ hasText: '1 ticket changed' }).getByRole('button', { name: 'UNDO' }).tap()
  await expect(row).toBeVisible()
})
