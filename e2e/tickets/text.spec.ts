import type { Locator } from '@playwright/test'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { callBeside } from '../call.ts'
import { expect, prepareRoutes, test } from '../fixtures.ts'

/** Pastes a picture of 900 × 300 pixels. */
function pasteGraph(box: Locator) {
  return box.evaluate(async element => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 300 })
    canvas.getContext('2d')?.fillRect(0, 0, 450, 300)
    const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve))
    const clipboardData = new DataTransfer()
    if (blob) clipboardData.items.add(new File([blob], 'graph.png', { type: 'image/png' }))
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
}

test('a comment is written with tools, suggestions and a picture, previewed, and rendered', async ({
  page,
  titanium,
  product,
  shoot,
  browser,
}) => {
  const { tickets, shortCode, projectId } = await titanium()
  const noor = await product.person({ login: `noor-${projectId}`, fullName: 'Noor Haddad', admin: true })
  await page.goto(`/view-ticket/${tickets.loader}`)
  const card = page.getByRole('region', { name: 'Comments' })
  const box = card.getByRole('textbox', { name: 'Add comment' })
  await box.click()
  const tools = card.getByRole('toolbar', { name: 'Formatting' })
  await expect(tools.getByRole('button', { name: 'Bold' })).toBeVisible()

  await page.keyboard.type('fast')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+b')
  await expect(box).toHaveValue('**fast**')
  await page.keyboard.press('Control+z')
  await expect(box).toHaveValue('fast')
  expect(await tools.evaluate(bar => bar.scrollWidth - bar.clientWidth)).toBe(0)
  await tools.getByRole('button', { name: 'Italic' }).click()
  await expect(box).toHaveValue('*fast*')
  await page.keyboard.press('End')
  await page.keyboard.type(' enough :rock')
  await expect(page.getByRole('listbox', { name: 'Emoji' }).getByRole('option').first()).toHaveText('🚀:rocket:')
  await shoot(page, 'text-suggestions')
  await box.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('\n\n- [ ] measure\nmerge\n\n@noor-')
  await page.getByRole('listbox', { name: 'People' }).getByRole('option', { name: 'Noor Haddad' }).click()
  const login = noor.login
  await expect(box).toHaveValue(`*fast* enough 🚀 \n\n- [ ] measure\n- [ ] merge\n\n@${login} `)
  await page.keyboard.type('see docs')
  for (const _ of 'docs') await page.keyboard.press('Shift+ArrowLeft')
  await box.evaluate((area: HTMLTextAreaElement) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'https://docs.example/a')
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(box).toHaveValue(/see \[docs\]\(https:\/\/docs.example\/a\)$/)
  await pasteGraph(box)
  await expect(box).toHaveValue(/!\[graph\.png\]\(attachment:\d+\)\n$/)
  const code = `const fast = true // ${'and wide'.padEnd(200, '!')}`
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await page.keyboard.type(`\nAfter ${shortCode}-${tickets.kernel}:\n\`\`\`js\n${code}\n\`\`\``)
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: { args: { elementCount?: number } }[] }
  const restyled = traceEvents.flatMap(({ args: { elementCount } }) => elementCount ?? [])
  // A key computes the styles of a few elements, not those of the whole page.
  expect(restyled.length).toBeGreaterThan(code.length)
  expect(restyled.filter(count => count > 100).length).toBeLessThan(10)

  await card.getByRole('tab', { name: 'PREVIEW' }).click()
  const preview = card.getByRole('tabpanel', { name: 'Preview' })
  await expect(preview.locator('em')).toHaveText('fast')
  // The long line of code scrolls within the preview.
  expect(await card.evaluate(element => element.scrollWidth - element.clientWidth)).toBe(0)
  // With ligatures or kerning, breaking a word of brackets into lines takes a second.
  const { ligatures, kerning } = await preview.locator('em').evaluate(element => {
    const { fontVariantLigatures, fontKerning } = getComputedStyle(element)
    return { ligatures: fontVariantLigatures, kerning: fontKerning }
  })
  expect([ligatures, kerning]).toEqual(['none', 'none'])
  await expect(preview.getByRole('img', { name: 'graph.png' })).toHaveAttribute('width', '900')
  await preview.getByRole('checkbox', { name: 'measure' }).click()
  await expect(preview.getByRole('checkbox', { name: 'measure' })).toBeChecked()
  // In the place of a bullet.
  await expect(preview.getByRole('listitem').filter({ hasText: 'measure' })).toHaveCSS('list-style-type', 'none')
  await card.getByRole('button', { name: 'SAVE' }).click()

  const comment = card.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'graph.png' }) })
  await expect(comment.getByRole('link', { name: 'docs' })).toHaveAttribute('href', 'https://docs.example/a')
  await expect(comment.locator('pre span').first()).toHaveText('const')
  await expect(comment.getByRole('link', { name: `${shortCode}-${tickets.kernel}` })).toHaveAttribute(
    'href',
    `/view-ticket/${tickets.kernel}`,
  )
  await expect(comment.getByTitle('Noor Haddad')).toHaveText(`@${login}`)
  const saved = page.waitForResponse(answer => answer.url().endsWith(setTicketComment.path))
  await comment.getByRole('checkbox', { name: 'merge' }).click()
  await saved
  const { text } = await product.db
    .selectFrom('comment')
    .select('text')
    .where('ticket_id', '=', tickets.loader)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(text).toContain('- [x] measure\n- [x] merge')
  await expect(comment.getByRole('checkbox', { name: 'merge' })).toBeChecked()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await comment.getByRole('button', { name: 'Copy this code' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code)

  const picture = comment.getByRole('button', { name: 'Open graph.png' })
  await picture.press('Enter')
  const large = page.getByRole('dialog', { name: 'graph.png' })
  await expect(large.getByRole('img')).toBeVisible()
  await expect.poll(() => large.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900)
  await page.keyboard.press('Escape')
  await expect(picture).toBeFocused()
})

test('a picture that is uploaded while a dialog is open goes into its text, not into the field in the dialog', { tag: '@long' }, async ({
  page,
  titanium,
}) => {
  const { tickets } = await titanium()
  const answered = Promise.withResolvers<void>()
  await page.route(`**${attachmentUpload.path}`, async route => {
    await answered.promise
    await route.continue()
  })
  await page.goto(`/view-ticket/${tickets.loader}`)
  const box = page.getByLabel('Add comment')
  await box.fill('See')
  await pasteGraph(box)
  await expect(box).toHaveValue(/Uploading graph\.png/)
  await page.getByRole('button', { name: 'Edit assignees' }).click()
  const search = page.getByRole('dialog', { name: 'Assignees' }).getByRole('searchbox', { name: 'Search' })
  await search.fill('Dana')
  answered.resolve()
  await expect(box).toHaveValue(/^See\n!\[graph\.png\]\(attachment:\d+\)\n$/)
  await expect(search).toHaveValue('Dana')
  await expect(search).toBeFocused()
})

test('a long field keeps its text area, is previewed, and ticking its boxes saves with a version', { tag: '@long' }, async ({
  page,
  titanium,
  shoot,
}) => {
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  const area = page.getByLabel('Acceptance')
  const rest = '\n\n# A heading\n\n| a | b |\n|---|--:|\n| **1** | `2` |\n\n> quoted\n\n```js\n// a remark\nconst a = "b" + 1\n```'
  await area.fill(`- [ ] starts\n- [ ] stops${rest}`)
  await page.getByRole('button', { name: /^SAVE/ }).click()
  await expect(page.getByRole('button', { name: /^SAVE/ })).toBeDisabled()
  await page.getByRole('tab', { name: 'PREVIEW' }).first().click()
  const sent = page.waitForRequest(request => request.url().endsWith(setTicketData.path))
  const starts = page.getByRole('checkbox', { name: 'starts' })
  await starts.click()
  const { data, Version } = (await sent).postDataJSON()
  expect(data).toEqual({ note: `- [x] starts\n- [ ] stops${rest}` })
  expect(Version).toBeGreaterThan(0)
  await page.getByRole('checkbox', { name: 'stops' }).click()
  await expect(page.getByRole('checkbox', { name: 'stops' })).toBeChecked()
  await shoot(page, 'text-field')
  await page.getByRole('tab', { name: 'WRITE' }).first().click()
  await expect(area).toHaveValue(`- [x] starts\n- [x] stops${rest}`)
  // In a text with unsaved changes the tick is one of them.
  await area.press('End')
  await area.fill('- [x] starts\n- [ ] flies')
  await page.getByRole('tab', { name: 'PREVIEW' }).first().click()
  await page.getByRole('checkbox', { name: 'flies' }).click()
  await expect(page.getByRole('button', { name: 'SAVE', exact: true })).toHaveAccessibleDescription('1 change')
})

test('a draft is restored after a reload, with its time and a way to discard it, and is gone once it is saved', { tag: '@long' }, async ({
  page,
  titanium,
  axe,
}) => {
  const { tickets, projectId } = await titanium()
  const kept = (count: number) =>
    expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('tessera.kept.')).length)).toBe(count)
  await page.goto(`/view-ticket/${tickets.loader}`)
  await page.getByLabel('Acceptance').fill('Half a field')
  await page.getByLabel('Add comment').fill('Half a comment')
  await kept(2)
  await page.reload()
  await expect(page.getByLabel('Acceptance')).toHaveValue('Half a field')
  await expect(page.getByLabel('Add comment')).toHaveValue('Half a comment')
  const card = page.getByRole('region', { name: 'Comments' })
  await expect(page.getByText(/^Typed .*, not saved yet\.$/)).toHaveCount(2)
  await axe(page)
  await card.getByRole('button', { name: 'DISCARD' }).click()
  await expect(page.getByLabel('Add comment')).toHaveValue('')
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText(/not saved yet/)).toHaveCount(0)
  await kept(0)

  await page.goto(`/view-project/${projectId}`)
  const add = () => page.getByRole('main').getByRole('button', { name: 'ADD TICKET' }).click()
  await add()
  await page.getByRole('dialog').getByLabel('Title').fill('Half a ticket')
  await kept(1)
  await page.reload()
  await add()
  await expect(page.getByRole('dialog').getByLabel('Title')).toHaveValue('Half a ticket')
  await expect(page.getByRole('dialog')).toContainText('not saved yet')
  await page.getByRole('dialog').getByRole('button', { name: 'CANCEL' }).click()
  await kept(0)
})

test('texts and code are rendered once the connection is back', { tag: '@long' }, async ({ page, context, titanium, complaints }) => {
  await prepareRoutes(page)
  const { tickets } = await titanium()
  await callBeside(page, setTicketComment, { idTicket: tickets.loader, Comment: '**Bold**\n\n```js\nconst x = 1\n```' })
  for (const part of ['rendered-text', 'highlighted-code']) {
    await page.route(`**/assets/${part}-*.js`, route => route.abort())
  }
  await page.goto(`/view-ticket/${tickets.loader}`)
  const card = page.getByRole('region', { name: 'Comments' })
  const code = card.locator('pre')
  const reconnect = async () => {
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    await context.setOffline(false)
  }
  await expect(card.getByText('**Bold**')).toBeVisible()
  await page.unroute('**/assets/rendered-text-*.js')
  await reconnect()
  await expect(card.locator('strong')).toHaveText('Bold')
  await expect(code).toHaveText('const x = 1')
  await expect(code.locator('span')).toHaveCount(0)
  await page.unroute('**/assets/highlighted-code-*.js')
  await reconnect()
  await expect(code.locator('span').first()).toBeVisible()
  expect(complaints.splice(0).every(complaint => /Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(complaint))).toBe(true)
})

test('the tools of a text load at the next use after a lost connection', { tag: '@long' }, async ({
  page,
  context,
  titanium,
  complaints,
}) => {
  const { tickets } = await titanium()
  await page.goto(`/view-ticket/${tickets.loader}`)
  const card = page.getByRole('region', { name: 'Comments' })
  const box = card.getByRole('textbox', { name: 'Add comment' })
  await expect(box).toBeVisible()
  await context.setOffline(true)
  await box.click()
  await page.keyboard.type('Typed')
  await expect(page.getByText('You are offline.')).toBeVisible()
  await expect(page.getByText('A part of the application could not be loaded.')).toHaveCount(0)
  await context.setOffline(false)
  await page.getByRole('heading', { level: 1 }).click()
  await box.click()
  await expect(card.getByRole('toolbar', { name: 'Formatting' })).toBeVisible()
  await expect(box).toHaveValue('Typed')
  expect(complaints.splice(0).every(complaint => complaint.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true)
})
