import { makeMember, makeOrganization } from '@tessera/server/test/fixtures/factories'
import { sql } from 'kysely'
import { expect, listenAt, test } from '../fixtures.ts'

test('assigning: the search has the focus, the reader is first, one key assigns them, and 160 people are not 480 boxes', async ({
  page,
  product,
  titanium,
  axe,
}) => {
  const { projectId, tickets, person } = await titanium()
  const { idOrganization } = person
  const late = await product.person({ fullName: 'Zoe Late' })
  await makeMember(product.db, idOrganization, projectId, late.idUser)
  await sql`
    with people as (
      insert into user_account (login, full_name) select 'crowd-' || i, 'Crowd Member ' || i from generate_series(1, 160) i returning id),
    members as (insert into organization_member (organization_id, user_id) select ${idOrganization}::bigint, id from people returning user_id)
    select 1 from members`.execute(product.db)
  await sql`
    insert into project_member (organization_id, project_id, user_id, permissions)
    select ${idOrganization}, ${projectId}, id, 1 from user_account where login like 'crowd-%'`.execute(product.db)
  await sql`
    insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, user_id)
    values (${idOrganization}, 1, 'ticket', ${tickets.flicker}, ${projectId}, ${tickets.flicker}, 'Title', ${late.idUser})`.execute(
    product.db,
  )

  await page.goto(`/view-ticket/${tickets.kernel}`)
  await expect(page.getByRole('button', { name: 'ASSIGN ME' })).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByText('Dana Kim (Assignee)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'SAVE 1 change' })).toBeVisible()
  await page.keyboard.press('i')
  await expect(page.getByText('Dana Kim (Assignee)')).toBeHidden()

  await page.getByRole('button', { name: 'Edit assignees' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assignees' })
  await expect(dialog.getByRole('searchbox', { name: 'Search' })).toBeFocused()
  const names = dialog.getByRole('rowheader')
  await expect(names.first()).toHaveText('Dana Kim (you)')
  await expect(names.nth(1)).toHaveText('Zoe Late')
  await expect(names).toHaveCount(30)
  await expect(dialog.getByText('132 more: search for them.')).toBeVisible()
  await axe(page)
  // From the search to a box, with the keyboard alone.
  await page.keyboard.type('member 77')
  await expect(names).toHaveText(['Crowd Member 77'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(dialog.getByRole('checkbox', { name: 'Crowd Member 77: Assignee' })).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await expect(dialog.getByRole('searchbox', { name: 'Search' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Crowd Member 77 (Assignee)')).toBeVisible()
})

test('a new user is welcomed by mail unless told otherwise, again on demand, deactivated and brought back', async ({
  page,
  product,
  signIn,
  axe,
}) => {
  const idOrganization = await makeOrganization(product.db, 'Account Works')
  const admin = await product.person({ login: 'keeper', admin: true, manager: true, idOrganization })
  const leaver = await product.person({ login: 'leaver', idOrganization })
  await signIn(page, admin)
  await page.goto('/home')
  await page.getByRole('button', { name: 'NEW USER' }).click()
  const dialog = page.getByRole('dialog', { name: 'New User' })
  await expect(dialog.getByRole('checkbox', { name: 'Send a welcome mail' })).toBeDisabled()
  await dialog.getByLabel('Login Name').fill('newcomer')
  await dialog.getByLabel('Email Address').fill('newcomer@example.com')
  await expect(dialog.getByRole('checkbox', { name: 'Send a welcome mail' })).toBeChecked()
  const created = page.waitForRequest(/create-user/)
  await dialog.getByRole('button', { name: 'ADD' }).click()
  expect((await created).postDataJSON()).toMatchObject({ SendWelcome: 1 })

  const users = page.getByRole('list', { name: 'users' })
  await users.getByRole('button', { name: 'newcomer' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit User' })
  await edit.getByRole('button', { name: 'SEND WELCOME MAIL' }).click()
  await expect(page.getByText('A welcome mail is on its way to newcomer@example.com')).toBeVisible()
  await axe(page)
  await edit.getByRole('button', { name: 'CANCEL' }).click()

  await users.getByRole('button', { name: 'leaver' }).click()
  await expect(edit.getByText('The account is active.')).toBeVisible()
  await expect(edit.getByRole('button', { name: 'SEND WELCOME MAIL' })).toHaveCount(0)
  const isDisabled = () =>
    product.db.selectFrom('user_account').select('disabled').where('id', '=', leaver.idUser).executeTakeFirstOrThrow()
  await edit.getByRole('button', { name: 'DEACTIVATE' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'DEACTIVATE' }).click()
  await expect(page.getByText('leaver is deactivated')).toBeVisible()
  await expect(edit.getByRole('button', { name: 'REACTIVATE' })).toBeVisible()
  expect(await isDisabled()).toEqual({ disabled: true })
  await edit.getByRole('button', { name: 'CANCEL' }).click()
  await expect(users.getByRole('button', { name: 'leaver deactivated' })).toBeVisible()
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('leaver can sign in again')).toBeVisible()
  await expect(users.getByRole('button', { name: 'leaver', exact: true })).toBeVisible()
  expect(await isDisabled()).toEqual({ disabled: false })
  // The dialog brings back whom somebody deactivated before.
  await product.db.updateTable('user_account').set({ disabled: true }).where('id', '=', leaver.idUser).execute()
  await page.reload()
  await users.getByRole('button', { name: 'leaver deactivated' }).click()
  await edit.getByRole('button', { name: 'REACTIVATE' }).click()
  await expect(edit.getByRole('button', { name: 'DEACTIVATE' })).toBeVisible()
  expect(await isDisabled()).toEqual({ disabled: false })
})

test('a comment is deleted and its place says so, in every open page; UNDO brings it back', async ({
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
  await comments.filter({ hasText: 'Comment 1' }).getByRole('button', { name: 'Delete comment' }).click()
  const place = 'This comment was deleted by Dana Kim.'
  await expect(comments.nth(1)).toContainText(`Ada Novak`)
  await expect(comments.nth(1)).toContainText(place)
  await expect(watching.getByText(place)).toBeVisible()
  await expect(comments.nth(1).getByRole('button')).toHaveCount(0)
  await axe(page)
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(comments.nth(1)).toContainText('Comment 1')
  await expect(watching.getByText('Comment 1')).toBeVisible()
  // Who does not manage the project deletes what they wrote themselves.
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

test('tickets move by drag, with the mouse and a finger, several at once in the dialog, each with UNDO', async ({
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
    await page.mouse.up()
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
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('Move along')).toBeFocused()
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

  // A child names its parent and proposes what its siblings are.
  await page.goto(`/view-ticket/${kernel}`)
  await page.getByRole('region', { name: 'Child Tickets' }).getByRole('button', { name: 'ADD TICKET' }).click()
  const child = page.getByRole('dialog', { name: 'New Ticket' })
  await expect(child).toContainText(`${shortCode}-${kernel} Kernel: replace`)
  await expect(child.getByRole('combobox', { name: 'Ticket type' })).toHaveText('Story')
})

test('several people get the permissions of a preset at once, and UNDO gives theirs back', async ({ page, product, titanium, axe }) => {
  const { projectId, person } = await titanium()
  for (const name of ['Ada Novak', 'Bo Lind']) {
    const { idUser } = await product.person({ login: name.split(' ')[0]?.toLowerCase() ?? name, fullName: name })
    await makeMember(product.db, person.idOrganization, projectId, idUser, [1, 8])
  }
  await page.goto(`/edit-project/${projectId}`)
  const card = page.getByRole('region', { name: 'User Permissions' })
  const bar = card.getByRole('region', { name: 'Selected users' })
  await expect(bar).toHaveCount(0)
  for (const login of ['ada', 'bo']) await card.getByRole('checkbox', { name: `Select ${login}` }).check()
  await expect(bar).toContainText('2 selected')
  await axe(page)
  await bar.getByRole('button', { name: 'Reporter' }).click()
  await expect(page.getByText('Permissions updated')).toBeVisible()
  await expect(bar).toHaveCount(0)
  const held = async (login: string) => {
    const boxes = card.getByRole('row', { name: login }).getByRole('checkbox', { checked: true })
    return (await boxes.evaluateAll(all => all.map(box => box.getAttribute('aria-label')?.split(':')[0]))).sort()
  }
  const reporter = ['Add attachments', 'Comment', 'Create tickets', 'View tickets']
  await expect.poll(() => held('ada')).toEqual(reporter)
  expect(await held('bo')).toEqual(reporter)
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect.poll(() => held('bo')).toEqual(['Manage fields', 'View tickets'])
  for (const [preset, boxes] of [
    ['Viewer', 1],
    ['Contributor', 6],
    ['Lead', 13],
  ] as const) {
    await card.getByRole('checkbox', { name: 'Select bo' }).check()
    await bar.getByRole('button', { name: preset }).click()
    await expect.poll(async () => (await held('bo')).length).toBe(boxes)
  }
})

test('a long ticket keeps its properties in sight; comments and changes are one timeline', async ({ page, product, titanium, shoot }) => {
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
  // Beside the date and author of a comment the same.
  const latest = page.getByRole('region', { name: 'Comments' }).getByRole('listitem').first()
  await expect(latest.getByText('Dana Kim', { exact: true })).toHaveCSS('font-weight', '600')
  await expect(latest.locator('time')).toHaveText('1 hour ago')
  await expect(latest.locator('time')).toHaveAttribute('title', /^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M$/)
  // Each person has a colour of their own.
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
  await expect(page.getByRole('button', { name: 'SAVE 1 change' })).toBeInViewport()
  await shoot(page, 'ticket-timeline')
  await page.keyboard.press('Control+s')
  await expect(page).toHaveTitle(/module loader! - Tessera$/)
})

test('a text field of few values becomes a choice, once its preview finds nothing that does not fit', async ({
  page,
  product,
  titanium,
  axe,
}) => {
  const { projectId, tickets, person, fields } = await titanium()
  const ofField = { organization_id: person.idOrganization, field_id: fields.note }
  const set = (ticket_id: number, value: string) =>
    product.db
      .insertInto('ticket_value')
      .values({ ...ofField, ticket_id, value })
      .onConflict(conflict => conflict.columns(['organization_id', 'ticket_id', 'field_id']).doUpdateSet({ value }))
      .execute()
  await set(tickets.loader, 'Android')
  await set(tickets.kernel, 'Android\nand iOS')
  await page.goto(`/edit-project/${projectId}`)
  const list = page.getByRole('region', { name: 'Ticket Fields' })
  const dialog = page.getByRole('dialog', { name: 'Edit Ticket Field' })
  const choose = async () => {
    await list.getByRole('button', { name: 'Acceptance', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Control type' }).click()
    await page.getByRole('option', { name: 'SELECT', exact: true }).click()
  }
  await choose()
  await expect(dialog).toContainText('1 of 2 tickets has a value that does not fit, so the type stays:')
  await expect(dialog.getByRole('listitem')).toContainText('has several lines')
  await expect(dialog.getByRole('button', { name: 'SAVE' })).toBeDisabled()
  await axe(page)
  await dialog.getByRole('button', { name: 'CANCEL' }).click()

  await set(tickets.kernel, 'iOS')
  await page.reload()
  await choose()
  await expect(dialog).toContainText('The values of all 2 tickets fit. The options: Android, iOS.')
  await dialog.getByRole('button', { name: 'SAVE' }).click()
  await expect(dialog).toBeHidden()
  await expect(list.getByRole('row', { name: 'Acceptance' })).toContainText('SELECT')
})
