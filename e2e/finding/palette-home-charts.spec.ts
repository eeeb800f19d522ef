import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { callBeside } from '../call.ts'
import { expect, test } from '../fixtures.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 90_000 })

// Not that of the server, which must be told.
test.use({ timezoneId: 'Asia/Tokyo' })

test('the palette opens by keyboard from anywhere and by mouse, with the reasons of unavailable actions', async ({
  page,
  titanium,
  shoot,
}) => {
  const { projectId, tickets, shortCode } = await titanium({}, [1, 3, 4, 6])
  await page.goto(`/view-project/${projectId}`)
  const rows = page.locator('tr[data-key]')
  await expect(rows).toHaveCount(5)
  const palette = page.getByRole('dialog', { name: 'Find an action, a page or a ticket' })
  const field = palette.getByRole('combobox')
  const option = (name: string | RegExp) => palette.getByRole('option', { name })

  // A key pressed while the palette's code loads is text, not a shortcut.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('add')
  await expect(field).toHaveValue('add')
  await expect(option(/Add a ticket.*Needs the permission Create tickets/)).toHaveAttribute('aria-disabled', 'true')
  await shoot(page, 'palette')
  await page.keyboard.press('Enter')
  await expect(palette).toBeVisible()
  await field.fill(`${shortCode}-${tickets.loader}`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/view-ticket/${tickets.loader}`)

  // On the ticket: its actions, also while a comment is being written; the focus comes back.
  const comment = page.getByLabel('Add comment')
  // Safari gives the focus to no button that is clicked; neither does this click.
  const isFocused = await page.getByRole('button', { name: 'Columns' }).evaluate((button: HTMLElement) => {
    ;(document.activeElement as HTMLElement).blur()
    button.addEventListener('click', event => event.stopPropagation(), { once: true })
    button.click()
    return document.activeElement === button
  })
  expect(isFocused).toBe(true)
  await comment.fill('Half a')
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(comment).toBeFocused()
  await comment.fill('')
  await page.keyboard.press('Control+k')
  await field.fill('the state')
  await expect(option(/Change the state/)).toBeVisible()
  // Safari sends the Enter that ends a composition after its end, with this code.
  await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 })
  await expect(field).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu', { name: 'State' })).toBeVisible()
  // Over a menu or a dialog the palette offers pages, but no actions of the page below.
  await page.keyboard.press('Control+k')
  await expect(option('Profile')).toBeVisible()
  await expect(option('Copy link')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('l')
  await expect(page.getByRole('combobox', { name: 'Labels' })).toBeFocused()
  await page.keyboard.press('Escape')

  // By mouse to the tickets of a person.
  await page.keyboard.press('Control+k')
  await field.fill('dana')
  await option(/Tickets of Dana Kim/).click()
  await expect(page).toHaveURL(/\/view-project\/\d+\?q=is%3Aopen\+assignee%3A/)
  await expect(rows).toHaveCount(3)

  // Without a keyboard by the menu, on a phone too.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('button', { name: 'Find an action…' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(option('Export as CSV')).toBeVisible()
  await palette.getByRole('button', { name: 'Close' }).click()
  await expect(palette).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 900 })

  // In the list the keys are about the row that has the focus.
  await page.keyboard.press('j')
  await expect(page.locator('tr:focus')).toHaveCount(1)
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/\/view-ticket\/\d+$/)
  await expect(page.getByRole('menu', { name: 'State' })).toBeVisible()
})

test('the list of keys has all keys of the page; the palette has its actions, those for the selection first', { tag: '@long' }, async ({
  page,
  titanium,
}) => {
  const { projectId } = await titanium()
  await page.goto(`/view-project/${projectId}`)
  const rows = page.locator('tr[data-key]')
  await expect(rows).toHaveCount(5)
  await page.keyboard.press('?')
  const edit = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Edit the ticket')
  await expect(edit).toContainText('Move to a ticket first')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('?')
  await expect(edit).not.toContainText('Move to a ticket first')
  await page.keyboard.press('Escape')

  const field = page.getByRole('combobox', { name: 'Find an action, a page or a ticket' })
  const option = (name: string | RegExp) => page.getByRole('option', { name })
  const choose = async (text: string, name: string) => {
    await page.keyboard.press('Control+k')
    await field.fill(text)
    await option(name).click()
  }
  await choose('active', 'My active tickets')
  await expect(page).toHaveURL(/phase=2&mine=1/)
  await choose('clear', 'Clear filters')
  await choose('col', 'Columns')
  await expect(page.getByRole('menu', { name: 'Columns' })).toBeVisible()
  await page.keyboard.press('Escape')
  await choose('board', 'View: Board')
  await expect(page.getByRole('heading', { name: /^Open/ })).toBeVisible()
  await choose('tree', 'View: Tree')
  await expect(rows).toHaveCount(5)
  await page.keyboard.press('Control+k')
  await field.fill('tree')
  await expect(option(/View: Tree.*Already chosen/)).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(page.getByRole('region', { name: 'Selected tickets' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option').first()).toHaveText('Change the selected tickets…e')
})

test('home lists late tickets, and the charts link to the tickets behind them', { tag: '@long' }, async ({
  page,
  product,
  titanium,
  axe,
  shoot,
}) => {
  const { person, projectId, tickets } = await titanium()
  const { db } = product
  const of = { organization_id: person.idOrganization, ticket_id: tickets.rotation }
  const { id: field_id } = await db
    .selectFrom('field')
    .select('id')
    .where('organization_id', '=', person.idOrganization)
    .where('project_id', '=', projectId)
    .where('key', '=', 'due')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('ticket_value')
    .values({ ...of, field_id, value: '2026-01-31' })
    .execute()
  const zones = new Set<unknown>()
  page.on('request', request => request.postData()?.includes('"Zone"') && zones.add(request.postDataJSON().Zone))
  await page.goto('/home')
  const late = page.getByRole('group', { name: 'Late' })
  await expect(late.getByRole('link', { name: /Window management/ })).toHaveAttribute('href', `/view-ticket/${tickets.rotation}`)
  await expect(late.getByRole('listitem')).toContainText(/ · due Jan 31, 2026, \d+ days late/)
  const mine = page.getByRole('group', { name: 'Assigned to me' }).getByRole('listitem')
  await expect(mine).toHaveCount(3)
  await axe(page)
  // The first ticket, the next one of the list, and back to its row.
  const second = mine.nth(1).getByRole('link')
  const address = (await second.getAttribute('href')) ?? ''
  await mine.first().getByRole('link').press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ticket Detail')
  await page.keyboard.press(']')
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ticket Detail')
  await page.goBack()
  await expect(second).toBeFocused()
  // What others change shows here too, and nothing else moves.
  await callBeside(page, setTicketData, { idTicket: tickets.rotation, Title: 'Windows that turn' })
  await expect(late.getByRole('link', { name: /Windows that turn/ })).toBeVisible()
  await late.getByRole('link', { name: 'Late', exact: true }).click()
  await expect(page).toHaveURL(/\/search\?q=is%3Aopen\+due%3A/)

  await page.goto(`/view-project/${projectId}`)
  await page.getByRole('main').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Charts' }).click()
  await expect(page.getByText('13 tickets created, 3 tickets closed.')).toBeVisible()
  expect([...zones]).toEqual(['Asia/Tokyo'])
  await shoot(page, 'charts')
  // The legend keeps its own colors in forced colors; otherwise it would explain nothing.
  await page.emulateMedia({ forcedColors: 'active' })
  const swatches = page.getByRole('region', { name: 'Created and closed' }).locator('ul span')
  const colors = await swatches.evaluateAll(all => all.map(swatch => getComputedStyle(swatch).backgroundColor))
  expect(new Set(colors).size).toBe(2)
  await page.emulateMedia({ forcedColors: null })
  await page.getByRole('button', { name: '30 days' }).click()
  await page.getByRole('combobox', { name: 'Query' }).fill('type:Bug')
  await expect(page.getByText('3 tickets created, 1 ticket closed.')).toBeVisible()
  await expect(page).toHaveURL(/\?days=30&q=type%3ABug$/)
  // The last column of the chart, then the same number in its table, by keyboard.
  await page.getByRole('region', { name: 'Created and closed' }).locator('rect').first().click()
  await expect(page.locator('tr[data-key]')).toHaveCount(3)
  await page.goBack()
  const flow = page.getByRole('region', { name: 'Cumulative flow' })
  await flow.getByRole('button', { name: 'TABLE' }).focus()
  await page.keyboard.press('Enter')
  const last = flow.getByRole('row').last()
  await expect(last.getByRole('cell')).toHaveText(['1', '1', '1'])
  await axe(page)
  // Each number of each table is the number of tickets in the list behind it.
  for (const name of ['Created and closed', 'Age of open work'])
    await page.getByRole('region', { name }).getByRole('button', { name: 'TABLE' }).click()
  const points = await page
    .getByRole('region')
    .locator('td a')
    .evaluateAll(all => all.map(link => ({ value: Number(link.textContent), href: (link as HTMLAnchorElement).href })))
  expect(points).toHaveLength(6)
  const Zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  for (const { value, href } of points) {
    const Query = new URL(href).searchParams.get('q') ?? ''
    const { Total } = await callBeside(page, queryTickets, { idProject: projectId, Query, Zone, Limit: 1 })
    expect([Query, Total]).toEqual([Query, value])
  }
  await last.getByRole('link').nth(1).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('tr[data-key]')).toHaveCount(1)
  await expect(page.locator('tr[data-key]')).toContainText('List view flickers')
})
