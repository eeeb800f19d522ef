import { messages } from '@tessera/contract/messages'
import { expect, test, withMotion } from '../../fixtures.ts'
import { openLoader } from './open-loader.ts'

test.describe('with motion', () => {
  test.use(withMotion)

  test('the menu of a ticket, reopened while it fades out, starts at its first item; a link that cannot be copied is reported', {
    tag: '@long',
  }, async ({ page, titanium }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openLoader(page, titanium)
    const more = page.getByRole('main').getByRole('button', { name: 'More' })
    await more.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Copy link' })).toBeFocused()
    for (const key of ['ArrowDown', 'ArrowDown', 'Escape', 'Enter', 'Enter']) await page.keyboard.press(key)
    await expect(page.getByText('Link copied')).toBeVisible()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())

    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    await more.click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await expect(page.getByText('The link could not be copied: copy it from the address bar')).toBeVisible()
  })
})

test('a field of several lines is as high as its text, of 3 to 24 lines', { tag: '@long' }, async ({ page, titanium }) => {
  await openLoader(page, titanium)
  const field = page.getByRole('textbox', { name: 'Acceptance' })
  const lineCount = () =>
    field.evaluate(element => {
      const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(element)
      return (element.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)) / Number.parseFloat(lineHeight)
    })
  for (const [written, shown] of [
    [1, 3],
    [10, 10],
    [40, 24],
    [2, 3],
  ] as const) {
    await field.fill(Array(written).fill('A line').join('\n'))
    await expect.poll(lineCount).toBe(shown)
  }
})

test('editing a comment puts the caret at its end', { tag: '@long' }, async ({ page, titanium }) => {
  await openLoader(page, titanium)
  await page.getByLabel('Add comment').fill('First words')
  await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).click()
  await page.getByRole('button', { name: 'Edit comment' }).click()
  await expect(page.getByLabel('Edit comment').and(page.locator('textarea'))).toBeFocused()
  await page.keyboard.type(', last words')
  await expect(page.getByLabel('Edit comment').and(page.locator('textarea'))).toHaveValue('First words, last words')
})

test('text fields contrast 3 to 1 with their surroundings, in light and dark', { tag: '@long' }, async ({ page, titanium }) => {
  await openLoader(page, titanium)
  const ratio = (element: Element) => {
    const light = (color: string) => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')
      if (!canvas) throw new Error('no canvas')
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(part =>
        part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const ground = (of: Element | null): string => {
      const color = of ? getComputedStyle(of).backgroundColor : '#fff'
      return color === 'rgba(0, 0, 0, 0)' && of ? ground(of.parentElement) : color
    }
    const contrast = (one: string, other: string) => {
      const [dark = 0, bright = 0] = [light(one), light(other)].sort((a, b) => a - b)
      return (bright + 0.05) / (dark + 0.05)
    }
    const edgeOf = (of: Element): Element =>
      of.parentElement && getComputedStyle(of).borderTopWidth === '0px' ? edgeOf(of.parentElement) : of
    const outline = edgeOf(element)
    return {
      outline: contrast(getComputedStyle(outline).borderTopColor, ground(outline.parentElement)),
      placeholder: contrast(getComputedStyle(element, '::placeholder').color, ground(element)),
    }
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto(page.url())
    const comment = page.getByLabel('Add comment')
    await expect(comment).toBeVisible()
    for (const element of [page.getByLabel('Description', { exact: true }), comment, page.getByPlaceholder('Filter description')]) {
      // The fields of a ticket and the filters of a list are quiet until they are wanted.
      await element.focus()
      await expect.poll(async () => (await element.evaluate(ratio)).outline).toBeGreaterThanOrEqual(3)
      const { placeholder } = await element.evaluate(ratio)
      expect(placeholder).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('a ticket in the dark scheme is printed dark on white, without buttons', { tag: '@long' }, async ({ page, titanium }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await openLoader(page, titanium)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).not.toHaveCSS('color', 'rgb(22, 24, 29)')
  await expect(page.getByRole('region', { name: 'Child Tickets' }).getByRole('button', { name: 'Load View' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(heading).toHaveCSS('color', 'rgb(22, 24, 29)')
  await expect(page.getByRole('region', { name: 'Links' })).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByLabel('Add comment')).toBeHidden()
  const pressed = page.getByRole('main').getByRole('button', { name: /^(SAVE|ADD TICKET|ADD LINK|Load View|Edit assignees|WRITE)$/ })
  await expect(pressed).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^State: / })).toBeVisible()
  // The page behind a dialog is not darkened.
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(page.locator('[data-layer]')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
})

test('a list is printed with whole titles and without its filters', { tag: '@long' }, async ({ page, titanium, product }) => {
  const { projectId, tickets, person } = await titanium()
  const title = 'A title that goes on and on '.repeat(12).trim()
  await product.db
    .updateTable('ticket')
    .set({ title })
    .where('organization_id', '=', person.idOrganization)
    .where('id', '=', tickets.flicker)
    .execute()
  await page.goto(`/view-project/${projectId}`)
  const cell = page.getByRole('gridcell', { name: title })
  await expect(cell).toBeVisible()
  for (const width of [1440, 718]) {
    await page.setViewportSize({ width, height: 1000 })
    await page.emulateMedia({ media: 'print' })
    const isWhole = () => cell.evaluate(node => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight)
    await expect.poll(isWhole, `${width} pixels`).toBe(true)
    await expect(page.getByPlaceholder('Filter description')).toBeHidden()
    await expect(page.locator('[data-select]').first()).toBeHidden()
    // It is repeated on each page, and what marks a state or a label is printed. Otherwise the head would cover a row. At the width of a phone there is no head.
    if (width === 1440) {
      await expect(page.locator('thead')).toHaveCSS('position', 'static')
      await expect(page.locator('thead')).toHaveCSS('display', 'table-header-group')
    }
    await expect(page.locator('.phase-mark').first()).toHaveCSS('print-color-adjust', 'exact')
    await page.emulateMedia({ media: null })
  }
})

test('right-to-left text is aligned right in a field and in a comment', { tag: '@long' }, async ({ page, titanium }) => {
  await openLoader(page, titanium)
  const words = 'مرحبا، هذا تعليق!'
  await page.getByLabel('Add comment').fill(words)
  await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).click()
  const comment = page.getByRole('region', { name: 'Comments' }).getByRole('listitem').getByText(words)
  const [start, end] = await comment.evaluate(node => {
    const text = document.createRange()
    text.selectNodeContents(node)
    const [box, drawn] = [node.getBoundingClientRect(), text.getBoundingClientRect()]
    return [drawn.left - box.left, box.right - drawn.right]
  })
  expect(start).toBeGreaterThan(20)
  expect(end).toBeLessThan(2)
  expect(await page.getByLabel('Description', { exact: true }).evaluate(node => getComputedStyle(node).unicodeBidi)).toBe('plaintext')
})

test('the fields of a ticket look like text until hovered, have borders in forced colors, and leave no gap above a lone check box', {
  tag: '@long',
}, async ({ page, titanium }) => {
  await openLoader(page, titanium)
  const description = page.getByLabel('Description', { exact: true })
  const edge = () => description.evaluate(input => getComputedStyle(input.parentElement as Element).borderTopColor)
  const quiet = 'rgba(0, 0, 0, 0)'
  await expect.poll(edge).toBe(quiet)
  await description.hover()
  await expect.poll(edge).not.toBe(quiet)
  await page.mouse.move(0, 0)
  await expect.poll(edge).toBe(quiet)
  await page.emulateMedia({ forcedColors: 'active' })
  await expect.poll(edge).not.toBe(quiet)
  // So is which tab is selected.
  const line = (isSelected: boolean) =>
    page
      .getByRole('tab', { selected: isSelected })
      .first()
      .evaluate(tab => getComputedStyle(tab).borderBottomColor)
  expect(await line(true)).not.toBe(await line(false))
  await page.emulateMedia({ forcedColors: null })

  // On a phone each field has a line of its own.
  await page.setViewportSize({ width: 390, height: 844 })
  const { top, before } = await page.getByRole('checkbox', { name: 'Regression' }).evaluate(box => {
    const field = box.closest('label')?.parentElement?.parentElement
    return { top: box.getBoundingClientRect().top, before: field?.previousElementSibling?.getBoundingClientRect().bottom ?? 0 }
  })
  expect(top - before).toBeLessThan(24)
})

test('offline a failed save is reported once, and one bar says that typed text is kept', async ({
  page,
  context,
  titanium,
  complaints,
}) => {
  const { shortCode, tickets } = await openLoader(page, titanium)
  const description = page.getByLabel('Description', { exact: true })
  const save = page.getByRole('button', { name: /^SAVE/ }).first()
  await description.fill('Typed at the station')
  await save.click()
  await expect(page.getByText(messages.ticketSaved(shortCode, tickets.loader))).toBeVisible()

  await context.setOffline(true)
  const bar = page.getByText('You are offline. What you type is kept.')
  // The bar moves the page down; a click at that moment may miss SAVE.
  await expect(bar).toBeVisible()
  await description.fill('Typed on the train')
  await save.click()
  await expect(page.getByText(messages.ticketSaveFailed(shortCode, tickets.loader))).toHaveCount(1)
  await page.getByLabel('Add comment').fill('Kept too')
  await page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText(messages.commentFailed)).toHaveCount(1)
  await expect(page.getByText('cannot be reached')).toHaveCount(0)
  await expect(bar).toHaveCount(1)
  await context.setOffline(false)
  await expect(bar).toHaveCount(0)
  await expect(description).toHaveValue('Typed on the train')
  await save.click()
  await expect(save).toHaveText('SAVE')
  await expect(save).toBeDisabled()
  expect(complaints.splice(0).every(complaint => complaint.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true)
})

test('a right-to-left title shows its beginning in the heading and in the list', { tag: '@long' }, async ({ page, titanium, product }) => {
  const { projectId, tickets, person } = await titanium()
  const title = 'هذه تذكرة طويلة جدا عن خريطة المدينة والدراجات '.repeat(8).trim()
  await product.db
    .updateTable('ticket')
    .set({ title })
    .where('organization_id', '=', person.idOrganization)
    .where('id', '=', tickets.flicker)
    .execute()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/view-project/${projectId}`)
    const cell = page.locator(`tr[data-key="${tickets.flicker}"] td.title`)
    await expect(cell).toBeVisible()
    const beginning = await cell.evaluate(node => {
      const range = document.createRange()
      range.setStart(node.firstChild as Text, 0)
      range.setEnd(node.firstChild as Text, 1)
      return node.getBoundingClientRect().right - range.getBoundingClientRect().right
    })
    expect(beginning, `${width} pixels`).toBeGreaterThanOrEqual(0)
    expect(beginning, `${width} pixels`).toBeLessThan(20)
  }
  await page.goto(`/view-ticket/${tickets.flicker}`)
  await expect(page.getByRole('heading', { level: 1 }).getByText(title)).toHaveCSS('unicode-bidi', 'plaintext')
})

test('forced colors show the selected ticket and the current page', { tag: '@long' }, async ({ page, titanium }) => {
  const { projectId } = await titanium()
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`/view-project/${projectId}`)
  await expect(page.locator('tr[data-key]').first()).toBeVisible()
  for (const key of ['j', 'j', 'x']) await page.keyboard.press(key)
  const box = page.getByRole('checkbox', { name: 'Select', exact: true, checked: true })
  await expect(box).toHaveCSS('appearance', 'auto')
  expect(await box.evaluate(node => getComputedStyle(node, '::before').content)).toBe('none')
  const here = page.getByRole('link', { name: 'Project overview' })
  await expect(here).toHaveCSS('border-top-width', '2px')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Home' })).toHaveCSS('border-top-width', '0px')
})
