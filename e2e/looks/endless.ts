import { makeMember, makeOrganization, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'
import type { Product } from '../fixtures.ts'

export const endless = 'AnEndlessNameWithoutAnyBlank'.repeat(6)

/** A project whose names have the maximum length, with a ticket that uses them all. */
export async function makeEndless({ db, person }: Product) {
  const idOrganization = await makeOrganization(db)
  const admin = await person({ fullName: 'Dana Kim', admin: true, idOrganization })
  const project = await makeProject(db, idOrganization, { title: 'Titanium', shortCode: 'SIXTEEN_LETTERS_' })
  const { projectId, states, fields, templates } = project
  const owned = { organization_id: idOrganization, project_id: projectId }
  const id = await makeMember(db, idOrganization, projectId, admin.idUser, 'all')
  await db.updateTable('state').set({ name: endless }).where('organization_id', '=', idOrganization).where('id', '=', states.open).execute()
  await db
    .updateTable('field')
    .set({ label: endless })
    .where('organization_id', '=', idOrganization)
    .where('id', '=', fields.size)
    .execute()
  await db
    .updateTable('template')
    .set({ name: endless })
    .where('organization_id', '=', idOrganization)
    .where('id', '=', templates.task)
    .execute()
  await db
    .insertInto('field')
    .values({ ...owned, key: 'description', label: 'Description', type_id: 1, position: 2 })
    .execute()
  const ticket = await makeTicket(db, idOrganization, project, { title: 'W'.repeat(500), templateId: templates.task })
  return { admin, idOrganization, projectId, ticket, project, member: id }
}
