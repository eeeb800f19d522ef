import type { Locator } from '@playwright/test'
import { makeMember, makeOrganization, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { box, expect, lines, test } from '../fixtures.ts'
import { endless, makeEndless } from './endless.ts'

test('the longest names stay inside their fields on a ticket', { tag: '@long' }, async ({ page, product, signIn, shoot }) => {
  const { admin, ticket, project, projectId } = await makeEndless(product)
  await signIn(page, admin)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/view-ticket/${ticket}`)
    const state = page.getByRole('button', { name: `State: ${endless}` })
    const place = page.getByRole('definition').filter({ has: state })
    const [inner, outer] = [await box(state), await box(place)]
    expect(inner.x).toBeGreaterThanOrEqual(outer.x)
    expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width)
    expect(await state.evaluate(node => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
    // Its menu has a readable width.
    await state.click()
    const menu = page.getByRole('menu', { name: 'State' })
    const shown = await box(menu)
    expect(shown.width).toBeLessThanOrEqual(Math.min(480, width - 32))
    expect(await menu.evaluate(node => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
    await page.keyboard.press('Escape')
    // A label is read whole, on as many lines as it needs.
    const label = page.locator('label', { hasText: endless })
    expect(await label.evaluate(node => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
    expect((await lines(label)).length).toBeGreaterThan(width === 390 ? 2 : 1)
    // A dialog breaks a word that is wider than the window.
    await page.getByRole('button', { name: 'ADD TICKET', exact: true }).last().click()
    const parent = page.getByRole('dialog', { name: 'New Ticket' }).getByText('WWWW')
    expect(await parent.evaluate(node => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
    await page.keyboard.press('Escape')
  }
  await shoot(page, 'ticket-endless')

  // While something is unsaved the title stays in sight, and leaves room for what is typed.
  await page.setViewportSize({ width: 640, height: 400 })
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Typed')
  await expect(page.getByRole('button', { name: 'SAVE', exact: true })).toBeEnabled()
  expect((await box(page.getByRole('heading', { level: 1 }))).height).toBeLessThan(120)

  // A linked ticket and a result of the search keep their titles beside a state of any length.
  const other = await makeTicket(product.db, admin.idOrganization, project, { title: 'Something short' })
  await product.db
    .insertInto('ticket_link')
    .values({ organization_id: admin.idOrganization, from_ticket_id: ticket, to_ticket_id: other, kind: 'relates' })
    .execute()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/view-ticket/${ticket}`)
    const links = page.getByRole('region', { name: 'Links' })
    const remove = links.getByRole('button', { name: /^Remove link/ })
    const [button, card, title] = [await box(remove), await box(links), await box(links.getByText('Something short'))]
    expect(button.x + button.width).toBeLessThanOrEqual(card.x + card.width)
    expect(title.width).toBeGreaterThan(20)
    await page.goto('/search?q=something')
    const result = page.getByRole('region', { name: 'Results' }).getByRole('link')
    await expect(result).toContainText('Something short')
    expect((await lines(result.getByText('Something', { exact: true }))).length).toBe(1)
    const [state, row] = [await box(result.getByText(endless)), await box(result)]
    expect(state.width).toBeLessThan(row.width / 3)
    expect(state.x + state.width).toBeLessThanOrEqual(row.x + row.width)
  }

  // A code is never cut: its number stands at its end.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/view-project/${projectId}`)
  const id = page.getByRole('gridcell', { name: `SIXTEEN_LETTERS_-${ticket}` })
  await expect(id).toBeVisible()
  expect(await id.evaluate(node => node.scrollWidth - node.clientWidth)).toBe(0)

  // What is cut off is read whole under the pointer.
  const rows = page.locator('tr[data-key]')
  const [cut, whole] = [rows.filter({ hasText: 'WWWW' }), rows.filter({ hasText: 'Something short' })]
  for (const part of ['.title', '.type', '.state']) {
    await cut.locator(part).hover()
    await expect(cut.locator(part)).toHaveAttribute('title', part === '.title' ? 'W'.repeat(500) : endless)
  }
  // What is no longer under the pointer has no title: its row may become another ticket's.
  await whole.locator('.title').hover()
  await expect(rows.locator('[title]')).toHaveCount(0)

  // The card of a ticket on a phone has room for each of its parts.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/view-project/${projectId}`)
  const row = page.locator('tr[data-key]').last()
  await expect(row).toBeVisible()
  for (const part of ['.id', '.type', '.state', '.title']) {
    expect((await box(row.locator(part))).width, part).toBeGreaterThan(72)
  }
  await shoot(page, 'project-endless')
})

test('the cards of a project break no word that has room: keys and phases', { tag: '@long' }, async ({ page, product, signIn, shoot }) => {
  const { admin, idOrganization, projectId, project, ticket } = await makeEndless(product)
  const role_id = project.roles.assignee
  await product.db
    .insertInto('assignment')
    .values({ organization_id: idOrganization, project_id: projectId, ticket_id: ticket, user_id: admin.idUser, role_id })
    .execute()
  await product.db
    .updateTable('role')
    .set({ name: endless })
    .where('organization_id', '=', idOrganization)
    .where('id', '=', role_id)
    .execute()
  await signIn(page, admin)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/edit-project/${projectId}`)
    const states = page.getByRole('region', { name: 'Ticket States' })
    for (const phase of ['Proposed', 'Active', 'Inactive']) {
      expect(await lines(states.getByRole('cell', { name: phase, exact: true }))).toEqual([phase])
    }
    const fields = page.getByRole('region', { name: 'Ticket Fields' })
    expect(await lines(fields.getByRole('cell', { name: 'description', exact: true }))).toEqual(['description'])
    expect(await lines(fields.getByRole('rowheader', { name: 'Description' }))).toEqual(['Description'])
    const use = page.getByRole('region', { name: 'Roles' }).getByRole('cell', { name: '1 assignment' })
    expect((await lines(use)).flatMap(line => line.trim().split(' '))).toEqual(['1', 'assignment'])
  }
  await shoot(page, 'edit-project-endless')
  // On the narrowest phone the table of fields scrolls sideways, and still no type is broken within a word.
  await page.setViewportSize({ width: 320, height: 900 })
  const types = page.getByRole('region', { name: 'Ticket Fields' }).getByRole('cell', { name: 'TEXTMULTILINE' })
  expect(await lines(types.first())).toEqual(['TEXT', 'MULTILINE'])
  // A question that is longer than the window is scrolled by keyboard.
  await page.setViewportSize({ width: 390, height: 420 })
  const fields = page.getByRole('region', { name: 'Ticket Fields' })
  await fields.getByRole('checkbox', { name: 'Select every field' }).check()
  await fields.getByRole('button', { name: 'Delete selected fields' }).click()
  const words = page.getByRole('alertdialog').getByRole('group', { name: /^Delete \d fields\?$/ })
  await expect(words.getByText(endless)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(words).toBeFocused()
  await page.keyboard.press('End')
  await expect.poll(() => words.evaluate(node => node.scrollTop)).toBeGreaterThan(0)
})

test('the cards of a project keep their words and buttons apart in every window, also with the longest login', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { admin, idOrganization, project, projectId } = await makeEndless(product)
  const person = await product.person({ login: 'verylonglogin'.repeat(7), fullName: endless, idOrganization })
  await makeMember(product.db, idOrganization, projectId, person.idUser)
  const owned = { organization_id: idOrganization, project_id: projectId }
  await product.db
    .insertInto('field')
    .values(
      ['Hours estimated', 'Concerns safety'].map((label, index) => ({
        ...owned,
        key: `key_${index}`,
        label,
        type_id: 1,
        position: 3 + index,
      })),
    )
    .execute()
  await product.db
    .updateTable('state')
    .set({ name: 'In progress' })
    .where('organization_id', '=', idOrganization)
    .where('id', '=', project.states.doing)
    .execute()
  await signIn(page, admin)
  await page.goto(`/edit-project/${projectId}`)
  const cards = page.locator('main').getByRole('region')
  const card = (name: string) => page.getByRole('region', { name })
  await expect(card('Ticket Fields').getByRole('button', { name: 'Concerns safety', exact: true })).toBeVisible()
  await expect(card('Members').getByRole('listitem')).toHaveCount(2)
  await expect(card('User Permissions').getByRole('row')).toHaveCount(3)
  for (const width of [390, 600, 720, 960, 1024, 1280, 1366, 1440, 1600, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} pixels`).toBeLessThanOrEqual(width)
    for (const label of ['Hours estimated', 'Concerns safety']) {
      const words = await lines(card('Ticket Fields').getByRole('rowheader', { name: label }))
      expect(words.join('').split(' '), `${width} pixels`).toEqual(label.split(' '))
      expect(
        words.every(line => label.split(' ').includes(line.trim()) || line === label),
        `${width} pixels: ${words}`,
      ).toBe(true)
    }
    for (const name of ['Ticket Fields', 'Ticket States', 'Ticket Templates']) {
      const title = await box(card(name).getByRole('heading'))
      const count = await box(card(name).locator('h2 + span'))
      const bin = await box(card(name).getByRole('button', { name: /^Delete selected/ }))
      expect(title.x + title.width, `${width} pixels`).toBeLessThan(count.x)
      expect(count.x + count.width, `${width} pixels`).toBeLessThan(bin.x)
    }
    const members = await box(card('Members'))
    const add = await box(card('Members').getByRole('button', { name: 'ADD MEMBER' }))
    expect(add.x + add.width, `${width} pixels`).toBeLessThan(members.x + members.width - 8)
    expect(members.height).toBeLessThan(500)
    // A laptop sees where a label is in use. Each permission is in sight unless four cards have to share a row.
    if (width < 1024) continue
    const isTight = width >= 1280 && width < 1440
    for (const name of isTight ? ['Labels'] : ['User Permissions', 'Labels']) {
      const hidden = await cards.filter({ has: page.getByRole('heading', { name }) }).evaluate(node => {
        const area = node.querySelector('table')?.parentElement
        return area ? area.scrollWidth - area.clientWidth : 0
      })
      expect(hidden, `${name}, ${width} pixels`).toBeLessThanOrEqual(0)
    }
  }
})

test('the longest state leaves room for the titles on home, the longest view for its menu, and the longest organization causes no scrolling', {
  tag: '@long',
}, async ({ page, product, signIn }) => {
  const { admin, idOrganization, projectId, project, ticket } = await makeEndless(product)
  const owned = { organization_id: idOrganization, project_id: projectId }
  const assigned = { ...owned, ticket_id: ticket, user_id: admin.idUser, role_id: project.roles.assignee }
  await product.db.insertInto('assignment').values(assigned).execute()
  await product.db.updateTable('organization').set({ title: endless }).where('id', '=', idOrganization).execute()
  await signIn(page, admin)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/home')
    const row = page.getByRole('list', { name: 'assigned to me' }).getByRole('link')
    const state = await box(row.getByTitle(endless))
    const whole = await box(row)
    expect(state.width).toBeLessThanOrEqual(whole.width * 0.4)
    expect(state.x + state.width).toBeLessThanOrEqual(whole.x + whole.width)
    expect(whole.height, `${width} pixels`).toBeLessThan(1600)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  // Nor does it lie under what stands beside it.
  const reads = async (words: Locator) => {
    await expect(words).toBeVisible()
    expect(await words.evaluate(node => node.scrollWidth - node.clientWidth)).toBeLessThanOrEqual(0)
  }
  await page.getByRole('list', { name: 'users' }).getByRole('button').first().click()
  await reads(page.getByRole('dialog', { name: 'Edit User' }).getByText(endless))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Menu' }).click()
  await reads(page.getByRole('dialog', { name: 'Menu' }).getByText(endless))
  await page.goto('/profile')
  await reads(page.getByRole('list', { name: 'Sessions' }).getByText(endless))
  const Name = endless.slice(0, 150)
  await product.db
    .insertInto('ticket_view')
    .values({ ...owned, owner_id: admin.idUser, name: Name, query: '', layout: 'list' })
    .execute()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/view-project/${projectId}`)
    await page.getByRole('button', { name: 'Load View' }).click()
    const entry = page.getByRole('menuitem', { name: Name })
    await entry.scrollIntoViewIfNeeded()
    expect((await box(page.getByRole('menu', { name: 'Load View' }))).width).toBeLessThanOrEqual(Math.min(480, width - 32))
    expect((await lines(entry)).join('')).toContain(Name)
  }
})

test('a code is fully visible in the list, whatever its letters; a card without room for it shows its number', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const idOrganization = await makeOrganization(product.db)
  const admin = await product.person({ admin: true, idOrganization })
  await signIn(page, admin)
  for (const shortCode of ['WORKSHOP', 'MANUFACTURING', 'ABCDEFGHIJKLMNOP', 'W'.repeat(16), 'm'.repeat(16)]) {
    const project = await makeProject(product.db, idOrganization, { shortCode, title: endless })
    await makeMember(product.db, idOrganization, project.projectId, admin.idUser, 'all')
    const ticket = await makeTicket(product.db, idOrganization, project)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/view-project/${project.projectId}`)
    const id = page.getByRole('gridcell', { name: `${shortCode}-${ticket}` })
    for (const width of [1440, 1000, 850]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => id.evaluate(node => node.scrollWidth - node.clientWidth), `${shortCode}, ${width} pixels`).toBe(0)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    const end = id.evaluate(node => {
      const code = node.querySelector('a')?.firstChild as Text
      const range = document.createRange()
      range.setStart(code, code.length - 1)
      range.setEnd(code, code.length)
      return node.getBoundingClientRect().right - range.getBoundingClientRect().right
    })
    expect(await end, shortCode).toBeGreaterThanOrEqual(-1)
    if (shortCode !== 'W'.repeat(16)) continue
    // At 320 pixels, as with a zoom of 400 %, nothing scrolls sideways (WCAG 1.4.10).
    await page.setViewportSize({ width: 320, height: 256 })
    for (const [path, heading] of [
      [`/view-ticket/${ticket}`, shortCode],
      [`/project-charts/${project.projectId}`, 'Charts of An'],
      [`/project-changes/${project.projectId}`, 'Changes'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
      await expect(page.getByRole('main')).toContainText(endless)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
    }
  }
})
