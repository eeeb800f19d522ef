import { box, expect, test } from '../../fixtures.ts'
import { openLoader } from './open-loader.ts'

test('the tools of the child list do not overlap the tabs at any width', { tag: '@long' }, async ({ page, titanium }) => {
  await openLoader(page, titanium)
  const list = page.getByRole('region', { name: 'Child Tickets' })
  await expect(list.getByRole('button', { name: 'Load View' })).toBeVisible()
  for (const width of [600, 640, 720, 768, 860, 960, 1024, 1152, 1235, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    // Measured at one moment: the list is rendered again while the page becomes wider.
    const covered = () =>
      page.evaluate(() => {
        const taken = document.querySelector('[role=tablist][aria-label="More about the ticket"]')?.getBoundingClientRect()
        const list = document.querySelector('section[aria-label="Child Tickets"]')
        if (!taken || !list) return ['The list is not there.']
        return [...list.querySelectorAll('button, label')].flatMap(tool => {
          const place = tool.getBoundingClientRect()
          const isCovered = place.left < taken.right && taken.left < place.right && place.top < taken.bottom && taken.top < place.bottom
          return isCovered && place.width > 0 ? [tool.textContent] : []
        })
      })
    await expect.poll(covered, `${width} pixels`).toEqual([])
  }
})

test('a person’s role is not broken in the middle at any width', { tag: '@long' }, async ({ page, titanium }) => {
  await openLoader(page, titanium)
  const person = page.locator('dd').getByText('Dana Kim (Responsible)')
  await expect(person).toBeVisible()
  for (const width of [390, 600, 768, 960, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const linesOfRole = () =>
      person.evaluate(({ firstChild }) => {
        const role = document.createRange()
        role.setStart(firstChild as Text, 'Dana Kim '.length)
        role.setEnd(firstChild as Text, 'Dana Kim (Responsible)'.length)
        return role.getClientRects().length
      })
    await expect.poll(linesOfRole, `${width} pixels`).toBe(1)
  }
})

test('the edges of the focused title stay within the card at any width', { tag: '@long' }, async ({ page, titanium }) => {
  await openLoader(page, titanium)
  const title = page.getByLabel('Description', { exact: true })
  const card = page.locator('dl', { has: title })
  await title.focus()
  for (const width of [320, 390, 600, 960, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const isInside = async () => {
      const [inner, outer] = [await box(title), await box(card)]
      return inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
    }
    await expect.poll(isInside, `${width} pixels`).toBe(true)
  }
})
