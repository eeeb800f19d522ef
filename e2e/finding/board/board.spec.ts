import type { Page, Route } from '@playwright/test'
import { moveOnBoard, queryBoard } from '@tessera/contract/tickets/board'
import { getTicketData, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { callBeside } from '../../call.ts'
import { expect, listenAt, prepareRoutes, test, withMotion } from '../../fixtures.ts'
import { carry, chooseLanes, makeBoard, middle } from './boards.ts'

test.use(withMotion)

const column = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
const titles = (page: Page, name: string, count = 3) =>
  column(page, name)
    .locator('[data-card] > :nth-child(2)')
    .evaluateAll((all, most) => all.slice(0, most).map(one => one.textContent), count)

async function fingerOn(page: Page) {
  const touch = await page.context().newCDPSession(page)
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
}

test('cards are moved by mouse and by keys, columns refuse with their reason, and another page shows it at once', async ({
  page,
  product,
  signIn,
  browser,
  shoot,
}) => {
  const { ada, ben, project, rope, url } = await makeBoard(product, true)
  await signIn(page, ada)
  await listenAt(page, url)
  const other = await browser.newContext({ baseURL: product.url })
  const beside = await other.newPage()
  await prepareRoutes(beside)
  await signIn(beside, ben)
  await listenAt(beside, url)
  await expect(page.getByRole('heading', { name: 'Open 59' })).toBeVisible()
  await expect.poll(() => titles(page, 'Open')).toEqual(['Crane', 'Rope', 'Pier'])
  // Also those that are not loaded are counted for screen readers.
  await expect(column(page, 'Open').getByRole('listitem').first()).toHaveAttribute('aria-setsize', '59')
  await shoot(page, 'board')
  // Exactly as high as its line, or the top of another line would show below it.
  await expect(page.getByRole('link', { name: 'Crane' }).locator('> :nth-child(2)')).toHaveCSS('height', '17px')

  // By mouse, below a card of another column.
  const reads: string[] = []
  beside.on('request', request => {
    if (request.url().endsWith(queryBoard.path)) reads.push(request.postData() ?? '')
  })
  const lamp = await middle(page, 'Lamp')
  await carry(page, 'Rope', { x: lamp.x, y: lamp.y + 110 })
  await expect(page.getByText('Not allowed from Open')).toBeVisible()
  await page.mouse.up()
  await expect(page.getByText(`moved to Doing`)).toBeVisible()
  // The message stays while the pointer is on it.
  await page.getByRole('button', { name: 'UNDO' }).hover()
  await expect.poll(() => titles(page, 'Doing')).toEqual(['Lamp', 'Rope'])
  await expect.poll(() => titles(beside, 'Doing')).toEqual(['Lamp', 'Rope'])
  await expect(beside.getByRole('heading', { name: 'Open 58' })).toBeVisible()
  // The other page asked for that ticket alone.
  expect(reads.map(body => JSON.parse(body).Tickets)).toEqual([[rope]])

  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('is back in Open')).toBeVisible()
  await expect.poll(() => titles(page, 'Open')).toEqual(['Crane', 'Rope', 'Pier'])
  await expect.poll(() => titles(beside, 'Open')).toEqual(['Crane', 'Rope', 'Pier'])

  // A drop on a column that refuses moves nothing. The answer that says so comes after the pointer.
  const answer = Promise.withResolvers<void>()
  const holdBack = (route: Route) => answer.promise.then(() => route.fallback())
  await page.route(`**${getTicketData.path}`, holdBack, { times: 1 })
  const done = await column(page, 'Done').boundingBox()
  await carry(page, 'Crane', { x: (done?.x ?? 0) + 100, y: (done?.y ?? 0) + 80 })
  // The dragged copy is hidden from screen readers and the Tab key.
  const ghost = page.locator('[aria-hidden=true]').filter({ hasText: 'Crane' })
  await expect(ghost).toContainText('Done')
  answer.resolve()
  await expect(ghost).toContainText('Not allowed from Open')
  await expect(page.locator('[aria-hidden=true][tabindex]')).toHaveCount(0)
  await page.mouse.up()
  expect(await titles(page, 'Open', 1)).toEqual(['Crane'])

  // By keyboard only; each step is announced.
  const said = page.locator('[aria-live=assertive]').last()
  await page.getByRole('link', { name: 'Crane' }).focus()
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'Rope' })).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Space')
  await expect(said).toContainText('Open, position 1 of 59')
  await expect(page.locator('[data-refused]').getByText('Not allowed from Open')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(said).toHaveText('Doing, position 1 of 2')
  await page.keyboard.press('ArrowRight')
  await expect(said).toHaveText('Done: Not allowed from Open. Doing, position 1 of 2')
  await page.keyboard.press('Escape')
  await expect(said).toContainText('is back where it was')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect.poll(() => titles(page, 'Doing')).toEqual(['Lamp', 'Crane'])
  await expect(page.getByRole('link', { name: 'Crane' })).toBeFocused()
  await expect.poll(() => titles(beside, 'Doing')).toEqual(['Lamp', 'Crane'])

  // Two people move the same card. The second one sees its new place, and no card jumps back to an outdated one.
  await beside.route(`**${getTicketData.path}`, async route => {
    const answer = await route.fetch()
    const { idTicket } = route.request().postDataJSON()
    await callBeside(page, setTicketData, { idTicket, State: project.states.done })
    await route.fulfill({ response: answer })
  })
  const [crane, buoy] = [await middle(beside, 'Crane'), await middle(beside, 'Rope')]
  const refused = beside.waitForResponse(answer => answer.url().endsWith(moveOnBoard.path))
  await carry(beside, 'Crane', { x: buoy.x, y: crane.y })
  await beside.mouse.up()
  expect((await refused).status()).toBe(409)
  await expect(beside.getByText('was moved to Done by Ada Moss meanwhile')).toBeVisible()
  await expect.poll(() => titles(beside, 'Done')).toEqual(['Crane'])
  await other.close()

  // If the workflow has no way back, UNDO is not offered, and the toast says why.
  await page.getByRole('link', { name: 'Lamp' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(page.getByText(/moved to Done\. The workflow has no way back to Doing\./)).toBeVisible()
  await expect.poll(() => titles(page, 'Done', 1)).toEqual(['Lamp'])

  // Enter opens the ticket, ] the next one of its column, and the way back leads to its card.
  await page.getByRole('link', { name: 'Rope' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Rope')
  await page.keyboard.press(']')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Pier')
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Pier' })).toBeFocused()
  // The rest of a column comes as somebody scrolls to its end; most of it is not in the page.
  await page.getByRole('link', { name: 'Rope' }).focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('link', { name: 'Buoy 1', exact: false }).last()).toBeVisible()
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return page.getByRole('link', { name: /Buoy 1$/ }).count()
    })
    .toBe(1)
  expect(await column(page, 'Open').locator('[data-card]').count()).toBeLessThan(25)
})

test('on a phone cards are moved by touch; lanes, folded columns, and people as columns', { tag: '@long' }, async ({
  page,
  product,
  signIn,
  axe,
}) => {
  const { ada, ben, project, url } = await makeBoard(product, false)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, ada)
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Open 59' })).toBeInViewport()
  const finger = await fingerOn(page)
  const from = await middle(page, 'Rope')
  await finger('touchStart', from)
  await expect(page.locator('[data-carrying]')).toBeVisible()
  // Near the edge the board scrolls to the next column.
  await finger('touchMove', { x: 384, y: from.y })
  await expect(page.getByRole('heading', { name: /^Open/ })).not.toBeInViewport()
  await finger('touchMove', { x: 200, y: from.y - 60 })
  await finger('touchEnd')
  // A slow machine may be two columns further by then.
  await expect(page.getByText(/moved to (Doing|Done)/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Open 58' })).toHaveCount(1)

  // Folded columns and lanes stay as they are.
  await chooseLanes(page, 'Lanes by parent')
  await expect(page).toHaveURL(/lanes=1/)
  await expect(page.getByRole('link', { name: /Pier/ }).first()).toBeVisible()
  await page.getByRole('button', { name: /^Lane .* Pier/ }).click()
  await expect(page.getByRole('link', { name: 'Rope' })).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: /^Lane .* Pier/ })).toHaveAttribute('aria-expanded', 'false')
  await axe(page)
  await chooseLanes(page, 'No lanes')
  await expect(page).toHaveURL(/lanes=0/)

  // A drop on a person asks for the role.
  await sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select ${ben.idOrganization}, ${project.projectId}, id, ${ben.idUser}, ${project.roles.reviewer} from ticket
    where organization_id = ${ben.idOrganization} and project_id = ${project.projectId} and title = 'Lamp'`.execute(product.db)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('combobox', { name: 'Columns by' }).click()
  await page.getByRole('option', { name: 'Assignee' }).click()
  await expect(page.getByRole('heading', { name: 'Ben Ruiz 1' })).toBeVisible()
  const dialog = page.getByRole('dialog', { name: /Assign .* to Ben Ruiz/ })
  for (const isCanceled of [true, false]) {
    await carry(page, 'Crane', await middle(page, 'Lamp'))
    await page.mouse.up()
    await expect(dialog).toBeVisible()
    if (!isCanceled) break
    await page.keyboard.press('Escape')
    await expect(page.getByText('is back where it was')).toBeAttached()
    await expect(page.getByRole('link', { name: 'Crane' })).toBeFocused()
  }
  await dialog.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Reviewer' }).click()
  await dialog.getByRole('button', { name: 'ASSIGN' }).click()
  await expect(page.getByRole('heading', { name: 'Ben Ruiz 2' })).toBeVisible()
  await expect(page.getByText('moved to Ben Ruiz')).toBeVisible()
  await page.getByTitle('Fold Nobody', { exact: true }).click()
  await expect(page.getByRole('link', { name: 'Pier' })).toBeHidden()
})

test('a card is moved far out of sight by keys and by touch; a refused drop says why', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { ada, project, url } = await makeBoard(product, true)
  await sql`
    with made as (
      insert into state (organization_id, project_id, name, phase, position)
      select ${ada.idOrganization}, ${project.projectId}, 'Step ' || i, 2, 10 + i from generate_series(1, 5) i returning id, name)
    insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    select ${ada.idOrganization}, ${project.projectId}, ${project.states.open}, id from made where name = 'Step 5'`.execute(product.db)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, ada)
  await page.goto(url)
  const said = page.locator('[aria-live=assertive]').last()
  const crane = page.getByRole('link', { name: 'Crane' })
  const last = page.getByRole('heading', { name: /^Step 5/ })

  // By keys: the columns between refuse.
  await crane.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Not allowed from Open').first()).toBeAttached()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(said).toContainText('Step 5, position 1 of 1')
  await expect(last).toBeInViewport()
  await expect(crane).toBeFocused()
  const tops = await page.getByRole('heading', { name: /^Step/ }).evaluateAll(all => all.map(one => one.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
  await page.keyboard.press('Escape')
  await expect(said).toContainText('is back where it was')
  await expect(crane).toBeInViewport()

  // By touch: dropped outside the board, and on a state that the workflow does not allow.
  const finger = await fingerOn(page)
  const lift = async () => {
    const from = await middle(page, 'Rope')
    await finger('touchStart', from)
    await expect(page.locator('[data-carrying]')).toBeVisible()
    return from
  }
  const over = (words: string) =>
    expect(async () => {
      await finger('touchMove', { x: 200, y: 400 })
      await expect(page.locator('small', { hasText: words })).toBeVisible({ timeout: 200 })
    }).toPass()
  const selected = page.getByRole('region', { name: 'Selected tickets' })
  await lift()
  await finger('touchMove', { x: 200, y: 30 })
  await expect(page.getByText('Not here')).toBeVisible()
  await finger('touchEnd')
  await expect(said).toContainText('is back where it was')
  await expect(page.locator('[data-carrying]')).toHaveCount(0)
  await expect(selected).toHaveCount(0)
  const { y } = await lift()
  await finger('touchMove', { x: 384, y })
  await expect(page.getByRole('heading', { name: /^Done/ })).toBeInViewport({ ratio: 1 })
  await over('Not allowed from Open')
  await finger('touchEnd')
  await expect(page.locator('[data-toast]')).toContainText('is back where it was')
  await expect(page.locator('[data-toast]')).toContainText('Not allowed from Open')
  await expect(selected).toHaveCount(0)

  // To the far column.
  await page.reload()
  await lift()
  await finger('touchMove', { x: 384, y })
  await expect(last).toBeInViewport({ ratio: 1 })
  await over('Step 5')
  await finger('touchEnd')
  await expect(page.getByText('moved to Step 5')).toBeVisible()
})
