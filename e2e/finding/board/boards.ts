import type { Page } from '@playwright/test'
import { makeMember, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { sql } from 'kysely'
import type { Product } from '../../fixtures.ts'

/** A project with 59 tickets in Open, and two people in it. With a workflow they go to Doing, and from there back or to Done. */
export async function makeBoard({ db, person }: Product, hasWorkflow: boolean) {
  const [ada, ben] = [await person({ fullName: 'Ada Moss' }), await person({ fullName: 'Ben Ruiz' })]
  const organization = ada.idOrganization
  const project = await makeProject(db, organization, { title: 'Harbour' })
  for (const { idUser } of [ada, ben]) await makeMember(db, organization, project.projectId, idUser, 'all')
  const { open, doing, done } = project.states
  const steps = [
    [open, doing],
    [doing, open],
    [doing, done],
  ] as const
  for (const [from, to] of hasWorkflow ? steps : [])
    await sql`insert into state_transition (organization_id, project_id, from_state_id, to_state_id) values (${organization}, ${project.projectId}, ${from}, ${to})`.execute(
      db,
    )
  await sql`
    insert into ticket (organization_id, project_id, template_id, state_id, title)
    select ${organization}, ${project.projectId}, ${project.templates.bug}, ${open}, 'Buoy ' || i from generate_series(1, 56) i`.execute(db)
  await sql`
    insert into ticket_tally (organization_id, project_id, template_id, state_id, root, slot, tickets)
    values (${organization}, ${project.projectId}, ${project.templates.bug}, ${open}, true, 0, 56)`.execute(db)
  await sql`insert into root_tally (organization_id, project_id, slot, tickets) values (${organization}, ${project.projectId}, 0, 56)`.execute(
    db,
  )
  const make = (title: string, more: object = {}) => makeTicket(db, organization, project, { title, ...more })
  const pier = await make('Pier')
  const [rope, crane] = [await make('Rope', { parentId: pier }), await make('Crane', { parentId: pier })]
  const lamp = await make('Lamp', { stateId: doing })
  return { ada, ben, project, pier, rope, crane, lamp, url: `/view-project/${project.projectId}?layout=board` }
}

/** The middle of a ticket's card, in the page's pixels. */
export async function middle(page: Page, title: string) {
  const box = await page.getByRole('link', { name: title }).boundingBox()
  if (!box) throw new Error(`no card ${title}`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
/** Drags a card there, without dropping it. */
export async function carry(page: Page, title: string, to: { x: number; y: number }) {
  const from = await middle(page, title)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.move(to.x, to.y, { steps: 4 })
}

export async function chooseLanes(page: Page, name: string) {
  await page.getByRole('combobox', { name: 'Lanes' }).click()
  await page.getByRole('option', { name, exact: true }).click()
}
