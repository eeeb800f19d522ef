import type { Page } from '@playwright/test'
import { expect, prepareRoutes, test } from '../fixtures.ts'
import { drag, makeStudio, names } from './studio.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 180_000 })

/** Presses keys as fast as the browser accepts them, without waiting for the effect of the previous one. */
async function hurry(page: Page, keys: string[]) {
  const browser = await page.context().newCDPSession(page)
  await Promise.all(
    keys.flatMap(name => {
      const isSpace = name === 'Space'
      const key = { key: isSpace ? ' ' : name, code: name, windowsVirtualKeyCode: keyCodes[name] ?? 0 }
      return [
        browser.send('Input.dispatchKeyEvent', { type: isSpace ? 'keyDown' : 'rawKeyDown', ...key, ...(isSpace && { text: ' ' }) }),
        browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
      ]
    }),
  )
  await browser.detach()
}

const keyCodes: Record<string, number> = { Space: 32, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }

function frames(page: Page) {
  return page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

test('puts rows in order by mouse and by keyboard [2.86] [2.89] [4.21] [9.14]', async ({ page, product, signIn }) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  const states = page.getByRole('region', { name: 'Ticket States' })
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])
  const handle = states.getByRole('button', { name: 'Move Open' })
  const box = await handle.boundingBox()
  if (!box) throw new Error('no handle')
  let orders = 0
  page.on('requestfinished', request => {
    if (request.url().includes('-order')) orders += 1
  })
  await page.mouse.move(box.x + 8, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + 8, box.y + 12)
  await expect(states.locator('[data-dragging]')).toHaveCount(0)
  await page.mouse.up()
  await page.keyboard.press('Escape')
  expect(orders).toBe(0)
  // A mouse drags a row by its name as well, which does not open it.
  await drag(page, states.getByRole('button', { name: 'Open', exact: true }), states.getByRole('row', { name: 'Done' }), 0.9)
  await expect.poll(() => names(states)).toEqual(['Doing', 'Done', 'Open'])
  await expect.poll(() => orders).toBe(1)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const fields = page.getByRole('region', { name: 'Ticket Fields' })
  await fields.getByRole('button', { name: 'Move Note' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect.poll(() => names(fields)).toEqual(['Size', 'Note'])
  const templates = page.getByRole('region', { name: 'Ticket Templates' })
  await templates.getByRole('button', { name: 'Move Task' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect.poll(() => names(templates)).toEqual(['Task', 'Bug'])
  await expect.poll(() => orders).toBe(3)
  // A click offers the same, because not everybody can drag.
  await states.getByRole('button', { name: 'Move Open' }).click()
  await page.getByRole('menuitem', { name: 'Move to the top' }).click()
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])
  await expect.poll(() => orders).toBe(4)
  await page.reload()
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])
  await expect.poll(() => names(fields)).toEqual(['Size', 'Note'])
  await expect.poll(() => names(templates)).toEqual(['Task', 'Bug'])
})

test('an order that cannot be stored is shown as stored again, without a message of its own [8.38]', async ({ page, product, signIn }) => {
  await prepareRoutes(page)
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  await page.route(/set-ticket-state-order/, route => route.fulfill({ status: 500, body: '{}' }))
  const states = page.getByRole('region', { name: 'Ticket States' })
  await states.getByRole('button', { name: 'Move Open' }).focus()
  const failed = page.waitForResponse(/set-ticket-state-order/)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await failed
  await expect(states.getByText('Open is back where it was.')).toBeAttached()
  expect(await names(states)).toEqual(['Open', 'Doing', 'Done'])
  await expect(page.locator('[data-toast]')).toHaveCount(0)
})

test('moves fields between the lists of a template by keyboard alone, and Escape puts a field back', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  await page.getByRole('button', { name: 'NEW TEMPLATE' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const form = dialog.getByRole('list', { name: 'Form Fields' })
  const available = dialog.getByRole('list', { name: 'Available Fields' })
  await available.getByRole('button', { name: 'Move Size' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expect(available.getByRole('listitem')).toHaveText(['Note', 'Size'])
  await available.getByRole('button', { name: 'Move Size' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Space')
  await expect(form.getByRole('listitem')).toHaveText(['Size'])
  await expect(available.getByRole('listitem')).toHaveText(['Note'])
  await expect(dialog.getByText('Dropped Size, position 1 of 1 in Form Fields.')).toBeAttached()
  await expect(form.getByRole('button', { name: 'Move Size', exact: true })).toBeFocused()
  // Tab drops it too.
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await expect(form.getByRole('listitem')).toHaveCount(0)
  await expect(available.getByRole('button', { name: 'Move Size', exact: true })).toHaveAttribute('aria-pressed', 'false')
  await expect(available.getByRole('listitem')).toHaveText(['Size', 'Note'])
})

test('keys pressed at full speed all count: between lists and within a stored list', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  const pick = (...arrows: string[]) =>
    hurry(
      page,
      arrows.flatMap(arrow => ['Space', arrow, 'Space']),
    )
  const states = page.getByRole('region', { name: 'Ticket States' })
  const orders: unknown[] = []
  // Waits for the answer: a reload aborts requests in flight.
  page.on('requestfinished', request => {
    if (request.url().includes('-order')) orders.push(request.postDataJSON().SortOrder)
  })
  await states.getByRole('button', { name: 'Move Open' }).focus()
  for (let turn = 0; turn < 5; turn++) await pick('ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp')
  await pick('ArrowDown')
  await expect.poll(() => names(states)).toEqual(['Doing', 'Open', 'Done'])
  await expect(states.getByRole('button', { name: 'Move Open' })).toBeFocused()
  await expect.poll(() => orders.length).toBe(21)
  expect(orders[20]).toEqual(orders[0])
  await page.reload()
  await expect.poll(() => names(states)).toEqual(['Doing', 'Open', 'Done'])

  await page.getByRole('button', { name: 'NEW TEMPLATE' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const form = dialog.getByRole('list', { name: 'Form Fields' })
  const available = dialog.getByRole('list', { name: 'Available Fields' })
  await dialog.getByRole('button', { name: 'Put Note into the form' }).click()
  await dialog.getByRole('button', { name: 'Move Size', exact: true }).focus()
  for (let turn = 0; turn < 20; turn++) await pick('ArrowLeft', 'ArrowDown', 'ArrowUp', 'ArrowRight')
  await expect(available.getByRole('listitem')).toHaveText(['Size'])
  await expect(form.getByRole('listitem')).toHaveText(['Note'])
  await expect(available.getByRole('button', { name: 'Move Size', exact: true })).toBeFocused()
  await pick('ArrowLeft')
  await expect(form.getByRole('listitem')).toHaveText(['Size', 'Note'])
  // In one go, and back where it came from.
  await hurry(page, ['Space', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowRight', 'Escape'])
  await expect(form.getByRole('listitem')).toHaveText(['Size', 'Note'])
  await expect(form.getByRole('button', { name: 'Move Size', exact: true })).toBeFocused()
})

test('fast dragging between the lists loses no field and does not crash the page', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  await page.getByRole('button', { name: 'NEW TEMPLATE' }).click()
  const dialog = page.getByRole('dialog')
  const form = dialog.getByRole('list', { name: 'Form Fields' })
  const available = dialog.getByRole('list', { name: 'Available Fields' })
  await expect(available.getByRole('listitem')).toHaveCount(2)
  const [left, right] = [await form.boundingBox(), await available.boundingBox()]
  if (!left || !right) throw new Error('no lists')
  const middle = (box: { x: number; width: number }) => box.x + box.width / 2
  const browser = await page.context().newCDPSession(page)
  for (let turn = 0; turn < 12; turn++) {
    const from = await dialog.getByRole('button', { name: turn % 3 ? 'Move Size' : 'Move Note', exact: true }).boundingBox()
    if (!from) throw new Error('no handle')
    const start = { x: from.x + 8, y: from.y + 8 }
    const way = [start, { ...start, y: start.y + 8 }]
    for (let step = 0; step < 8 + (turn % 2); step++)
      way.push({ x: middle((step + turn) % 2 ? left : right), y: left.y + 10 + ((step * 17 + turn * 5) % 90) })
    const end = way[way.length - 1] ?? start
    const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', at: { x: number; y: number }) =>
      browser.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', buttons: 1, clickCount: 1 })
    await browser.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...start })
    // Half of the rounds leave the page no time between the moves, the others one frame.
    const moves = [send('mousePressed', start)]
    for (const at of way.slice(1)) {
      moves.push(send('mouseMoved', at))
      if (turn % 4 > 1) await frames(page)
    }
    await Promise.all([...moves, send('mouseReleased', end)])
    await expect(dialog.locator('[data-dragging], [data-dnd-placeholder]')).toHaveCount(0)
    expect((await dialog.getByRole('listitem').allTextContents()).toSorted()).toEqual(['Note', 'Size'])
  }
  await drag(page, dialog.getByRole('button', { name: 'Move Size', exact: true }), form)
  await drag(page, dialog.getByRole('button', { name: 'Move Note', exact: true }), form, 0.9)
  await expect(form.getByRole('listitem')).toHaveText(['Size', 'Note'])
})
