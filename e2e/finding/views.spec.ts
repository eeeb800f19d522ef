import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { setLabel } from '@tessera/contract/projects/labels'
import { getViewList, setView } from '@tessera/contract/projects/views'
import { createNewTicket } from '@tessera/contract/tickets/tickets'
import { callBeside } from '../call.ts'
import { expect, listenAt, test } from '../fixtures.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 90_000 })

// Not that of the server, which must be told.
test.use({ timezoneId: 'Asia/Tokyo' })

const rows = (page: Page) => page.locator('tr[data-key]')
const headings = (page: Page) => page.locator('tr.group')

async function viewMenu(page: Page, choice: string, role: 'menuitem' | 'menuitemcheckbox' = 'menuitem') {
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await page.getByRole(role, { name: choice, exact: true }).click()
  if (role === 'menuitemcheckbox') await page.keyboard.press('Escape')
}

test('a list is laid out, grouped, searched and saved as a view; the view is loaded, changed, exported and deleted', async ({
  page,
  titanium,
  axe,
  shoot,
}) => {
  const { projectId: idProject } = await titanium()
  await page.goto(`/view-project/${idProject}`)
  await expect(rows(page)).toHaveCount(5)

  // All levels with one request for each, then none.
  const asked: string[] = []
  page.on('request', request => request.url().includes('query-tickets') && asked.push(request.postData() ?? ''))
  await viewMenu(page, 'Expand all')
  await expect(page.locator('tr[data-key][aria-level="3"]')).not.toHaveCount(0)
  expect(asked.filter(text => /idParent/.test(text)).length).toBeLessThanOrEqual(3)
  await viewMenu(page, 'Collapse all')
  await expect(rows(page)).toHaveCount(5)

  await viewMenu(page, 'List', 'menuitemcheckbox')
  await expect(page.locator('tr[data-key] .chevron')).toHaveCount(0)
  await viewMenu(page, 'Group by State', 'menuitemcheckbox')
  await expect(headings(page).first()).toContainText('Open')
  await page.getByRole('button', { name: 'Query', exact: true }).click()
  const field = page.getByRole('combobox', { name: 'Query' })
  await expect(field).toBeFocused()
  await field.fill('is:open stat:x')
  await field.press('Escape')
  await field.press('Enter')
  await expect(page.getByText(/nothing named 'stat'/).first()).toBeVisible()
  await field.fill('is:open')
  await field.press('Escape')
  await field.press('Enter')
  await expect(headings(page)).not.toHaveCount(0)
  await expect(headings(page).getByText('Closed')).toHaveCount(0)
  await expect(page).toHaveURL(/q=is%3Aopen$/)
  await page.goto(`${page.url()}&phase=1`)
  await expect(headings(page)).toHaveCount(2)
  await expect(page).toHaveURL(/q=is%3Aopen.*phase=1/)
  await shoot(page, 'views-list')

  await viewMenu(page, 'Save view')
  const dialog = page.getByRole('dialog', { name: 'Save View' })
  await dialog.getByLabel('Name').fill('To do')
  await dialog.getByRole('button', { name: 'Everyone in the project' }).click()
  await dialog.getByLabel('Start with this view for everyone').check()
  await axe(page)
  await dialog.getByRole('button', { name: 'SAVE' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/layout=list.*view=\d+/)
  await expect(page.getByText('View To do')).toBeVisible()

  // An address with parameters is another view; without them the default view is shown and written into the address.
  await page.goto(`/view-project/${idProject}?layout=tree&title=zzzz`)
  await expect(page.getByText('No ticket matches')).toBeVisible()
  await page.goto(`/view-project/${idProject}`)
  await expect(page).toHaveURL(/q=is%3Aopen\+phase%3Aproposed.*view=\d+/)
  await expect(headings(page)).toHaveCount(2)

  await page.getByLabel('My Tickets').check()
  await expect(page.getByText('View To do (changed)')).toBeVisible()
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText('(changed)')).toBeHidden()
  await expect(page).toHaveURL(/is%3Amine/)
  await page.getByRole('button', { name: 'Load View' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Clear filters',
    'My active tickets',
    'Active tickets',
    'My proposed tickets',
    'Proposed tickets',
    /^To do\d+$/,
  ])
  await axe(page)
  await page.getByRole('menuitem', { name: 'Clear filters' }).click()
  await expect(page.getByText('View To do')).toBeHidden()
  await expect(page).not.toHaveURL(/q=/)

  // The file has the rows of the list, in its order.
  await page.goto(`/view-project/${idProject}?layout=list&group=State&title=list&sort=ID.desc&columns=Created`)
  await expect(page.locator('table[aria-busy=false]')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
  expect(Object.fromEntries(new URL((await download).url()).searchParams)).toEqual({
    idProject: String(idProject),
    Query: 'title:"*list*"',
    Columns: 'Created',
    Sort: 'State.asc,ID.desc',
    Zone: 'Asia/Tokyo',
  })
  const [, ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  const listed = await rows(page).evaluateAll(all => all.map(row => row.getAttribute('data-key')))
  expect(listed.length).toBeGreaterThan(1)
  expect(lines.map(line => /-(\d+),/.exec(line)?.[1])).toEqual(listed)

  await viewMenu(page, 'Saved views')
  await page.getByRole('button', { name: 'Delete To do' }).click()
  await expect(page.getByText('Everybody in the project loses it.')).toBeVisible()
  await page.getByRole('button', { name: 'DELETE', exact: true }).click()
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByRole('button', { name: 'Move To do' })).toBeVisible()
  await shoot(page, 'views-dialog')
})

test('without a mouse a view is saved, shared, moved to the top, made the default and deleted; its count follows the changes of others', {
  tag: '@long',
}, async ({ page, titanium, axe }) => {
  const { projectId: idProject, templates } = await titanium()
  const press = async (target: Locator, key: 'Enter' | 'Space') => {
    await target.focus()
    await page.keyboard.press(key)
  }
  const choose = async (opener: Locator, ...keys: string[]) => {
    await press(opener, 'Enter')
    await expect(page.locator('[role=menu] :focus')).toHaveCount(1)
    for (const key of keys) await page.keyboard.press(key)
  }
  await callBeside(page, setView, { idProject, Name: 'All bugs', Query: 'type:Bug', Layout: 'list' })

  // What somebody else adds is counted while the menu is open.
  await listenAt(page, `/view-project/${idProject}`)
  await choose(page.getByRole('button', { name: 'Load View' }))
  const counted = page.getByRole('menuitem', { name: /^All bugs/ })
  await expect(counted).toHaveText('All bugs3')
  await callBeside(page, createNewTicket, { idProject, idTemplate: templates.bug, Title: 'Another one' })
  await expect(counted).toHaveText('All bugs4')
  await page.keyboard.press('Escape')

  // All levels open by keys, and the file comes from the palette.
  const viewButton = page.getByRole('button', { name: 'View', exact: true })
  await choose(viewButton, ...'Expand', 'Enter')
  await expect(page.locator('tr[data-key][aria-level="2"]')).not.toHaveCount(0)
  const download = page.waitForEvent('download')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('export as')
  await expect(page.getByRole('option', { name: 'Export as CSV' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
  await choose(viewButton, 'End', 'ArrowUp', 'Enter')
  const save = page.getByRole('dialog', { name: 'Save View' })
  await expect(save.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Mine')
  await axe(page)
  await page.keyboard.press('Enter')
  await expect(save).toBeHidden()
  await expect(page).toHaveURL(/view=\d+/)

  await choose(viewButton, 'End', 'Enter')
  const views = page.getByRole('dialog', { name: 'Views' })
  await expect(views.getByRole('listitem')).toHaveText([/All bugs/, /Mine/])
  await axe(page)
  await press(views.getByRole('button', { name: 'Move Mine' }), 'Space')
  for (const key of ['ArrowUp', 'Space']) await page.keyboard.press(key)
  await expect(views.getByRole('listitem')).toHaveText([/Mine/, /All bugs/])

  await press(views.getByRole('button', { name: 'Edit Mine' }), 'Enter')
  const edit = page.getByRole('dialog', { name: 'Edit View' })
  await press(edit.getByRole('button', { name: 'Everyone in the project' }), 'Space')
  await press(edit.getByLabel('Start with this view for everyone'), 'Space')
  await axe(page)
  await press(edit.getByRole('button', { name: 'SAVE' }), 'Enter')
  await expect(edit).toBeHidden()
  await expect(views.getByRole('listitem')).toHaveText([/Mine.*shared by me · opens first/, /All bugs.*only me/])

  await press(views.getByRole('button', { name: 'Delete All bugs' }), 'Enter')
  const ask = page.getByRole('alertdialog').or(page.getByRole('dialog', { name: 'Delete the view All bugs?' }))
  await expect(ask).toBeVisible()
  await axe(page)
  await press(ask.getByRole('button', { name: 'DELETE' }), 'Enter')
  await expect(views.getByRole('listitem')).toHaveText([/Mine/])
  expect(await callBeside(page, getViewList, { idProject })).toMatchObject([{ Name: 'Mine', Scope: 'project', Default: 1 }])
  await page.keyboard.press('Escape')
  await expect(views).toBeHidden()

  // A board says what is wrong with a query where the list does.
  await page.goto(`/view-project/${idProject}?layout=board&q=is%3Aopen+stat%3Ax`)
  await expect(page.getByRole('alert')).toContainText("There is nothing named 'stat', at character 9")
  await page.getByRole('button', { name: 'state', exact: true }).click()
  await expect(page).toHaveURL(/q=is%3Aopen\+state%3Ax/)
  await expect(page.getByRole('alert')).toHaveCount(0)

  // The tree takes the place of the board, and the focus is where it was.
  await page.setViewportSize({ width: 390, height: 844 })
  await choose(viewButton, 'Home', 'Enter')
  await expect(page).not.toHaveURL(/layout=/)
  await expect(viewButton).toBeFocused()
  // On a phone the menu stays in the window when its entries become wider.
  await choose(viewButton)
  await page.getByRole('menuitemcheckbox', { name: 'List', exact: true }).click()
  await expect(page.getByRole('menuitemcheckbox', { name: 'Group by Severity' })).toBeVisible()
  const edge = () => page.getByRole('menu', { name: 'View' }).evaluate(menu => menu.getBoundingClientRect().right)
  await expect.poll(edge).toBeLessThanOrEqual(390)
})

test('a saved view follows a renamed label; UNDO of a renaming that somebody has overtaken says so', { tag: '@long' }, async ({
  page,
  titanium,
}) => {
  const { projectId: idProject } = await titanium({ admin: true })
  const { idLabel } = await callBeside(page, setLabel, { idProject, Label: 'crash' })
  await callBeside(page, setView, { idProject, Name: 'Crashes', Query: 'label:crash' })
  await page.goto(`/edit-project/${idProject}`)
  await page.getByRole('rowheader', { name: 'crash' }).getByRole('button').click()
  await page.getByRole('textbox', { name: 'Label' }).fill('defect')
  await page.getByRole('dialog').getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('The label was changed')).toBeVisible()
  await callBeside(page, setLabel, { idProject, idLabel, Label: 'fault' })
  await page.getByRole('button', { name: 'UNDO' }).click()
  await expect(page.getByText('Somebody else changed this label meanwhile')).toBeVisible()
  await page.goto(`/view-project/${idProject}`)
  await page.getByRole('button', { name: 'Load View' }).click()
  await page.getByRole('menuitem', { name: /Crashes/ }).click()
  await expect(page).toHaveURL(/q=label%3Afault/)
  // The open page follows too, without another step back.
  const steps = () => page.evaluate(() => history.length)
  const before = await steps()
  await callBeside(page, setLabel, { idProject, idLabel, Label: 'flaw' })
  await expect(page).toHaveURL(/q=label%3Aflaw/)
  await expect(page.getByText('View Crashes', { exact: true })).toBeVisible()
  expect(await steps()).toBe(before)
})
