import { trashTicket } from '@tessera/contract/tickets/moving'
import { callBeside } from '../../call.ts'
import { expect, listenAt, test } from '../../fixtures.ts'
import { carry, makeBoard, middle } from './boards.ts'

test('a card that goes to the trash while it is carried is put down, and the page says so', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { ada, rope, lamp, crane, url } = await makeBoard(product, false)
  await signIn(page, ada)
  await listenAt(page, url)
  const carrying = page.locator('[data-carrying], [data-dragging]')
  const gone = (id: number) => page.locator('[data-toast]').filter({ hasText: new RegExp(`-${id} is no longer on the board`) })

  await carry(page, 'Rope', await middle(page, 'Lamp'))
  await expect(carrying.first()).toBeVisible()
  await callBeside(page, trashTicket, { idTicket: rope })
  await expect(gone(rope)).toBeVisible()
  await expect(carrying).toHaveCount(0)
  // The release opens nothing.
  await page.mouse.up()
  await expect(page).toHaveURL(url)

  const finger = await page.context().newCDPSession(page)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [await middle(page, 'Lamp')] })
  await expect(carrying.first()).toBeVisible()
  await callBeside(page, trashTicket, { idTicket: lamp })
  await expect(gone(lamp)).toBeVisible()
  await expect(carrying).toHaveCount(0)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect(page.getByRole('region', { name: 'Selected tickets' })).toHaveCount(0)
  await expect(page).toHaveURL(url)

  await page.getByRole('link', { name: 'Crane' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await expect(carrying.first()).toBeVisible()
  await callBeside(page, trashTicket, { idTicket: crane })
  await expect(gone(crane)).toBeVisible()
  await expect(carrying).toHaveCount(0)
  // The key was meant to drop it, not to lift the card that has the focus now.
  await expect(page.locator('[data-card]:focus')).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(carrying).toHaveCount(0)
})
