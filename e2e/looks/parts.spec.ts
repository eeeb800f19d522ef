import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { expect, test, withMotion } from '../fixtures.ts'

test.use(withMotion)

// Runs axe twenty-one times. One after the other: each worker would start a Vite of its own.
test.describe.configure({ mode: 'default', timeout: 120_000 })

let address = ''
let stop = async () => {}
test.beforeAll(async () => {
  const root = fileURLToPath(new URL('../../web/', import.meta.url))
  const server = await createServer({ root, configFile: `${root}vite.config.ts`, logLevel: 'error', server: { port: 0 } })
  await server.listen()
  address = `http://127.0.0.1:${(server.httpServer?.address() as AddressInfo | undefined)?.port}/parts/`
  stop = () => server.close()
})
test.afterAll(() => stop())

test('every component in every state, light and dark, wide and narrow, has no accessibility finding', { tag: '@long' }, async ({
  page,
  shoot,
}) => {
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Above the page' })).toBeVisible()
  await shoot(page, 'parts', { all: true })
  for (const [opener, name] of [
    [/^MENU/, 'menu'],
    ['FORM', 'form'],
    ['QUESTION', 'question'],
    ['DRAWER', 'drawer'],
  ] as const) {
    await page.getByRole('button', { name: opener }).click()
    await shoot(page, `parts-${name}`, { all: true })
    await page.keyboard.press('Escape')
    await expect(page.locator('[data-layer]')).toHaveCount(0)
  }
  await page.getByRole('combobox', { name: 'State' }).click()
  await shoot(page, 'parts-select', { all: true })
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'People' }).click()
  await shoot(page, 'parts-people', { all: true })
})

test('a menu: arrows, letters, Home and End; Escape and Tab close it and return the focus', { tag: '@long' }, async ({ page }) => {
  await page.goto(address)
  const opener = page.getByRole('button', { name: /^MENU/ })
  const focused = page.locator('[role=menu] :focus')
  await opener.press('Enter')
  await expect(focused).toContainText('Cherry')
  await page.keyboard.press('ArrowUp')
  // Disabled choices are skipped.
  await expect(focused).toContainText('Apricot')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  await expect(focused).toContainText('Imbe')
  await page.keyboard.type('el')
  await expect(focused).toContainText('Elderberry')
  await page.keyboard.press('End')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(opener).toBeFocused()
  await opener.press('Enter')
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await opener.press('Enter')
  await page.keyboard.type('fi')
  await page.keyboard.press('Enter')
  await expect(opener).toHaveText('MENU: Fig')
  await expect(opener).toBeFocused()
})

test('a dialog traps the focus, asks before typed text is lost, and returns the focus', { tag: '@long' }, async ({ page }) => {
  await page.goto(address)
  const opener = page.getByRole('button', { name: 'FORM', exact: true })
  await opener.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'A form' })
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(dialog.getByRole('button', { name: 'SAVE' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  // The page behind is out of reach.
  await expect(page.locator('#root')).toHaveJSProperty('inert', true)
  await page.keyboard.type('Something')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toContainText('Discard what you typed?')
  await page.keyboard.press('Escape')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'DISCARD' }).click()
  await expect(opener).toBeFocused()
  expect(await page.locator('#root').evaluate((root: HTMLElement) => root.inert)).toBe(false)
})

test('Escape closes an open list in a dialog and leaves the dialog open', { tag: '@long' }, async ({ page }) => {
  await page.goto(address)
  await page.getByRole('button', { name: 'FORM', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'A form' })
  const select = dialog.getByRole('combobox', { name: 'Fruit', exact: true })
  await select.press('ArrowDown')
  await expect(page.locator('[role=listbox] :focus')).toHaveText('Cherry')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(select).toBeFocused()
  await select.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(select).toHaveText('Damson')

  const more = dialog.getByRole('combobox', { name: 'More fruit' })
  await more.fill('ap')
  await expect(page.getByRole('option')).toHaveText(['Apple', 'Apricot', 'Grape'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Apricot')).toBeVisible()
  await page.getByRole('option', { name: 'Fig' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await more.press('Backspace')
  await expect(dialog.getByRole('button', { name: 'Remove Fig' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Remove Apricot' }).click()
  await expect(dialog.getByText('Apricot')).toHaveCount(0)
})
