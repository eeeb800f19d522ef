import type { Page } from '@playwright/test'
import { makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { expect, test } from '../fixtures.ts'
import { makeLabels } from './labels.ts'

const fact = (page: Page, term: string) => page.locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${term}$`) }) })

test('labels are chosen and created on the ticket, shown in the list and filtered there', async ({
  page,
  product,
  titanium,
  axe,
  shoot,
}) => {
  const { person, projectId, tickets } = await titanium({ admin: true })
  await makeLabels(product, person.idOrganization, projectId, { regression: [], 'crash after the update': [tickets.loader] })

  await page.goto(`/view-ticket/${tickets.flicker}`)
  const row = fact(page, 'Labels')
  await expect(row).toContainText('None')
  await row.getByRole('button', { name: 'Edit labels' }).click()
  const field = page.getByRole('combobox', { name: 'Labels' })
  // The key is pressed before the labels have come.
  await field.fill('regr')
  await page.keyboard.press('Enter')
  await expect(row.getByRole('button', { name: 'Remove regression' })).toBeVisible()
  // A label that does not exist yet is created.
  await field.fill('Customer')
  await page.getByRole('option', { name: 'Create the label “Customer”' }).click()
  await expect(row.getByRole('button', { name: 'Remove Customer' })).toBeVisible()
  await field.fill('c')
  await axe(page)
  await field.press('Escape')
  await field.press('Escape')
  await expect(row.getByRole('button', { name: 'Edit labels' })).toBeFocused()
  await page.getByRole('button', { name: /^SAVE/ }).click()
  await expect(page.getByText(/ saved$/)).toBeVisible()
  await page.reload()
  await expect(row).toContainText('Customerregression')

  await page.goto(`/view-project/${projectId}`)
  const listed = page.locator('tr[data-key]')
  await expect(listed.filter({ hasText: 'List view flickers' })).toContainText('Customerregression')
  await page.getByRole('button', { name: 'Labels: All labels' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'crash' }).click()
  await page.keyboard.press('Escape')
  await expect(listed).toHaveCount(1)
  await expect(page).toHaveURL(/label=/)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Labels: crash' })).toBeVisible()
  await expect(listed).toHaveCount(1)
  // Where there is no room for all, the way to the ticket is cut off before a label is.
  await page.setViewportSize({ width: 1170, height: 720 })
  const isCut = (element: Element) => element.scrollWidth > element.clientWidth
  const [path, label] = [listed.locator('.path'), listed.getByText('crash after the update')]
  // The columns follow the size of the window a frame later.
  await expect
    .poll(async () => ({ path: await path.evaluate(isCut), label: await label.evaluate(isCut) }))
    .toEqual({ path: true, label: false })
  await page.goto(`/view-project/${projectId}`)
  await expect(listed.first()).toBeVisible()
  await shoot(page, 'labels-list')
})

test('the configuration merges labels and restores them, creates one, and enforces blockers', { tag: '@long' }, async ({
  page,
  product,
  titanium,
  shoot,
}) => {
  const { person, projectId, tickets } = await titanium({ admin: true })
  await makeLabels(product, person.idOrganization, projectId, { regression: [tickets.flicker], crash: [tickets.rotation] })
  await page.goto(`/edit-project/${projectId}`)
  const card = page.getByRole('region', { name: 'Labels' }).first()
  await card.getByRole('checkbox', { name: 'Select crash' }).check()
  await card.getByRole('checkbox', { name: 'Select regression' }).check()
  await card.getByRole('button', { name: 'MERGE 2 LABELS' }).click()
  await page.getByRole('combobox', { name: 'The label that stays' }).click()
  await page.getByRole('option', { name: 'regression' }).click()
  await page.getByRole('button', { name: 'MERGE', exact: true }).click()
  await expect(page.getByText('1 label merged into regression')).toBeVisible()
  await expect(card.getByRole('row', { name: /regression/ })).toContainText('2 tickets')
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(card.getByRole('row', { name: /crash/ })).toContainText('1 ticket')
  await card.getByRole('button', { name: 'NEW LABEL' }).click()
  await page.getByRole('textbox', { name: 'Label' }).fill('docs')
  await page.getByRole('radio', { name: 'Sky' }).check({ force: true })
  await page.getByRole('button', { name: 'ADD', exact: true }).click()
  await expect(card.getByRole('row', { name: /docs/ })).toBeVisible()
  await shoot(page, 'labels-project')
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
  await page.getByRole('switch', { name: /^Enforce blockers/ }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByRole('switch', { name: /^Enforce blockers/ })).toBeChecked()
  await page.keyboard.press('Escape')

  // What a new ticket of a type begins with.
  await page.getByRole('button', { name: 'Bug', exact: true }).click()
  await page.getByRole('button', { name: 'DEFAULTS OF A NEW TICKET' }).click()
  await page.getByRole('textbox', { name: 'Title of a new ticket' }).fill('Bug in ')
  await page.getByRole('combobox', { name: 'Labels' }).fill('crash')
  await page.keyboard.press('Enter')
  // The list stays open for more.
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'ADD CHILD TICKET' }).click()
  await page.getByRole('textbox', { name: 'Title of child 1' }).fill('Write a test')
  await shoot(page, 'template-defaults')
  await page.getByRole('button', { name: 'SAVE', exact: true }).last().click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`/view-project/${projectId}`)
  await page.getByRole('button', { name: 'ADD TICKET' }).last().click()
  await expect(page.getByText('Comes with 1 child ticket')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Bug in')
  await page.getByRole('button', { name: 'ADD & CLOSE' }).click()
  const made = page.locator('tr[data-key]').filter({ hasText: 'Bug in' })
  await expect(made).toContainText('crash')
  await expect(made.getByRole('button', { name: /^Expand/ })).toBeVisible()
})

test('links: found by words and by key, refused at the field, enforced, removed and restored; watchers and reactions', {
  tag: '@long',
}, async ({ page, product, titanium, shoot }) => {
  const { person, projectId, tickets, shortCode } = await titanium()
  const { db } = product
  const organization_id = person.idOrganization
  await db
    .updateTable('project')
    .set({ blockers_hold: true })
    .where('organization_id', '=', organization_id)
    .where('id', '=', projectId)
    .execute()
  const hidden = await makeProject(db, organization_id, { shortCode: `HID${person.idUser}` })
  const secret = await makeTicket(db, organization_id, hidden, { title: 'Secret engine' })
  await db
    .insertInto('ticket_link')
    .values({ organization_id, from_ticket_id: secret, to_ticket_id: tickets.rotation, kind: 'precedes' })
    .execute()
  await db
    .insertInto('comment')
    .values({ organization_id, ticket_id: tickets.flicker, author_id: person.idUser, text: `Seen with ${shortCode}-${tickets.rotation}` })
    .execute()

  await page.goto(`/view-ticket/${tickets.rotation}`)
  await expect(page.getByRole('list', { name: 'Follows' })).toHaveText('a ticket you cannot see')
  await expect(page.getByRole('list', { name: 'Mentioned in' })).toContainText('List view flickers')

  await page.goto(`/view-ticket/${tickets.flicker}`)
  const card = page.getByRole('region', { name: 'Links' })
  const field = card.getByRole('combobox', { name: 'Ticket', exact: true })
  const choose = async (kind: string, text: string, title: RegExp) => {
    await card.getByRole('combobox', { name: 'This ticket' }).click()
    await page.getByRole('option', { name: kind, exact: true }).click()
    await field.fill(text)
    await page.getByRole('option', { name: title }).click()
    await card.getByRole('button', { name: 'LINK', exact: true }).click()
  }
  const add = card.getByRole('button', { name: 'ADD LINK' })
  for (const close of ['Escape', 'CANCEL']) {
    await add.click()
    await expect(card.getByRole('combobox', { name: 'Ticket', exact: true })).toBeFocused()
    if (close === 'Escape') await page.keyboard.press(close)
    else await card.getByRole('button', { name: close }).click()
    await expect(add).toBeFocused()
  }
  await add.click()
  // Neither a ticket that the person may not see nor the ticket itself is offered.
  for (const text of ['secret', `${shortCode}-${tickets.flicker}`]) {
    await field.fill(text)
    await expect(page.getByText('No other ticket that you can see matches')).toBeVisible()
  }
  await choose('Blocked by', 'engine kernel', /Kernel: replace/)
  const blockers = card.getByRole('list', { name: 'Blocked by' })
  await expect(blockers).toContainText('Kernel: replace the JavaScript engine')
  await expect(card.getByRole('status').first()).toHaveText('Link added')
  await expect(fact(page, 'State')).toContainText('Blocked')
  await add.click()
  await choose('Blocks', String(tickets.kernel), /Kernel: replace/)
  await expect(card.getByText(`This would close a cycle: ${shortCode}-${tickets.flicker} → ${shortCode}-${tickets.kernel}`)).toBeVisible()
  await shoot(page, 'links-ticket')

  // Closing the duplicate is offered, but its blocker prevents it.
  await choose('Duplicates', 'rotation', /Window management/)
  const offer = card.getByRole('alert')
  await offer.getByRole('button', { name: 'Closed' }).click()
  await expect(page.getByText(`Blocked by ${shortCode}-${tickets.kernel}`)).toBeVisible()
  await expect(offer).toContainText('1 person watches it')
  await shoot(page, 'links-duplicate')
  await offer.getByRole('button', { name: `MOVE WATCHERS TO ${shortCode}-${tickets.rotation}` }).click()
  await expect(page.getByText(`1 watcher moved to ${shortCode}-${tickets.rotation}`)).toBeVisible()
  await expect(fact(page, 'Watchers').getByRole('listitem')).toHaveCount(0)
  await fact(page, 'State').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Closed' }).click()
  await page.getByRole('button', { name: /^SAVE/ }).click()
  await expect(page.getByRole('alert').getByRole('link', { name: /Kernel: replace/ })).toHaveAttribute(
    'href',
    `/view-ticket/${tickets.kernel}`,
  )
  await blockers.getByRole('button', { name: `Remove link: Blocked by ${shortCode}-${tickets.kernel}` }).click()
  await expect(blockers).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Links' }).locator('button:focus')).toBeVisible()
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(blockers).toBeVisible()

  await fact(page, 'Watchers').getByRole('button', { name: 'Edit watchers' }).click()
  const window = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const place = async () => {
    const { x = -1, y = -1, width = 0, height = 0 } = (await page.getByRole('dialog', { name: 'Watchers' }).boundingBox()) ?? {}
    return [x, y, width, height].map(Math.round)
  }
  await expect.poll(place).toEqual([0, 0, 390, 844])
  if (window) await page.setViewportSize(window)
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /Dana Kim/ })
    .click()
  await page.getByRole('button', { name: 'CLOSE' }).click()
  await expect(fact(page, 'Watchers').getByRole('listitem')).toHaveCount(1)

  const comments = page.getByRole('region', { name: 'Comments' })
  await comments.getByRole('button', { name: 'Add a reaction' }).click()
  await page.getByRole('menuitem', { name: 'Heart' }).click()
  const heart = comments.getByRole('button', { name: 'Heart 1: Dana Kim' })
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await heart.click()
  await expect(heart).toHaveCount(0)

  await page.goto(`/view-project/${projectId}`)
  await expect(page.locator('tr[data-key]').filter({ hasText: 'List view flickers' })).toContainText('Blocked')
})
