import { limits } from '@tessera/contract/limits'
import { permission } from '@tessera/contract/permissions'
import { applyBulkChange, previewBulkChange, revertChangeSet, stopBulkChange } from '@tessera/contract/tickets/bulk'
import { setTicketLink } from '@tessera/contract/tickets/links'
import { withMutex } from '@tessera/server/lib/turns'
import { makeMember, makeProject, makeTicket, makeTickets } from '@tessera/server/test/fixtures/factories'
import { sql } from 'kysely'
import { callBeside } from '../call.ts'
import { expect, prepareRoutes, test } from '../fixtures.ts'

test('tickets are selected with the mouse, changed once after a preview, and reverted', async ({ page, titanium, axe }) => {
  await prepareRoutes(page)
  const { projectId } = await titanium({ admin: true })
  await page.goto(`/view-project/${projectId}?phase=1,2,3`)
  const rows = page.locator('tr[data-key]')
  const before = await rows.first().boundingBox()
  await rows.first().getByRole('checkbox').click()
  const bar = page.getByRole('region', { name: 'Selected tickets' })
  await expect(bar).toContainText('1 selected')
  await rows.nth(2).click({ modifiers: ['Shift'], position: { x: 500, y: 15 } })
  await expect(bar).toContainText('3 selected')
  await expect(page.locator('tr[aria-selected=true]')).toHaveCount(3)
  // Nothing has moved.
  expect(await rows.first().boundingBox()).toEqual(before)
  // The page of a ticket offers nothing for what is selected elsewhere, and the list still has it.
  // The newest ticket is nobody's parent.
  await rows.first().getByRole('link').press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ticket Detail')
  await expect(page.getByRole('region', { name: /^Child/ })).toBeVisible()
  await expect(bar).toBeHidden()
  await page.goBack()
  await expect(bar).toContainText('3 selected')
  await bar.getByRole('button', { name: /^Select all \d+$/i }).click()
  await expect(bar).toContainText(/^All \d+ selected/)
  await axe(page)
  const total = Number(/\d+/.exec((await bar.textContent()) ?? '')?.[0])
  expect(total).toBe(await rows.count())

  await bar.getByRole('button', { name: 'CHANGE…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'What to change' }).click()
  await page.getByRole('option', { name: 'State', exact: true }).click()
  await dialog.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option').last().click()
  // The choices stay when the server cannot be reached.
  await page.route(`**${previewBulkChange.path}`, route => route.fulfill({ status: 503, json: { error: 'Busy', code: 'unavailable' } }), {
    times: 1,
  })
  await dialog.getByRole('button', { name: 'PREVIEW' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Busy')
  await dialog.getByRole('button', { name: 'PREVIEW' }).click()
  await expect(dialog.getByRole('status')).toContainText(/tickets change/)
  await axe(page)
  const sent = page.waitForRequest(`**${applyBulkChange.path}`)
  await dialog.getByRole('button', { name: 'APPLY' }).dblclick()
  await sent
  const toast = page.locator('[data-toast]').filter({ hasText: /tickets changed/ })
  await expect(toast).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(bar).toBeHidden()
  // Reverting 10,000 takes nine seconds.
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(`**${revertChangeSet.path}`, route => held.then(() => route.continue()), { times: 1 })
  await toast.getByRole('button', { name: 'UNDO' }).click()
  const working = page.locator('[data-toast]').filter({ hasText: 'Undoing…' })
  await expect(working).toBeVisible()
  release()
  await expect(page.locator('[data-toast]').filter({ hasText: 'changed back' })).toBeVisible()
  await expect(working).toBeHidden()
})

test('without a mouse: x, Shift+x, Escape; the page of changes reverts a change', { tag: '@long' }, async ({
  page,
  product,
  titanium,
  shoot,
  signIn,
}) => {
  await prepareRoutes(page)
  const { projectId, person } = await titanium({ admin: true })
  await makeProject(product.db, person.idOrganization, { title: 'Alloy' })
  await page.goto(`/view-project/${projectId}?phase=1,2,3`)
  const rows = page.locator('tr[data-key]')
  await rows.first().focus()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+X')
  await expect(page.locator('tr[aria-selected=true]')).toHaveCount(3)
  await expect(page.getByRole('region', { name: 'Selected tickets' })).toBeVisible()
  // The keys of a row are about the selection, and the field they open has the focus.
  const change = page.getByRole('dialog', { name: 'Change 3 tickets' })
  for (const [key, field] of [
    ['s', 'State'],
    ['a', 'People'],
    ['l', 'Add labels'],
    ['e', 'What to change'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(change.getByRole('combobox', { name: field })).toBeFocused()
    await expect(change.getByRole('button', { name: 'PREVIEW' })).toBeDisabled()
    await change.getByRole('button', { name: 'CANCEL' }).click()
    await expect(change).toBeHidden()
  }
  await page.keyboard.press('m')
  await page.getByRole('dialog', { name: 'Watch 3 tickets' }).getByRole('button', { name: 'CANCEL' }).click()
  await expect(page.locator('tr[aria-selected=true]')).toHaveCount(3)
  // The focus goes back to the list with the bar that had it.
  await page.getByRole('region', { name: 'Selected tickets' }).getByRole('button', { name: 'CHANGE…' }).focus()
  await page.keyboard.press('Escape')
  await expect(page.locator('tr[aria-selected=true]')).toHaveCount(0)
  await expect(rows.nth(2)).toBeFocused()
  await page.keyboard.press('x')
  // The palette knows what can be done with the selection, also when it is there before the selection's own bar.
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill('selected trash')
  await expect(dialog.getByRole('option', { name: 'Move the selected tickets to the trash…' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toContainText('1 ticket changes')
  await dialog.getByRole('button', { name: 'APPLY' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-toast]').filter({ hasText: '1 ticket changed' })).toBeVisible()

  await page.getByRole('main').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Changes' }).click()
  await expect(page.getByRole('heading', { name: 'Changes' })).toBeVisible()
  const list = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
  await expect(list).toHaveCount(1)
  await expect(list).toContainText('Dana Kim changed 1 ticket')
  await expect(list).toContainText('moved to the trash')
  await expect(list.getByRole('link')).toHaveCount(1)
  // Opened by its address, its project becomes the active one, not the first by name.
  await page.reload()
  await expect(page.getByRole('button', { name: 'Project: Titanium Mobile' })).toBeVisible()
  await expect(list).toHaveCount(1)
  await shoot(page, 'project-changes')
  await list.getByRole('button').press('Enter')
  await expect(dialog.getByRole('status')).toContainText('1 ticket changes')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(`**${revertChangeSet.path}`, route => held.then(() => route.continue()), { times: 1 })
  await dialog.getByRole('button', { name: 'REVERT' }).click()
  await expect(dialog.getByText('Reverting…')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'REVERT' })).toBeDisabled()
  release()
  await expect(list).toHaveCount(2)
  await expect(list.last()).toContainText('Reverted')

  // People who may not revert it see the reason instead of the button.
  const reader = await product.person()
  await makeMember(product.db, reader.idOrganization, projectId, reader.idUser, [permission.viewTickets])
  await page.context().clearCookies()
  await signIn(page, reader)
  await page.goto(`/project-changes/${projectId}`)
  await expect(list.first()).toContainText('Needs the permission Delete tickets')
  await expect(list.getByRole('button')).toHaveCount(0)
})

test('the history of a ticket says with how many others it was changed, and reverts the change for all', { tag: '@long' }, async ({
  page,
  product,
  titanium,
  shoot,
}) => {
  const { projectId: idProject, tickets, states, person } = await titanium({ admin: true })
  const alloy = await makeProject(product.db, person.idOrganization, { title: 'Alloy', shortCode: `ALLOY${idProject}` })
  const far = await makeTicket(product.db, person.idOrganization, alloy, { title: 'A widget that needs the loader' })
  await callBeside(page, setTicketLink, { idTicket: tickets.loader, idOther: far, Kind: 'relates' })
  const Tickets = [tickets.loader, tickets.flicker, tickets.rotation]
  const { idPreview } = await callBeside(page, previewBulkChange, { idProject, Tickets, Change: { State: states.done } })
  await callBeside(page, applyBulkChange, { idPreview })

  await page.goto(`/view-ticket/${tickets.loader}?tab=timeline`)
  const entries = page.getByRole('tabpanel', { name: 'Timeline' }).getByRole('listitem')
  await expect(entries).toHaveText([
    /State\s*In Review → Closed.*With 2 other tickets.*REVERT…$/,
    new RegExp(`Links.*Relates to ALLOY${idProject}-${far} A widget that needs the loader$`),
  ])
  await entries.first().scrollIntoViewIfNeeded()
  await shoot(page, 'ticket-timeline-change-set')
  await entries.first().getByRole('button', { name: 'REVERT…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('status')).toContainText('3 tickets change')
  await dialog.getByRole('button', { name: 'REVERT' }).click()
  await expect(page.locator('[data-toast]').filter({ hasText: '3 tickets changed back' })).toBeVisible()
  await expect(entries).toHaveText([
    /State\s*Closed → In Review.*Reverted an earlier change, with 2 other tickets.*REVERT…$/,
    /State\s*In Review → Closed.*With 2 other tickets, reverted$/,
    /Links/,
  ])
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByRole('tabpanel', { name: 'History' }).getByRole('button', { name: 'REVERT…' })).toHaveCount(1)
})

test('a large change shows its progress and is stopped half way by keyboard', { tag: '@long' }, async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  const person = await product.person()
  const { idOrganization } = person
  const project = await makeProject(product.db, idOrganization)
  const { projectId } = project
  await makeMember(product.db, idOrganization, projectId, person.idUser, 'all')
  const made = await makeTickets(product.db, idOrganization, project, 200, 'Bolt')
  await signIn(page, person)
  await page.goto(`/view-project/${projectId}?phase=1,2,3`)
  await page.locator('tr[data-key]').first().focus()
  await page.keyboard.press('x')
  const bar = page.getByRole('region', { name: 'Selected tickets' })
  await bar.getByRole('button', { name: /^Select all/i }).press('Enter')
  await bar.getByRole('button', { name: 'TRASH' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('status')).toContainText('200 tickets change')

  // One step waits for a ticket that is being saved; then the change stands still before the next step.
  const save = await product.db.startTransaction().execute()
  await sql`select 1 from ticket where organization_id = ${idOrganization} and id = ${made[100]} for update`.execute(save)
  const sent = page.waitForRequest(`**${applyBulkChange.path}`)
  await dialog.getByRole('button', { name: 'APPLY' }).press('Enter')
  await sent
  const progress = async () => {
    const { rows } = await sql<{ done: number }>`
      select done from bulk_preview where organization_id = ${idOrganization} and project_id = ${projectId}`.execute(product.db)
    return rows[0]?.done
  }
  await expect.poll(progress).toBe(100)
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: still, resolve: stand } = Promise.withResolvers<void>()
  const standing = withMutex(`bulk ${idOrganization} ${projectId}`, () => {
    stand()
    return held
  })
  await save.rollback().execute()
  await still
  const done = (await progress()) ?? 0
  // With the step that waited, if it had begun.
  expect([100, 100 + limits.bulkStep]).toContain(done)
  await expect(dialog.getByText(`${done} of 200 tickets`)).toBeVisible()
  await expect(dialog.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('value', String(done / 2))
  await shoot(page, 'bulk-progress')
  const stop = dialog.getByRole('button', { name: 'STOP', exact: true })
  while (!(await stop.evaluate(button => button === document.activeElement))) await page.keyboard.press('Tab')
  // Requests take turns: the next step must not begin before the server has been asked to stop.
  const stopped = page.waitForResponse(`**${stopBulkChange.path}`)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'STOPPING…' })).toBeDisabled()
  await expect(dialog.getByRole('button', { name: 'CANCEL' })).toBeDisabled()
  await stopped
  goOn()
  await standing
  const toast = page.locator('[data-toast]').filter({ hasText: `${done} tickets changed, ${200 - done} not reached` })
  await expect(toast).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(await progress()).toBe(done)
  await toast.getByRole('button', { name: 'UNDO' }).press('Enter')
  await expect(page.locator('[data-toast]').filter({ hasText: `${done} tickets changed back` })).toBeVisible()
})
