import { expect, listenAt, test } from '../fixtures.ts'

test('a deleted comment leaves a note in its place in every open page; UNDO restores it', { tag: '@long' }, async ({
  page,
  product,
  titanium,
  context,
  axe,
}) => {
  const { tickets, person } = await titanium()
  const { idOrganization } = person
  const other = await product.person({ fullName: 'Ada Novak' })
  await product.db
    .insertInto('comment')
    .values(
      [other.idUser, person.idUser].map((author_id, index) => ({
        organization_id: idOrganization,
        ticket_id: tickets.loader,
        author_id,
        text: `Comment ${index + 1}`,
      })),
    )
    .execute()
  await page.goto(`/view-ticket/${tickets.loader}`)
  const watching = await context.newPage()
  await listenAt(watching, `/view-ticket/${tickets.loader}`)
  const comments = page.getByRole('region', { name: 'Comments' }).getByRole('listitem')
  await expect(comments).toHaveCount(2)
  await comments.filter({ hasText: 'Comment 1' }).getByRole('button', { name: 'Delete comment' }).press('Enter')
  const place = 'This comment was deleted by Dana Kim.'
  await expect(comments.nth(1)).toContainText(`Ada Novak`)
  await expect(comments.nth(1)).toContainText(place)
  await expect(watching.getByText(place)).toBeVisible()
  await expect(comments.nth(1).getByRole('button')).toHaveCount(0)
  const next = comments.nth(0).getByRole('button', { name: 'Delete comment' })
  await expect(next).toBeFocused()
  await axe(page)
  await page.keyboard.press('F6')
  await expect(page.getByRole('button', { name: 'UNDO' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(comments.nth(1)).toContainText('Comment 1')
  await expect(next).toBeFocused()
  await expect(watching.getByText('Comment 1')).toBeVisible()
  // Without *Manage project* people delete only their own comments.
  await product.db
    .updateTable('project_member')
    // View tickets, Comment.
    .set({ permissions: 1 + 2 ** 5 })
    .where('organization_id', '=', idOrganization)
    .where('user_id', '=', person.idUser)
    .execute()
  await page.reload()
  await expect(comments.nth(1)).toContainText('Comment 1')
  const deleting = comments.getByRole('button', { name: 'Delete comment' })
  await expect(deleting).toHaveCount(1)
  await deleting.click()
  await expect(comments.filter({ hasText: place })).toHaveCount(1)
  await expect(comments.filter({ hasText: 'Comment 2' })).toHaveCount(0)
})

test('a long ticket keeps its properties in view; comments and changes are one timeline', { tag: '@long' }, async ({
  page,
  product,
  titanium,
  shoot,
}) => {
  const { projectId, tickets, person, fields } = await titanium()
  const { idOrganization } = person
  const other = await product.person({ fullName: 'Ada Novak' })
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const ofTicket = { organization_id: idOrganization, ticket_id: tickets.loader }
  await product.db
    .insertInto('ticket_value')
    .values({ ...ofTicket, field_id: fields.note, value: 'Line\n\n'.repeat(80) })
    .execute()
  const { id: field_id } = await product.db
    .selectFrom('field')
    .select('id')
    .where('organization_id', '=', idOrganization)
    .where('project_id', '=', projectId)
    .where('key', '=', 'severity')
    .executeTakeFirstOrThrow()
  await product.db
    .insertInto('ticket_value')
    .values({ ...ofTicket, field_id, value: 'high' })
    .execute()
  await product.db
    .insertInto('comment')
    .values([
      { ...ofTicket, author_id: other.idUser, text: 'Asked early', created_at: at(300) },
      { ...ofTicket, author_id: person.idUser, text: 'Answered late', created_at: at(61) },
    ])
    .execute()
  const change = { ...ofTicket, change_set_id: 1, subject: 'ticket', subject_id: tickets.loader, project_id: null, user_id: person.idUser }
  await product.db
    .insertInto('change')
    .values([
      { ...change, field: 'Comment', before: null, after: '1.1', changed_at: at(300) },
      { ...change, change_set_id: 2, field: 'Title', before: 'Was', after: 'Is', changed_at: at(180) },
    ])
    .execute()
  await page.goto(`/view-ticket/${tickets.loader}?tab=timeline`)
  const entries = page.getByRole('tabpanel', { name: 'Timeline' }).getByRole('listitem')
  await expect(entries).toHaveText([
    /Dana Kim\s*1 hour ago.*Answered late/,
    /Dana Kim\s*3 hours ago.*Was → Is/,
    /Ada Novak\s*5 hours ago.*Asked early/,
  ])
  await expect(entries.first().locator('time')).toHaveAttribute('title', /^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M$/)
  await expect(entries.first().getByText('Dana Kim')).toHaveCSS('font-weight', '600')
  // The same beside the date and author of a comment.
  const latest = page.getByRole('region', { name: 'Comments' }).getByRole('listitem').first()
  await expect(latest.getByText('Dana Kim', { exact: true })).toHaveCSS('font-weight', '600')
  await expect(latest.locator('time')).toHaveText('1 hour ago')
  await expect(latest.locator('time')).toHaveAttribute('title', /^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M$/)
  // Each person has a color of their own.
  const colors = await page
    .locator('main ol span[aria-hidden][style]')
    .evaluateAll(all => all.map(avatar => [avatar.textContent, getComputedStyle(avatar).backgroundColor] as const))
  expect(new Map(colors).size).toBe(2)
  expect(new Set(new Map(colors).values()).size).toBe(2)

  const summary = page.locator('main p[aria-hidden]').filter({ hasText: 'In Review' })
  await expect(summary).toHaveCount(0)
  await entries.first().scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 600)
  await expect(summary).toBeVisible()
  await expect(summary).toContainText('Dana Kim')
  await expect(summary).toContainText('Severity: High')
  await expect(summary).toBeInViewport()
  // The title is edited in the heading that stays beside the text.
  await page.getByRole('heading', { level: 1 }).getByRole('button').click()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'SAVE', exact: true })).toBeInViewport()
  // The scroll position on a phone is random: a tab half under the title bar is too small to touch.
  await page.evaluate(() => scrollTo(0, 0))
  await shoot(page, 'ticket-timeline')
  await page.keyboard.press('Control+s')
  await expect(page).toHaveTitle(/module loader! - Tessera$/)
})
