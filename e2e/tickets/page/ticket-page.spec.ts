import { makeMember } from '@tessera/server/test/fixtures/factories'
import { jpeg } from '@tessera/server/test/fixtures/pictures'
import { expect, lines, prepareRoutes, test } from '../../fixtures.ts'
import { rowsOf, saveBeside } from '../../lists/rows.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 120_000 })

test('assignees are chosen in the matrix and saved with the ticket [1.5] [2.69] [2.120] [3.9] [6.5]', async ({
  page,
  product,
  titanium,
  shoot,
}) => {
  const { projectId, tickets, shortCode } = await titanium()
  const other = await product.person({ fullName: 'Ada Novak' })
  await makeMember(product.db, other.idOrganization, projectId, other.idUser)
  await page.goto(`/view-ticket/${tickets.loader}`)
  await expect(page.getByText('Dana Kim (Responsible)')).toBeVisible()
  await page.getByRole('button', { name: 'Edit assignees' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assignees' })
  await expect(dialog.getByRole('checkbox', { name: 'Dana Kim: Responsible' })).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'OK' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Ada Novak: Reviewer' }).check()
  await dialog.getByRole('checkbox', { name: 'Dana Kim: Responsible' }).uncheck()
  await shoot(page, 'assignees-dialog')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('Ada Novak (Reviewer)')).toBeVisible()
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.loader} saved`)).toBeVisible()
  await page.reload()
  await expect(page.getByText('Ada Novak (Reviewer)')).toBeVisible()
  await expect(page.getByText('Dana Kim (Responsible)')).toBeHidden()
})

test('comments: written, edited, their versions read [2.80] [2.81] [2.82] [2.83] [8.29]', async ({ page, titanium, shoot }) => {
  await prepareRoutes(page)
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  const card = page.getByRole('region', { name: 'Comments' })
  await expect(card.getByRole('button', { name: 'SAVE' })).toBeHidden()
  await card.getByLabel('Add comment').fill('   ')
  await expect(card.getByRole('button', { name: 'SAVE' })).toBeHidden()
  await card.getByLabel('Add comment').fill('Cold start is 180 ms faster.')
  await card.getByRole('button', { name: 'SAVE' }).click()
  await expect(card.getByRole('listitem')).toContainText(/\w{3} \d+, \d{4}, \d+:\d\d [AP]M - Dana Kim/)
  await card.getByRole('button', { name: 'Edit comment' }).click()
  await card.getByLabel('Edit comment').fill('Cold start is 200 ms faster.')
  await card.getByRole('button', { name: 'SAVE' }).click()
  await card.getByRole('button', { name: 'Versions of this comment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions of this comment' })
  await expect(dialog.locator('ins')).toHaveText('200')
  await shoot(page, 'comment-history-dialog')
  await page.keyboard.press('Escape')
  await page.route('**/set-ticket-comment.json.php', route => route.fulfill({ status: 503, json: { error: 'Away', code: 'unavailable' } }))
  await card.getByLabel('Add comment').fill('Kept')
  await card.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('An error occurred trying to save comment')).toBeVisible()
  await expect(card.getByLabel('Add comment')).toHaveValue('Kept')
})

test('the ticket page in its states', { tag: '@long' }, async ({ page, titanium, shoot }) => {
  const { tickets } = await titanium({ admin: true })
  await page.goto(`/view-ticket/${tickets.loader}`)
  await expect(rowsOf(page)).toHaveCount(3)
  await shoot(page, 'ticket', { all: true })
  await page.getByRole('button', { name: 'State: In Review' }).click()
  await expect(page.getByRole('menuitem', { name: 'In Progress' })).toBeVisible()
  await shoot(page, 'state-menu')
  await page.getByRole('menuitem', { name: 'In Progress' }).click()
  await page.getByLabel('Estimate').fill('two')
  await expect(page.getByText('Enter a number, such as 12.5')).toBeVisible()
  // Text that is too long is kept and reported, not cut.
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  const before = await description.inputValue()
  await description.fill('x'.repeat(501))
  await expect(page.getByText('At most 500 characters, 501 now')).toBeVisible()
  await description.fill(before)
  await page.getByLabel('Acceptance').fill('The loader asks the kernel for a module record.\n\nDone when every sample application starts.')
  await shoot(page, 'ticket-changed')
  await page.getByRole('button', { name: 'Notifications are' }).hover()
  await expect(page.getByRole('tooltip')).toHaveText(/Notifications are (en|dis)abled/)
})

test('history shows who changed what, and a value can be restored', async ({ page, titanium, shoot }) => {
  const { tickets, shortCode } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  const before = 'The loader asks the kernel for a module record.\nWith the old engine the record is created after the source is read.'
  await saveBeside(page, { idTicket: tickets.loader, data: { note: before, component: 'Kernel' } })
  await saveBeside(page, { idTicket: tickets.loader, data: { note: before.replace('old', 'new').replace('after', 'before') } })
  await page.getByRole('tab', { name: 'History' }).click()
  const panel = page.getByRole('tabpanel')
  await expect(panel.locator('del').first()).toHaveText('old')
  await expect(panel.locator('ins').first()).toHaveText('new')
  await shoot(page, 'history')
  await panel.getByRole('listitem').first().getByRole('button', { name: 'RESTORE THIS VALUE' }).click()
  await expect(page.getByText(`Ticket ${shortCode}-${tickets.loader} saved`)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Acceptance' })).toHaveValue(before)
})

test('a ticket is moved, goes to the trash with its children, is restored, and is deleted', { tag: '@long' }, async ({
  page,
  titanium,
  shoot,
}) => {
  const { projectId, tickets, shortCode } = await titanium()
  const code = `${shortCode}-${tickets.loader}`
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
  await shoot(page, 'ticket-menu')
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  await page.getByLabel('New parent').fill('rotation')
  await expect(page.getByRole('option')).toHaveCount(1)
  await shoot(page, 'move-dialog')
  await page.getByRole('option').click()
  await page.getByRole('button', { name: 'MOVE', exact: true }).click()
  await expect(page.getByRole('link', { name: `${shortCode}-${tickets.rotation}` })).toBeVisible()

  const trash = async () => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Move to the trash…' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('This ticket and the 3 tickets below it go to the trash.')
  }
  await page.getByLabel('Component').fill('Unsaved, and let go')
  await trash()
  await shoot(page, 'trash-confirmation')
  await page.getByRole('button', { name: 'MOVE TO THE TRASH' }).click()
  await expect(page).toHaveURL(`/view-ticket/${tickets.rotation}`)
  await expect(page.getByText('4 tickets are in the trash')).toBeVisible()
  await page.locator('[data-toast]').filter({ hasText: 'in the trash' }).getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText(`Ticket ${code} restored`)).toBeVisible()
  await expect(rowsOf(page).filter({ hasText: code })).toHaveCount(1)

  await page.goto(`/view-ticket/${tickets.loader}`)
  await trash()
  await page.getByRole('button', { name: 'MOVE TO THE TRASH' }).click()
  await expect(page).toHaveURL(`/view-ticket/${tickets.rotation}`)
  await page.goto(`/view-ticket/${tickets.loader}`)
  const banner = page.getByText('This ticket is in the trash and takes no changes.')
  await expect(banner).toBeVisible()
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  expect((await lines(banner)).length).toBeLessThan(4)
  if (size) await page.setViewportSize(size)
  await expect(page.getByRole('group', { name: 'Acceptance' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Acceptance' })).toHaveCount(0)
  await shoot(page, 'ticket-trashed')
  await page.goto(`/view-project/${projectId}?q=is:trashed`)
  await expect(rowsOf(page).filter({ hasText: 'In the trash' })).toHaveCount(4)
  await page.getByRole('main').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await expect(page.getByRole('dialog')).toContainText('with 3 below it')
  await shoot(page, 'trash-dialog')
  await page.getByRole('button', { name: 'DELETE FOREVER' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('The ticket and 3 tickets below it will be gone')
  await page.getByRole('alertdialog').getByRole('button', { name: 'DELETE FOREVER' }).click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
})

test('files are uploaded one by one, shown shortened, downloaded [1.5] [2.71] [2.109] [2.111] [2.112] [4.12] [5.12] [5.26] [7.48] [8.9]', async ({
  page,
  titanium,
  shoot,
}) => {
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByRole('button', { name: 'Upload attachments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload Attachments' })
  await expect(dialog.getByRole('button', { name: 'UPLOAD' })).toBeDisabled()
  const files = dialog.locator('input[type=file]')
  await expect(files).toHaveAttribute('accept', 'image/jpeg,image/png,image/gif,image/webp')
  await files.setInputFiles([
    { name: 'trace-0412-before.jpg', mimeType: 'image/jpeg', buffer: jpeg() },
    { name: 'startup.jpg', mimeType: 'image/jpeg', buffer: jpeg() },
    { name: 'no-image.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not an image at all') },
    { name: 'removed.jpg', mimeType: 'image/jpeg', buffer: jpeg() },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') },
  ])
  await expect(dialog.getByText('notes.txt is not of an accepted type')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(4)
  await shoot(page, 'upload-dialog')
  await dialog.getByRole('button', { name: 'Remove removed.jpg' }).click()
  await dialog.getByRole('button', { name: 'UPLOAD' }).click()
  await expect(page.getByText('Upload failed: no-image.jpg')).toBeVisible()
  await expect(dialog.getByRole('img', { name: 'Finished' })).toHaveCount(2)
  await expect(dialog.getByRole('img', { name: 'Failed' })).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: 'SELECT FILES' })).toBeDisabled()
  await shoot(page, 'upload-dialog-done')
  await dialog.getByRole('button', { name: 'CLOSE' }).click()
  const link = page.getByRole('button', { name: 'trace-0412….jpg' })
  await expect(link).toHaveAccessibleDescription('trace-0412-before.jpg')
  await expect(link).toHaveAttribute('target', '_blank')
  // A tab of its own would close again before its download could be asked about.
  await link.evaluate(element => element.removeAttribute('target'))
  const download = page.waitForEvent('download')
  await link.click()
  expect((await download).suggestedFilename()).toBe('trace-0412-before.jpg')
})
