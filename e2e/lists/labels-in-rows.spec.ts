import { expect, test } from '../fixtures.ts'

test('each of three labels can be read in the list, also beside a short title; where not all fit, the first ones are shown', {
  tag: '@long',
}, async ({ page, titanium, product }) => {
  const { projectId, tickets, person } = await titanium()
  const owned = { organization_id: person.idOrganization }
  const addLabels = async (names: string[]) => {
    const labels = await product.db
      .insertInto('label')
      .values(names.map(name => ({ ...owned, project_id: projectId, name, color: '#607d8b' })))
      .returning('id')
      .execute()
    await product.db
      .insertInto('ticket_label')
      .values(labels.map(({ id }) => ({ ...owned, ticket_id: tickets.flicker, label_id: id })))
      .execute()
  }
  const chips = page.locator(`tr[data-key="${tickets.flicker}"] .labels`)
  /** The widths of those that show; the others are for screen readers. */
  const shownWidths = () =>
    chips.evaluate(node => [...node.children].map(chip => chip.getBoundingClientRect().width).filter(width => width > 14))
  await addLabels(['A long label with many words', 'Second', 'Third'])
  for (const [width, shown] of [
    [1440, 3],
    [850, 1],
    [390, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/view-project/${projectId}`)
    await expect(chips).toBeVisible()
    await expect(chips).toHaveText(/Third/)
    const inside = await chips.evaluate(node => {
      const place = node.getBoundingClientRect()
      return [...node.children]
        .map(chip => chip.getBoundingClientRect())
        .filter(box => box.bottom <= place.bottom && box.right <= place.right + 1).length
    })
    expect(inside, `${width} pixels`).toBe(3)
    const widths = await shownWidths()
    expect(widths, `${width} pixels`).toHaveLength(shown)
    expect(Math.min(...widths), `${width} pixels`).toBeGreaterThan(40)
  }
  await product.db.updateTable('ticket').set({ title: 'A' }).where('id', '=', tickets.flicker).execute()
  await page.reload()
  const title = page.locator(`tr[data-key="${tickets.flicker}"] .words`)
  await expect(title).toHaveText('A')
  expect((await title.evaluate(node => node.getBoundingClientRect().width)) < 20).toBe(true)
  await addLabels(['Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth', 'Eleventh', 'Twelfth'])
  for (const [width, shown] of [
    [1440, 3],
    [390, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/view-project/${projectId}`)
    await expect(chips).toHaveText(/Twelfth/)
    expect(await shownWidths()).toHaveLength(shown)
  }
})
