import { setTicketComment } from '@tessera/contract/tickets/comments'
import { mailBodies } from '@tessera/server/mail/mail'
import { markdownHtml } from '@tessera/server/mail/markdown'
import { makeMember, makeOrganization, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { callBeside } from '../call.ts'
import { box, expect, lines, test } from '../fixtures.ts'
import { makeEndless } from './endless.ts'

test('the code of a ticket is not torn at its hyphen', { tag: '@long' }, async ({ page, product, signIn }) => {
  const idOrganization = await makeOrganization(product.db)
  const admin = await product.person({ admin: true, idOrganization })
  const project = await makeProject(product.db, idOrganization, { shortCode: 'OPERATIONS' })
  await makeMember(product.db, idOrganization, project.projectId, admin.idUser, 'all')
  const ticket = await makeTicket(product.db, idOrganization, project)
  await signIn(page, admin)
  await page.goto(`/view-ticket/${ticket}`)
  const words = page.getByText(/Split this ticket into smaller ones/)
  await expect(words).toBeVisible()
  // One button adds the first child: the one above the list.
  await expect(page.getByRole('main').getByRole('button', { name: 'ADD TICKET' })).toHaveCount(1)
  for (let width = 330; width < 560; width += 10) {
    await page.setViewportSize({ width, height: 800 })
    for (const line of await lines(words)) expect(line, `${width} pixels`).not.toMatch(/-$/)
  }
})

test('the assignees and their pencil share a line, and labels end before theirs', { tag: '@long' }, async ({ page, product, signIn }) => {
  const idOrganization = await makeOrganization(product.db)
  const admin = await product.person({ admin: true, fullName: 'Priya Raman-Featherstone', idOrganization })
  const project = await makeProject(product.db, idOrganization)
  await makeMember(product.db, idOrganization, project.projectId, admin.idUser, 'all')
  const ticket = await makeTicket(product.db, idOrganization, project)
  const owned = { organization_id: idOrganization, project_id: project.projectId, ticket_id: ticket, user_id: admin.idUser }
  const { responsible, assignee } = project.roles
  await product.db
    .insertInto('assignment')
    .values([responsible, assignee].map(role_id => ({ ...owned, role_id })))
    .execute()
  const name = 'Reported by a customer of old'
  const label = await product.db
    .insertInto('label')
    .values({ organization_id: idOrganization, project_id: project.projectId, name, color: '#607d8b' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await product.db.insertInto('ticket_label').values({ organization_id: idOrganization, ticket_id: ticket, label_id: label.id }).execute()
  await signIn(page, admin)
  await page.goto(`/view-ticket/${ticket}`)
  const pencil = await box(page.getByRole('button', { name: 'Edit assignees' }))
  const names = await box(page.getByText(/Priya Raman-Featherstone \(Responsible, /))
  expect(pencil.y).toBeLessThan(names.y + names.height)
  expect(pencil.x).toBeGreaterThanOrEqual(names.x + names.width)
  for (const width of [1440, 1024, 960, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const edit = await box(page.getByRole('button', { name: 'Edit labels' }))
    const label = await box(page.getByText(name))
    expect(label.x + label.width, `${width} pixels`).toBeLessThanOrEqual(edit.x)
    expect(label.width, `${width} pixels`).toBeGreaterThan(60)
  }
})

test('on a tablet the titles of a list, their filter, the heading and the product name have room', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const idOrganization = await makeOrganization(product.db)
  const admin = await product.person({ admin: true, idOrganization })
  const project = await makeProject(product.db, idOrganization, { title: 'Several words again '.repeat(10) })
  await makeMember(product.db, idOrganization, project.projectId, admin.idUser, 'all')
  // With two projects the title bar offers them.
  const other = await makeProject(product.db, idOrganization)
  await makeMember(product.db, idOrganization, other.projectId, admin.idUser, 'all')
  await makeTicket(product.db, idOrganization, project)
  await signIn(page, admin)
  await page.goto(`/view-project/${project.projectId}`)
  // A fraction of a pixel less, and an ellipsis takes three letters.
  const name = page.getByRole('banner').getByText('Tessera', { exact: true })
  await page.setViewportSize({ width: 1440, height: 900 })
  const whole = (await box(name)).width
  const heading = page.getByRole('heading', { level: 1 })
  for (const width of [610, 720, 768, 810, 830, 960, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(async () => (await box(page.locator('td.title'))).width, `${width} pixels`).toBeGreaterThan(190)
    expect((await box(heading)).height).toBeLessThan(200)
    const filter = page.getByRole('textbox', { name: 'Filter Description' })
    if (await filter.isVisible()) expect((await box(filter)).width, `${width} pixels`).toBeGreaterThan(90)
    expect((await box(name)).width, `${width} pixels`).toBe(whole)
  }
})

test('on a phone no login covers a permission, and a name of one letter is wide enough to press', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const idOrganization = await makeOrganization(product.db)
  const admin = await product.person({ admin: true, idOrganization })
  const wide = await product.person({ login: 'WWWW_WWWWWWWWWWWWWW', idOrganization })
  const project = await makeProject(product.db, idOrganization)
  for (const { idUser } of [admin, wide]) await makeMember(product.db, idOrganization, project.projectId, idUser, 'all')
  await product.db.updateTable('state').set({ name: 'x' }).where('id', '=', project.states.open).execute()
  await signIn(page, admin)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/edit-project/${project.projectId}`)
  const first = await box(page.getByRole('checkbox', { name: `View tickets: ${wide.login}` }))
  // What the words take, also beyond the box that should hold them.
  const right = await page.getByRole('rowheader', { name: wide.login }).evaluate(node => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return Math.max(...[...range.getClientRects()].map(({ right }) => right))
  })
  expect(right).toBeLessThanOrEqual(first.x)
  const name = await box(page.getByRole('table', { name: 'Ticket States' }).getByRole('button', { name: 'x', exact: true }))
  expect(name.width).toBeGreaterThanOrEqual(24)
})

test('in a table of a comment no column is one letter wide beside an endless word', { tag: '@long' }, async ({ page, titanium }) => {
  const { tickets } = await titanium()
  const Comment = `| a | b |\n|---|---|\n| ${'endless'.repeat(20)} | ${'重新设计登录页面'.repeat(4)} |`
  await page.goto(`/view-ticket/${tickets.loader}`)
  await callBeside(page, setTicketComment, { idTicket: tickets.loader, Comment })
  await page.reload()
  const cell = page.getByRole('region', { name: 'Comments' }).getByRole('cell', { name: /重新/ })
  await expect(cell).toBeVisible()
  const [first = ''] = await lines(cell)
  expect(first.length).toBeGreaterThan(2)
})

test.describe('with touch', () => {
  test.use({ hasTouch: true, isMobile: true })

  test('on a phone the tables of a project do not scroll sideways, except the permissions', { tag: '@long' }, async ({
    page,
    titanium,
  }) => {
    const { projectId } = await titanium({ admin: true })
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`/edit-project/${projectId}`)
      await expect(page.getByRole('cell', { name: 'TEXTMULTILINE' })).toBeVisible()
      for (const name of ['Ticket Fields', 'Ticket States', 'Ticket Templates', 'Roles']) {
        const table = page.getByRole('table', { name })
        await expect(table).toBeVisible()
        const hidden = await table.evaluate(node => node.scrollWidth - (node.parentElement?.clientWidth ?? 0))
        expect(hidden, `${name}, ${width} pixels`).toBeLessThanOrEqual(0)
      }
    }
  })

  test('on a tablet a list with the longest codes is not wider than its card', { tag: '@long' }, async ({ page, product, signIn }) => {
    const { admin, projectId } = await makeEndless(product)
    await signIn(page, admin)
    await page.setViewportSize({ width: 820, height: 1180 })
    await page.goto(`/view-project/${projectId}`)
    const list = page.locator('.ticket-table')
    await expect(list.locator('tr[data-key]')).toBeVisible()
    expect(await list.evaluate(node => node.scrollWidth - node.clientWidth)).toBe(0)
  })
})

test('a mail is no wider than a phone, whatever its words', async ({ page }) => {
  const address = `https://example.com/${'a'.repeat(300)}`
  const { html } = mailBodies({
    paragraphs: [`Ada changed OPS-7 ${address}:`],
    changes: [
      { label: 'Link', before: 'none', after: address },
      {
        label: 'Comment',
        before: null,
        after: `See ${address}\n\n    ${address}`,
        html: text => markdownHtml(text, 'https://example.com'),
      },
    ],
    link: { label: 'Open OPS-7', url: 'https://example.com' },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.setContent(html)
  await expect(page.locator('pre')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
