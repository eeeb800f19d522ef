import { jpeg } from '@tessera/server/test/fixtures/pictures'
import { sql } from 'kysely'
import { expect, prepareRoutes, test, withMotion } from '../fixtures.ts'

test.use(withMotion)

test('files are dropped and pasted anywhere on the page', async ({ page, titanium }) => {
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.kernel}`)
  await page.getByRole('button', { name: 'Upload attachments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload Attachments' })
  await expect(dialog.getByRole('button', { name: 'SELECT FILES' })).toBeVisible()
  const transfer = (name: string) =>
    page.evaluateHandle(
      ({ name, bytes }) => {
        const files = new DataTransfer()
        files.items.add(new File([Uint8Array.from(bytes)], name, { type: 'image/jpeg' }))
        return files
      },
      { name, bytes: [...jpeg()] },
    )

  const dropped = await transfer('dropped.jpg')
  const box = dialog.getByText('or drag them here, or paste')
  await box.dispatchEvent('dragover', { dataTransfer: dropped })
  await box.dispatchEvent('drop', { dataTransfer: dropped })
  await expect(dialog.getByRole('listitem')).toContainText(['dropped.jpg'])
  // What is not uploaded yet is not dropped without a question.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'KEEP EDITING' }).click()

  // Dropped beside the box, the file would replace the page.
  const beside = await transfer('beside.jpg')
  const isTaken = await page.evaluate(
    dataTransfer => !document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })),
    beside,
  )
  expect(isTaken).toBe(true)
  await expect(dialog.getByRole('listitem')).toContainText(['dropped.jpg', 'beside.jpg'])

  const pasted = await transfer('pasted.jpg')
  await page.evaluate(
    clipboardData => document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })),
    pasted,
  )
  await expect(dialog.getByRole('listitem')).toContainText(['dropped.jpg', 'beside.jpg', 'pasted.jpg'])

  await dialog.getByRole('button', { name: 'UPLOAD' }).click()
  await expect(dialog.getByRole('img', { name: 'Finished' })).toHaveCount(3)
  await dialog.getByRole('button', { name: 'CLOSE' }).click()
  for (const name of ['dropped.jpg', 'beside.jpg', 'pasted.jpg']) await expect(page.getByRole('button', { name })).toBeVisible()
})

test('CANCEL aborts the uploads in progress and keeps finished ones', { tag: '@long' }, async ({ page, titanium }) => {
  await prepareRoutes(page)
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.kernel}`)
  await page.getByRole('button', { name: 'Upload attachments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload Attachments' })
  const file = (name: string) => ({ name, mimeType: 'image/jpeg', buffer: jpeg() })
  // The second one is never answered.
  let sent = 0
  await page.route('**/attachment-upload.json.php', route => {
    sent += 1
    return sent === 1 ? route.continue() : undefined
  })
  await dialog.locator('input[type=file]').setInputFiles([file('first.jpg'), file('second.jpg')])
  // The name may be cut.
  await expect(dialog.getByText('first.jpg')).toHaveAttribute('title', 'first.jpg')
  await dialog.getByRole('button', { name: 'UPLOAD' }).click()
  await expect(dialog.getByRole('img', { name: 'Finished' })).toHaveCount(1)
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: /^(first|second)\.jpg/ })).toHaveCount(1)
})

test('a file whose connection broke is resent by keyboard and stored once', { tag: '@long' }, async ({ page, titanium, product }) => {
  await prepareRoutes(page)
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.kernel}`)
  await page.getByRole('button', { name: 'Upload attachments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload Attachments' })
  await dialog.locator('input[type=file]').setInputFiles({ name: 'broken.jpg', mimeType: 'image/jpeg', buffer: jpeg() })
  // The server stores the file, and its answer never arrives.
  await page.route(
    /attachment-upload/,
    async route => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await dialog.getByRole('button', { name: 'UPLOAD' }).click()
  await expect(dialog.getByRole('img', { name: 'Failed' })).toBeVisible()
  await expect(dialog.getByRole('listitem')).toContainText('The server cannot be reached')
  await dialog.getByRole('button', { name: 'RETRY broken.jpg' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('img', { name: 'Finished' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'RETRY broken.jpg' })).toHaveCount(0)
  await expect(dialog.getByRole('listitem')).toBeFocused()
  await dialog.getByRole('button', { name: 'CLOSE' }).click()
  await expect(page.getByRole('button', { name: 'broken.jpg' })).toHaveCount(1)
  const { rows } = await sql`select 1 from attachment where ticket_id = ${tickets.kernel} and name = 'broken.jpg'`.execute(product.db)
  expect(rows).toHaveLength(1)
})

test('after the last byte and before the answer a file says CHECKING', { tag: '@long' }, async ({ page, titanium, product }) => {
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.kernel}`)
  await page.getByRole('button', { name: 'Upload attachments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload Attachments' })
  await dialog.locator('input[type=file]').setInputFiles({ name: 'slow.jpg', mimeType: 'image/jpeg', buffer: jpeg() })
  await product.db.transaction().execute(async db => {
    // Every upload to the ticket waits for its row.
    await sql`select 1 from ticket where id = ${tickets.kernel} for update`.execute(db)
    await dialog.getByRole('button', { name: 'UPLOAD' }).click()
    await expect(dialog.getByRole('progressbar', { name: 'Checking slow.jpg' })).toBeVisible()
    await expect(dialog.getByRole('listitem')).toContainText(/CHECKING$/)
  })
  await expect(dialog.getByRole('img', { name: 'Finished' })).toBeVisible()
})
