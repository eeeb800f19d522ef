import type { Locator, Page } from '@playwright/test'
import { getStateTransitions, setStateTransitions } from '@tessera/contract/projects/project-config'
import { makeTicket } from '@tessera/server/test/fixtures/factories'
import { callBeside } from '../call.ts'
import { box, expect, type Product, test } from '../fixtures.ts'
import { drag, makeStudio, names } from './studio.ts'

// Each screenshot is checked by axe at two widths and in two color schemes.
test.describe.configure({ timeout: 180_000 })

async function makeState({ db }: Product, organization_id: number, project_id: number, name: string) {
  await db.insertInto('state').values({ organization_id, project_id, name, phase: 2, position: 9 }).execute()
}

test('UNDO restores a deleted state in its place, with its transitions and its tickets', { tag: '@long' }, async ({
  page,
  product,
  signIn,
}) => {
  const { admin, idOrganization, project, url } = await makeStudio(product)
  const { open, doing, done } = project.states
  for (let index = 0; index < 3; index++)
    await makeTicket(product.db, idOrganization, project, { stateId: doing, title: `Spline ${index}` })
  for (const [from, to] of [
    [open, doing],
    [doing, done],
  ]) {
    await product.db
      .insertInto('state_transition')
      .values({
        organization_id: idOrganization,
        project_id: project.projectId,
        from_state_id: from as number,
        to_state_id: to as number,
      })
      .execute()
  }
  await signIn(page, admin)
  await page.goto(url)
  const states = page.getByRole('region', { name: 'Ticket States' })
  const asked = page.getByRole('alertdialog')
  const undo = page.getByRole('button', { name: 'UNDO' })
  await states.getByRole('checkbox', { name: 'Select Doing' }).check()
  await states.getByRole('button', { name: 'Delete selected states' }).click()
  await asked.getByLabel('Move 3 tickets to').click()
  await page.getByRole('option', { name: 'Done' }).click()
  await asked.getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('1 state deleted, 3 tickets moved to Done')).toBeVisible()
  await expect.poll(() => names(states)).toEqual(['Open', 'Done'])
  // The toast outlives its page, and stays while the pointer is on it.
  await page.locator('[data-toast]').hover()
  await page.getByRole('link', { name: 'Project overview' }).press('Enter')
  await expect(page).toHaveURL(/view-project/)
  await expect(page.getByRole('row', { name: /Spline 0/ })).toContainText('Done')
  await undo.click()
  await expect(page.getByText('The state is back, 3 tickets with it')).toBeVisible()
  await expect(page.getByRole('row', { name: /Spline 0/ })).toContainText('Doing')
  await page.goto(url)
  await expect.poll(() => names(states)).toEqual(['Open', 'Doing', 'Done'])
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
  await expect(page.getByRole('dialog').locator('.react-flow__edge')).toHaveCount(2)
  await page.keyboard.press('Escape')

  // If the name has been reused, the deleted one cannot be restored, and a message says so.
  await states.getByRole('checkbox', { name: 'Select Doing' }).check()
  await states.getByRole('button', { name: 'Delete selected states' }).click()
  await asked.getByLabel('Move 3 tickets to').click()
  await page.getByRole('option', { name: 'Open' }).click()
  await asked.getByRole('button', { name: 'DELETE' }).click()
  await expect(page.getByText('1 state deleted, 3 tickets moved to Open')).toBeVisible()
  await makeState(product, idOrganization, project.projectId, 'Doing')
  await undo.click()
  await expect(page.getByText('This project already has a state named Doing')).toBeVisible()
})

test('the workflow is drawn by mouse and keyboard, shows its flaws, and is saved whole [2.92]', async ({
  page,
  product,
  signIn,
  shoot,
}) => {
  const { admin, project, url } = await makeStudio(product)
  const { open, doing, done } = project.states
  await signIn(page, admin)
  await page.goto(url)
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
  const dialog = page.getByRole('dialog', { name: 'Flow Diagram' })
  const node = (id: number) => dialog.locator(`.react-flow__node[data-id="${id}"]`)
  await expect(node(open)).toBeVisible()
  await expect(dialog.getByText('No moves are set: every state can change to every other.')).toBeVisible()
  await drag(page, node(open).locator('.react-flow__handle-right'), node(doing).locator('.react-flow__handle-left'))
  await expect(dialog.getByText('Done cannot be reached; Doing and Done cannot be left')).toBeVisible()
  await node(doing).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('checkbox', { name: 'From Doing to Done' }).press('Space')
  await dialog.getByRole('checkbox', { name: 'From Doing to Open' }).press('Space')
  await expect(dialog.locator('.react-flow__edge')).toHaveCount(3)
  await shoot(page, 'workflow')
  await dialog.getByRole('tab', { name: 'TABLE' }).click()
  await dialog.getByRole('checkbox', { name: 'From Done to Open' }).check()
  await expect(dialog.getByText('cannot be left')).toHaveCount(0)
  await shoot(page, 'workflow-table')
  // With a zoom of 200 % the dialog scrolls as a whole: nothing is squeezed or covers anything else.
  const size = page.viewportSize() as { width: number; height: number }
  await page.setViewportSize({ width: 640, height: 400 })
  expect((await box(dialog.getByRole('table'))).height).toBeGreaterThan(120)
  const areaOf = async (part: Locator) => (await box(part)).height
  expect(await areaOf(dialog.locator(':has(> table)'))).toBeGreaterThan(120)
  await dialog.getByRole('tab', { name: 'DIAGRAM' }).click()
  const canvas = await box(dialog.locator('.react-flow').first())
  const holds = await box(dialog.getByRole('switch'))
  expect(holds.y).toBeGreaterThanOrEqual(canvas.y + canvas.height)
  await page.setViewportSize(size)
  await dialog.locator(`.react-flow__edge[data-id="${done}>${open}"]`).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Delete')
  await expect(dialog.locator('.react-flow__edge')).toHaveCount(3)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toContainText('Discard your changes')
  await page.getByRole('alertdialog').getByRole('button', { name: 'KEEP EDITING' }).click()
  await dialog.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('Workflow saved: 3 moves')).toBeVisible()
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
  await expect(dialog.locator('.react-flow__edge')).toHaveCount(3)
})

test('a state dragged in the diagram keeps its position; ARRANGE resets it', { tag: '@long' }, async ({ page, product, signIn }) => {
  const { admin, project, url } = await makeStudio(product)
  await signIn(page, admin)
  await page.goto(url)
  const dialog = page.getByRole('dialog', { name: 'Flow Diagram' })
  const place = (id: number) => dialog.locator(`.react-flow__node[data-id="${id}"]`).evaluate(node => (node as HTMLElement).style.transform)
  const { doing, done } = project.states
  const open = async () => {
    await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
    await expect(dialog.locator('.react-flow__node')).toHaveCount(3)
  }
  await open()
  const laidOut = [await place(doing), await place(done)]
  const node = dialog.locator(`.react-flow__node[data-id="${doing}"]`)
  await node.focus()
  for (const key of ['Shift+Tab', 'Tab']) await page.keyboard.press(key)
  await expect(node).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Enter')
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown')
  await expect.poll(() => place(doing)).not.toBe(laidOut[0])
  const moved = await place(doing)
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await open()
  await expect.poll(async () => [await place(doing), await place(done)]).toEqual([moved, laidOut[1]])
  await page.reload()
  await open()
  await expect.poll(() => place(doing)).toBe(moved)
  await drag(page, node, dialog.locator(`.react-flow__node[data-id="${done}"]`), 3)
  await expect.poll(() => place(doing)).not.toBe(moved)
  const dragged = await place(doing)
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await open()
  await expect.poll(() => place(doing)).toBe(dragged)
  await dialog.getByRole('button', { name: 'ARRANGE' }).click()
  await expect.poll(() => place(doing)).toBe(laidOut[0])
  await dialog.getByRole('button', { name: 'CANCEL' }).click()
  await open()
  expect([await place(doing), await place(done)]).toEqual(laidOut)
})

test('a workflow that somebody else saved meanwhile is not overwritten without asking', { tag: '@long' }, async ({
  page,
  browser,
  product,
  signIn,
}) => {
  const { admin, url } = await makeStudio(product)
  await signIn(page, admin)
  const other = await browser.newPage({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
  await signIn(other, admin)
  const tick = async (where: Page, move: string) => {
    await where.goto(url)
    await where.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
    await where.getByRole('tab', { name: 'TABLE' }).click()
    await where.getByRole('checkbox', { name: move }).check()
  }
  await tick(page, 'From Open to Doing')
  await tick(other, 'From Doing to Done')
  await other.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(other.getByText('Workflow saved: 1 move')).toBeVisible()
  await other.close()
  const save = page.getByRole('button', { name: 'SAVE', exact: true })
  // The page may already know by a live update, and then refuses the click.
  await save.dispatchEvent('click')
  await expect(page.getByText('Somebody else saved the workflow meanwhile: 1 move')).toBeVisible()
  await expect(save).toBeDisabled()
  await page.getByRole('button', { name: 'KEEP MINE' }).click()
  await save.click()
  await expect(page.getByText('Workflow saved: 1 move')).toBeVisible()
})

test('on a phone a large diagram begins with the initial state', { tag: '@long' }, async ({ page, product, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { admin, idOrganization, project, url } = await makeStudio(product)
  const idProject = project.projectId
  for (let n = 1; n <= 8; n++) await makeState(product, idOrganization, idProject, `Unused ${n}`)
  await signIn(page, admin)
  const { Version } = await callBeside(page, getStateTransitions, { idProject })
  const { open, doing, done } = project.states
  const Transitions = [
    { from: done, to: doing },
    { from: doing, to: open },
  ]
  await callBeside(page, setStateTransitions, { idProject, Transitions, Version })
  await page.goto(url)
  await page.getByRole('button', { name: 'FLOW DIAGRAM' }).click()
  await page.getByRole('tab', { name: 'DIAGRAM' }).click()
  const initial = page.locator('.react-flow__node', { hasText: 'Initial' })
  await expect(initial).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'ARRANGE' }).click()
  await expect(initial).toBeInViewport({ ratio: 1 })
})
