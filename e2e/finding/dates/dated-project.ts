import type { Locator, Page } from '@playwright/test'
import { permission } from '@tessera/contract/permissions'
import { makeField, makeMember, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import { sql } from 'kysely'
import { box, expect, type Product } from '../../fixtures.ts'

/** The DATE fields of the project, with the tickets' days. */
interface Days {
  begin?: string
  due?: string
}

/** A project with two DATE fields, Ada who may do everything there, and Ben who only sees it. */
export async function makeDatedProject({ db, person }: Product) {
  const [ada, ben] = [await person({ fullName: 'Ada Moss' }), await person({ fullName: 'Ben Ruiz' })]
  const organization = ada.idOrganization
  const project = await makeProject(db, organization, { title: 'Harbour' })
  await makeMember(db, organization, project.projectId, ada.idUser, 'all')
  await makeMember(db, organization, project.projectId, ben.idUser, [permission.viewTickets])
  const fields = {
    due: await makeField(db, organization, project, 'due', 'DATE', { label: 'Due' }),
    begin: await makeField(db, organization, project, 'begin', 'DATE', { label: 'Begin' }),
  }
  const make = async (title: string, days: Days = {}, more: object = {}) => {
    const id = await makeTicket(db, organization, project, { title, ...more })
    for (const key of ['begin', 'due'] as const)
      if (days[key]) {
        await sql`insert into ticket_value (organization_id, ticket_id, field_id, value)
          values (${organization}, ${id}, ${fields[key]}, ${days[key]})`.execute(db)
      }
    return id
  }
  return { ada, ben, project, make, url: `/view-project/${project.projectId}` }
}

/** The middle of an element, on the screen. */
export async function middle(element: Locator) {
  const { x, y, width, height } = await box(element)
  return { x: x + width / 2, y: y + height / 2 }
}

export async function saveView(page: Page, name: string) {
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save view' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'SAVE', exact: true }).click()
  await expect(page.getByText('The view was saved')).toBeVisible()
}
export async function chooseLayout(page: Page, name: string) {
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name }).click()
}
