import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import { box, expect, listenAt, prepareRoutes, test, withMotion } from '../../fixtures.ts'
import { carry, chooseLanes, makeBoard, middle } from './boards.ts'

test.use(withMotion)

/** The card of a ticket in this lane: of a person or label, or 'none'. */
const cardIn = (page: Page, idTicket: number, lane: number | 'none') => page.locator(`[data-card^="${idTicket} ${lane} "]`)

test('a card is carried to the lane of another person by mouse and by keys, and another page shows it', async ({
  page,
  product,
  signIn,
  browser,
  shoot,
}) => {
  const { ada, ben, project, crane, lamp, rope, url } = await makeBoard(product, false)
  const { assignee, reviewer } = project.roles
  await sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select ${ada.idOrganization}, ${project.projectId}, ticket, person, role
    from (values (${crane}::bigint, ${ada.idUser}::bigint, ${assignee}::bigint), (${lamp}, ${ben.idUser}, ${reviewer}),
      (${rope}, ${ada.idUser}, ${assignee}), (${rope}, ${ben.idUser}, ${assignee})) held (ticket, person, role)`.execute(product.db)
  await signIn(page, ada)
  await listenAt(page, url)
  await chooseLanes(page, 'Lanes by assignee')
  await expect(page).toHaveURL(/lanes=Assignee/)
  const heads = page.getByRole('button', { name: /^Lane / })
  await expect(heads).toHaveCount(3)
  expect(await heads.evaluateAll(all => all.map(one => one.getAttribute('aria-label')))).toEqual([
    'Lane Ada Moss',
    'Lane Ben Ruiz',
    'Lane Nobody',
  ])
  const other = await browser.newContext({ baseURL: product.url })
  const beside = await other.newPage()
  await prepareRoutes(beside)
  await signIn(beside, ben)
  await listenAt(beside, `${url}&lanes=Assignee`)
  await expect(cardIn(beside, crane, ada.idUser)).toBeVisible()
  await shoot(page, 'board-lanes')

  // To another column and another person at once; the role goes along.
  await carry(page, 'Crane', await middle(page, 'Lamp'))
  await expect(page.locator('small', { hasText: 'Doing, Ben Ruiz' })).toBeVisible()
  await page.mouse.up()
  await expect(page.getByText(/moved to Doing, Ben Ruiz/)).toBeVisible()
  await expect(cardIn(page, crane, ben.idUser)).toBeVisible()
  await expect(cardIn(beside, crane, ben.idUser)).toBeVisible()
  await expect(cardIn(beside, crane, ada.idUser)).toHaveCount(0)
  const held = async (ticket: number) =>
    (
      await sql<{ person: number; role: number }>`
        select user_id::int as person, role_id::int as role from assignment where organization_id = ${ada.idOrganization} and ticket_id = ${ticket}
        order by user_id`.execute(product.db)
    ).rows.map(({ person, role }) => [person, role])
  expect(await held(crane)).toEqual([[ben.idUser, assignee]])
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('is back in Open, Ada Moss')).toBeVisible()
  await expect(cardIn(beside, crane, ada.idUser)).toBeVisible()
  expect(await held(crane)).toEqual([[ada.idUser, assignee]])

  // By keys, beyond the last card of the lane. The ticket stands in both lanes, and only the carried card leaves.
  const said = page.locator('[aria-live=assertive]').last()
  await cardIn(page, rope, ada.idUser).focus()
  await page.keyboard.press('Space')
  await expect(said).toContainText('Open, Ada Moss, position 2 of 2')
  await page.keyboard.press('ArrowDown')
  await expect(said).toHaveText('Open, Ben Ruiz, position 1 of 2')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(said).toHaveText(/^Open, Nobody, position 1 of \d+$/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect(page.getByText(/moved to Ben Ruiz/)).toBeVisible()
  await expect(cardIn(page, rope, ben.idUser)).toBeFocused()
  await expect(cardIn(page, rope, ada.idUser)).toHaveCount(0)
  expect(await held(rope)).toEqual([[ben.idUser, assignee]])
  await other.close()
})

test('a board is printed whole', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { ada, url } = await makeBoard(product, false)
  await signIn(page, ada)
  for (const lanes of ['', '&lanes=1']) {
    await page.goto(url + lanes)
    await expect(page.getByRole('link', { name: 'Crane' })).toBeVisible()
    // The browser lays the page out for paper: 50 cards of a column take several pages, and what is beyond the last page would be cut.
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)
    expect(pages?.length).toBeGreaterThan(2)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const cards = page.locator('[data-card]')
    expect(await cards.count()).toBeGreaterThan(50)
    const area = await box(page.getByRole('group', { name: /^Tickets of/ }))
    const last = await box(cards.last())
    expect(last.y + last.height).toBeLessThanOrEqual(area.y + area.height)
    await page.emulateMedia({ media: null })
  }
})

test('a drop in the lane of a person asks for the role; in the lane of a label it swaps the labels; lanes stay folded', {
  tag: '@long',
}, async ({ page, product, signIn, axe, complaints }) => {
  const { ada, ben, project, crane, lamp, url } = await makeBoard(product, false)
  await sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    values (${ada.idOrganization}, ${project.projectId}, ${lamp}, ${ben.idUser}, ${project.roles.reviewer})`.execute(product.db)
  const labels = (
    await sql<{ id: number }>`
      insert into label (organization_id, project_id, name, color)
      values (${ada.idOrganization}, ${project.projectId}, 'Deck', '#1b5e20'), (${ada.idOrganization}, null, 'Quay', '#ffcc00') returning id::int as id`.execute(
      product.db,
    )
  ).rows.map(({ id }) => id)
  const [deck, quay] = labels as [number, number]
  await sql`
    insert into ticket_label (organization_id, ticket_id, label_id)
    values (${ada.idOrganization}, ${crane}, ${deck}), (${ada.idOrganization}, ${lamp}, ${deck}), (${ada.idOrganization}, ${lamp}, ${quay})`.execute(
    product.db,
  )
  await signIn(page, ada)
  await page.goto(`${url}&lanes=Assignee`)
  const dialog = page.getByRole('dialog', { name: /Assign .* to Ben Ruiz/ })
  await page.route(/role-question/, route => route.abort(), { times: 1 })
  // From "nobody" upwards. A question that cannot be loaded is a canceled one.
  for (const end of ['not loaded', 'canceled', 'answered']) {
    await cardIn(page, crane, 'none').focus()
    for (const key of ['Space', 'ArrowUp', 'Space']) await page.keyboard.press(key)
    if (end === 'not loaded') await expect(page.getByText('A part of the application could not be loaded.')).toBeVisible()
    else await expect(dialog).toBeVisible()
    if (end === 'answered') break
    if (end === 'canceled') await page.keyboard.press('Escape')
    await expect(cardIn(page, crane, 'none')).toBeFocused()
  }
  expect(complaints.splice(0).every(complaint => complaint.includes('ERR_FAILED'))).toBe(true)
  await dialog.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Reviewer' }).click()
  await dialog.getByRole('button', { name: 'ASSIGN' }).click()
  await expect(page.getByText(/moved to Ben Ruiz/)).toBeVisible()
  await expect(cardIn(page, crane, ben.idUser)).toBeFocused()

  await chooseLanes(page, 'Lanes by label')
  await expect(cardIn(page, lamp, deck)).toBeVisible()
  await expect(cardIn(page, lamp, quay)).toBeVisible()
  await axe(page)
  await cardIn(page, crane, deck).focus()
  for (const key of ['Space', 'ArrowDown', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await expect(page.getByText(/moved to Doing, Quay/)).toBeVisible()
  await expect(cardIn(page, crane, quay)).toContainText('Quay')
  await expect(cardIn(page, crane, quay)).not.toContainText('Deck')
  await expect(cardIn(page, crane, deck)).toHaveCount(0)
  await page.locator('[data-toast]', { hasText: 'Quay' }).getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('is back in Open, Deck')).toBeVisible()
  await expect(cardIn(page, crane, deck)).toBeVisible()

  // Folded for this kind of lanes only. A phone does not scroll sideways.
  await page.getByRole('button', { name: 'Lane Deck' }).click()
  await expect(cardIn(page, crane, deck)).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Lane Deck' })).toHaveAttribute('aria-expanded', 'false')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('combobox', { name: 'Columns by' }).click()
  await page.getByRole('option', { name: 'Assignee' }).click()
  await page.getByRole('combobox', { name: 'Lanes' }).click()
  await expect(page.getByRole('option')).toHaveText(['No lanes', 'Lanes by parent', 'Lanes by label'])
})
