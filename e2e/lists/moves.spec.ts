import { expect, test, withMotion } from '../fixtures.ts'

test.use(withMotion)

test('tickets are moved by dragging with mouse and touch, several at once in the dialog, each with UNDO', async ({
  page,
  context,
  product,
  titanium,
  axe,
}) => {
  const { projectId, tickets, shortCode, person } = await titanium()
  await page.goto(`/view-project/${projectId}`)
  const row = (id: number) => page.getByRole('row').filter({ has: page.getByRole('link', { name: `${shortCode}-${id}`, exact: true }) })
  const middleOf = async (id: number) => {
    const box = await row(id).boundingBox()
    return { x: (box?.x ?? 0) + 500, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  }
  const ghost = page.locator('body > div:has(> small)')
  const toast = (text: string) => page.locator('[data-toast]').filter({ hasText: text })
  const { flicker, kernel, rotation, loader } = tickets

  const drag = async (id: number, parent: number, words: string) => {
    const [from, to] = [await middleOf(id), await middleOf(parent)]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 3)
    await page.mouse.move(to.x, to.y, { steps: 4 })
    await expect(async () => {
      await page.mouse.move(to.x, to.y + 1)
      await page.mouse.move(to.x, to.y)
      await expect(ghost).toHaveText(new RegExp(`^${words}.*Under ${shortCode}-${parent}$`), { timeout: 200 })
    }).toPass()
    // Safari goes on selecting text otherwise.
    await expect(page.locator('body')).toHaveCSS('user-select', 'none')
    await page.mouse.up()
    await expect(page.locator('body')).toHaveCSS('user-select', 'auto')
  }
  const parents = async () => {
    const found = await product.db
      .selectFrom('ticket')
      .select(['id', 'parent_id'])
      .where('organization_id', '=', person.idOrganization)
      .where('id', 'in', [flicker, loader])
      .execute()
    return Object.fromEntries(found.map(({ id, parent_id }) => [id, parent_id]))
  }

  await drag(flicker, kernel, `${shortCode}-${flicker} List view`)
  await expect(toast(`Ticket ${shortCode}-${flicker} moved under ${shortCode}-${kernel}`)).toBeVisible()
  await expect(row(flicker)).toHaveCount(0)
  await expect(page).toHaveURL(`/view-project/${projectId}`)
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(toast(`Ticket ${shortCode}-${flicker} moved back`)).toBeVisible()
  await expect(row(flicker)).toHaveAttribute('aria-level', '1')

  // A finger rests on the row first; a child goes out of its parent at the head of the list.
  await row(kernel)
    .getByRole('button', { name: /^Expand/ })
    .click()
  await expect(row(loader)).toHaveAttribute('aria-level', '2')
  const client = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  await touch('touchStart', await middleOf(loader))
  await expect(ghost).toBeVisible()
  await expect(ghost).toContainText('Not here')
  const head = await page.getByRole('columnheader', { name: 'ID' }).boundingBox()
  await touch('touchMove', { x: (head?.x ?? 0) + 10, y: (head?.y ?? 0) + 10 })
  await expect(ghost).toContainText('To the top')
  await touch('touchEnd')
  await expect(toast(`Ticket ${shortCode}-${loader} moved to the top`)).toBeVisible()
  await expect(row(loader)).toHaveCount(1)
  await expect(row(loader)).toHaveAttribute('aria-level', '1')

  // What is selected goes along.
  await row(flicker).getByRole('checkbox').click()
  await row(loader).getByRole('checkbox').click()
  await drag(flicker, rotation, '2 tickets')
  await expect(toast(`2 tickets moved under ${shortCode}-${rotation}`)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Selected tickets' })).toHaveCount(0)
  expect(await parents()).toEqual({ [flicker]: rotation, [loader]: rotation })
  await toast('2 tickets moved under').getByRole('button', { name: 'UNDO' }).click()
  await expect(toast('2 tickets moved back')).toBeVisible()
  expect(await parents()).toEqual({ [flicker]: null, [loader]: null })

  // By keyboard: the ticket, and one that stands beside it.
  await page.goto(`/view-ticket/${loader}`)
  await page.getByRole('button', { name: 'More' }).press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeFocused()
  await page.keyboard.type('Mov')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Move / })
  await expect(dialog.getByLabel('New parent')).toBeFocused()
  await page.keyboard.type('survives rotation')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  // Leaving the field before the tickets for the last letter have come would choose none.
  await expect(dialog.getByLabel('New parent')).toHaveValue(new RegExp(`${shortCode}-${rotation}`))
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('Also move')).toBeFocused()
  await page.keyboard.type('flickers')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await axe(page)
  await dialog.getByRole('button', { name: 'MOVE', exact: true }).press('Enter')
  await expect(toast(`2 tickets moved under ${shortCode}-${rotation}`)).toBeVisible()
  expect(await parents()).toEqual({ [flicker]: rotation, [loader]: rotation })
  await toast('2 tickets moved under').getByRole('button', { name: 'UNDO' }).click()
  await expect(toast('2 tickets moved back')).toBeVisible()
  expect(await parents()).toEqual({ [flicker]: null, [loader]: null })

  // A child names its parent and has the first type like any other.
  await page.goto(`/view-ticket/${kernel}`)
  await page.getByRole('region', { name: 'Child Tickets' }).getByRole('button', { name: 'ADD TICKET' }).click()
  const child = page.getByRole('dialog', { name: 'New Ticket' })
  await expect(child).toContainText(`${shortCode}-${kernel} Kernel: replace`)
  await expect(child.getByRole('combobox', { name: 'Ticket type' })).toHaveText('Bug')
})
