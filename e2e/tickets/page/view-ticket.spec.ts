import type { Page, Route } from '@playwright/test'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { makeMember } from '@tessera/server/test/fixtures/factories'
import { jpeg } from '@tessera/server/test/fixtures/pictures'
import { callBeside } from '../../call.ts'
import { expect, prepareRoutes, test } from '../../fixtures.ts'
import { openLoader } from './open-loader.ts'

/** Holds back the answers of matching requests until the returned function is called. */
async function hold(page: Page, url: RegExp) {
  const held: Route[] = []
  let isHeld = true
  await page.route(url, route => (isHeld ? void held.push(route) : route.continue()))
  return {
    held,
    release: async () => {
      isHeld = false
      for (const route of held) await route.continue()
    },
  }
}

test('the details of a ticket, field by field, and its comments beside them [2.64] [2.65] [2.66] [2.67] [2.68] [2.72] [2.73] [2.74] [2.75] [2.76] [2.77] [2.78] [2.79] [2.80] [2.82] [2.83] [3.9] [9.5] [9.6]', async ({
  page,
  product,
  titanium,
  axe,
}) => {
  await prepareRoutes(page)
  await page.route(/get-ticket-data/, async route => {
    const answer = await route.fetch()
    const ticket = await answer.json()
    // What a later version of the server might send, and a SELECT that lost its options.
    ticket.Fields.push(
      { Key: 'mood', Label: 'Mood', Value: 'x', Renderer: 'HOLOGRAM', FieldProps: [] },
      { Key: 'browser', Label: 'Browser', Value: '', Renderer: 'SELECT', FieldProps: [] },
    )
    await route.fulfill({ response: answer, json: ticket })
  })
  const { code, shortCode, projectId, tickets, person } = await openLoader(page, titanium)
  const { db } = product
  await db
    .updateTable('ticket')
    .set({ created_at: new Date('2026-11-03T21:05:00Z') })
    .where('organization_id', '=', person.idOrganization)
    .where('id', '=', tickets.loader)
    .execute()
  const idTicket = tickets.loader
  const { idComment } = await callBeside(page, setTicketComment, { idTicket, Comment: 'Frist' })
  await callBeside(page, setTicketComment, { idTicket, Comment: 'First', idComment })
  await callBeside(page, setTicketComment, { idTicket, Comment: 'Second' })
  await page.reload()

  const fact = (term: string) => page.locator('dl > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${term}$`) }) })
  await expect(fact('Project').getByRole('link', { name: 'Titanium Mobile' })).toHaveAttribute('href', `/view-project/${projectId}`)
  await expect(fact('ID')).toContainText(code)
  await expect(fact('Parent').getByRole('link', { name: `${shortCode}-${tickets.kernel}` })).toHaveAttribute(
    'href',
    `/view-ticket/${tickets.kernel}`,
  )
  await expect(fact('Created')).toContainText('Nov 3, 2026, 9:05 PM')
  await expect(fact('Type')).toContainText('Story')
  await expect(fact('Assignees')).toContainText('Dana Kim (Responsible)')
  await expect(fact('Description').getByRole('textbox')).toHaveValue('Expose the new engine through the module loader')
  await expect(page.getByRole('button', { name: 'SAVE' })).toBeDisabled()

  expect(await page.getByLabel('Acceptance').evaluate(element => element.tagName)).toBe('TEXTAREA')
  await page.getByRole('combobox', { name: 'Severity' }).click()
  await expect(page.getByRole('option')).toHaveText(['None', 'High', 'Medium', 'Low'])
  await page.keyboard.press('Escape')
  await expect(page.getByText('Unknown input type')).toHaveCount(1)
  await expect(page.getByText('Mood').locator('..')).toContainText('Unknown input type')
  const browser = page.getByRole('combobox', { name: 'Browser' })
  await expect(browser).toHaveText('No items available')
  await browser.click()
  await expect(page.getByText('No items available')).toHaveRole('option')
  await page.keyboard.press('Escape')

  const children = page.getByRole('region', { name: 'Child Tickets' })
  await expect(children.getByRole('status')).toHaveText(/^\d+ child tickets? listed$/)
  await expect(children.locator('tr[data-key]')).toHaveCount(3)
  await expect(children.getByRole('heading', { name: 'Child Tickets' })).toBeVisible()
  await expect(children.getByRole('button', { name: 'ADD TICKET' })).toBeVisible()
  const card = page.getByRole('region', { name: 'Comments' })
  const [box, table] = [await card.boundingBox(), await page.locator('dl').boundingBox()]
  expect(box?.width).toBe(350)
  expect(box?.x).toBeGreaterThan((table?.x ?? 0) + (table?.width ?? 0))
  expect((await children.boundingBox())?.y).toBeGreaterThan((table?.y ?? 0) + (table?.height ?? 0))
  await expect(card.getByLabel('Add comment')).toBeVisible()
  const comments = card.getByRole('listitem')
  await expect(comments).toHaveText([/[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M - Dana Kim.*Second/, / - Dana Kim.*First/])
  await expect(comments.nth(0).getByRole('button', { name: 'Versions of this comment' })).toHaveCount(0)
  await comments.nth(1).getByRole('button', { name: 'Versions of this comment' }).click()
  await expect(page.getByRole('dialog', { name: 'Versions of this comment' })).toContainText('Frist')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toHaveText('Changed: 2 versions')
  await axe(page)

  await page.goto(`/view-ticket/${tickets.kernel}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Kernel')
  await expect(fact('Parent')).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => (await card.boundingBox())?.width).toBeGreaterThan(350)
  await axe(page)
})

test('SAVE is disabled without a change, enabled by any change, and sends only that; the state waits for it [2.63] [2.64] [2.70] [4.6] [4.7] [5.22] [5.23]', async ({
  page,
  product,
  titanium,
}) => {
  const { tickets, states, code, person, projectId } = await openLoader(page, titanium)
  const { review, resolved, doing } = states
  // A workflow: from In Review to In Progress and Resolved, from Resolved nowhere but back.
  await product.db
    .insertInto('state_transition')
    .values(
      [
        [review, doing],
        [review, resolved],
        [resolved, review],
      ].map(([from, to]) => ({
        organization_id: person.idOrganization,
        project_id: projectId,
        from_state_id: from ?? 0,
        to_state_id: to ?? 0,
      })),
    )
    .execute()
  await page.reload()
  const save = page.getByRole('button', { name: /^SAVE/ })
  await expect(save).toBeDisabled()
  // Each field by itself is changed, and changed back.
  await page.getByLabel('Component').fill('Kernel')
  await expect(save).toBeEnabled()
  await page.getByLabel('Component').fill('')
  await expect(save).toBeDisabled()
  await page.getByLabel('Description', { exact: true }).fill('Another title')
  await expect(save).toBeEnabled()
  await page.getByLabel('Description', { exact: true }).fill('Expose the new engine through the module loader')
  await expect(save).toBeDisabled()
  await page.getByRole('button', { name: 'Edit assignees' }).click()
  await page.getByRole('checkbox', { name: 'Dana Kim: Reviewer' }).check()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(save).toBeEnabled()
  await page.getByRole('button', { name: 'Edit assignees' }).click()
  await page.getByRole('checkbox', { name: 'Dana Kim: Reviewer' }).uncheck()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(save).toBeDisabled()

  let saves = 0
  page.on('request', request => {
    if (request.url().includes('set-ticket-data')) saves += 1
  })
  await page.getByRole('button', { name: 'State: In Review' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['In Progress', 'Resolved'])
  await page.getByRole('menuitem', { name: 'Resolved' }).click()
  await page.getByRole('button', { name: 'State: Resolved' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([/^In Review/, 'In Progress', 'Resolved'])
  await page.keyboard.press('Escape')
  await expect(page.getByText('was In Review')).toBeVisible()
  expect(saves).toBe(0)
  const { release } = await hold(page, /set-ticket-data/)
  const sent = page.waitForRequest(/set-ticket-data/)
  await save.dblclick()
  expect((await sent).postDataJSON()).toEqual({ idTicket: tickets.loader, State: resolved, Version: 1 })
  await expect(page.getByRole('button', { name: 'SAVING...' })).toBeDisabled()
  await release()
  await expect(page.getByText(`Ticket ${code} saved`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'SAVE', exact: true })).toBeDisabled()
  expect(saves).toBe(1)
  await page.getByRole('button', { name: 'State: Resolved' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['In Review'])
})

test('the assignees dialog waits with a spinner of 30 and asks for a change [2.69] [2.120] [2.121] [2.122] [5.13] [6.5] [9.15]', async ({
  page,
  product,
  titanium,
}) => {
  const { projectId, person } = await openLoader(page, titanium)
  const other = await product.person({ fullName: 'Ada Novak' })
  await makeMember(product.db, person.idOrganization, projectId, other.idUser)
  const { release } = await hold(page, /get-project-role-list/)
  await page.getByRole('button', { name: 'Edit assignees' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assignees' })
  const spinner = dialog.getByRole('progressbar', { name: 'Loading' })
  await expect(spinner).toBeVisible()
  expect(await spinner.evaluate(element => [(element as HTMLElement).offsetWidth, (element as HTMLElement).offsetHeight])).toEqual([30, 30])
  // The pseudo-element inside turns.
  expect(await spinner.evaluate(element => element.getAnimations().length)).toBe(0)
  await expect(dialog.getByRole('button', { name: 'OK' })).toBeDisabled()
  await release()
  await expect(dialog.getByRole('columnheader')).toHaveText(['User', 'Responsible', 'Assignee', 'Reviewer'])
  await expect(dialog.getByRole('rowheader')).toHaveText(['Dana Kim (you)', 'Ada Novak'])
  await expect(dialog.getByRole('checkbox')).toHaveCount(6)
  await expect(spinner).toBeHidden()
  await expect(dialog.getByRole('button', { name: 'OK' })).toBeDisabled()
  for (const role of ['Responsible', 'Assignee', 'Reviewer']) await dialog.getByRole('checkbox', { name: `Ada Novak: ${role}` }).check()
  await expect(dialog.getByRole('button', { name: 'OK' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'SAVE', exact: true })).toBeDisabled()
})

test('an upload is queued, in progress, finished or failed; a queued file can be removed until the upload starts [2.109] [2.110] [4.9] [4.10] [4.11] [4.12] [5.12] [7.49] [8.9]', async ({
  page,
  titanium,
  axe,
}) => {
  await openLoader(page, titanium)
  await page.getByRole('button', { name: 'Upload attachments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload Attachments' })
  await expect(dialog.getByRole('button', { name: 'UPLOAD' })).toBeDisabled()
  const file = (name: string, size: number) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.concat([jpeg(), Buffer.alloc(size)]) })
  await dialog
    .locator('input[type=file]')
    .setInputFiles([
      { name: 'one.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no image at all, so the server refuses it') },
      file('two.jpg', 300_000),
      file('three.jpg', 0),
    ])
  await expect(dialog.getByRole('listitem')).toHaveText([/^one\.jpg[\d.]+ B$/, /^two\.jpg[\d.]+ kB$/, /^three\.jpg[\d.]+ k?B$/])
  await dialog.getByRole('button', { name: 'Remove three.jpg' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  const { held, release } = await hold(page, /attachment-upload/)
  await dialog.getByRole('button', { name: 'UPLOAD' }).click()
  await expect(dialog.getByRole('progressbar', { name: 'Uploading two.jpg' })).toHaveAttribute('value', /^\d+$/)
  await expect(dialog.getByRole('listitem').nth(1)).toContainText(/\d+%$/)
  await expect(dialog.getByRole('button', { name: /^Remove/ })).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'SELECT FILES' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'CANCEL' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'CLOSE' })).toHaveCount(0)
  await axe(page)
  await expect.poll(() => held.length).toBe(2)
  await release()
  const done = dialog.getByRole('img', { name: 'Finished' })
  await expect(done).toHaveCount(1)
  await expect(dialog.getByRole('listitem').nth(1)).toContainText('100%')
  await expect(done).toHaveCSS('color', 'rgb(21, 128, 61)')
  await expect(dialog.getByRole('img', { name: 'Failed' })).toHaveCSS('color', 'rgb(180, 35, 24)')
  await expect(page.getByText('Upload failed: one.jpg')).toBeVisible()
  await dialog.getByRole('button', { name: 'CLOSE' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'two.jpg' })).toHaveAttribute('target', '_blank')
})

test('a part of the page that cannot be loaded leaves the rest and the typed text; a retry loads it', { tag: '@long' }, async ({
  page,
  titanium,
  complaints,
}) => {
  await prepareRoutes(page)
  const parts = /(assignees-dialog|move-ticket-dialog|comments-and-changes)-.*\.js/
  await page.route(parts, route => route.abort())
  await openLoader(page, titanium)
  const words = 'A part of the application could not be loaded. Check the connection and try again.'
  const description = page.getByLabel('Description', { exact: true })
  await description.fill('Typed before')
  const toast = page.locator('[data-toast]').filter({ hasText: words })
  await page.getByRole('button', { name: 'Edit assignees' }).click()
  const first = await toast.elementHandle()
  const more = page.getByRole('main').getByRole('button', { name: 'More' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  // The second one replaces the first.
  await expect.poll(() => first?.evaluate(({ isConnected }) => isConnected)).toBe(false)
  await expect(toast).toHaveCount(1)
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await expect(page.getByRole('tabpanel').getByRole('alert')).toContainText(words)
  await expect(description).toHaveValue('Typed before')

  await page.unroute(parts)
  await page.getByRole('button', { name: 'TRY AGAIN' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('Nothing has happened here yet')
  await more.click()
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  await page
    .getByRole('dialog', { name: /^Move / })
    .getByRole('button', { name: 'CANCEL' })
    .click()
  await page.getByRole('button', { name: 'Edit assignees' }).click()
  await expect(page.getByRole('dialog', { name: 'Assignees' })).toBeVisible()
  await page.getByRole('button', { name: 'CANCEL' }).click()
  await expect(description).toHaveValue('Typed before')
  expect(complaints.splice(0).every(complaint => complaint.includes('Failed to load resource'))).toBe(true)
})
