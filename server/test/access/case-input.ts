import { randomUUID } from 'node:crypto'
import { makeUser } from '../fixtures/factories.ts'
import type { TestServer } from '../servers/server.ts'
import { freshLabel, gone, inProject, name, usedId } from './fresh.ts'
import type { Input, Make } from './inputs.ts'
import type { Place } from './world.ts'

/** What the cases of the matrix change, and of whom: 'e-mail of a manager'. */
export async function caseInput(text: string, place: Place, server: TestServer): Promise<Input> {
  const { organizationId, project } = place
  const { db } = server
  const ofOrganization: Record<string, Make> = {
    'new label of the organization': () => ({ ...inProject(place), Label: name('Label'), Scope: 'organization' }),
    'change of an organization label': async () => ({
      ...inProject(place),
      idLabel: await freshLabel(place, server, null),
      Label: name('Label'),
    }),
    'deletion of an organization label': async () => ({ ...inProject(place), ids: [await freshLabel(place, server, null)] }),
    'restoration of an organization label': async () => ({
      ...inProject(place),
      ids: [await gone(place, server, 'label', await usedId(server, 'label'), { Name: name('Label'), Color: '#00aa77' }, false)],
    }),
  }
  const make = ofOrganization[text]
  if (make) return make(place, server)
  const [part = '', target = ''] = text.split(/ ?\bof an? /)
  const standing: Input = {
    [target === 'manager' ? 'manager' : target === 'super user' ? 'super' : target === 'member' ? '' : 'admin']: true,
  }
  const idUser = await makeUser(db, organizationId, standing)
  const changes: Record<string, Input> = {
    '': { idOrganization: organizationId },
    names: { RealName: name('Real') },
    'e-mail': { Email: `${randomUUID()}@example.com` },
    login: { LoginName: randomUUID() },
    deactivation: { Active: 0 },
    projects: { ProjectMembership: [project.projectId] },
  }
  return { idUser, ...changes[part] }
}

/** The id parameters of each call beside those the matrix names in its inputs above: how to put an id into a valid input. */
export function withId(input: Input, parameter: string, id: number): Input {
  const copy = structuredClone(input)
  const [path = ''] = parameter.split(':')
  const names: Record<string, string> = { 'TicketAssign[].user': 'TicketAssign[].idUser', 'TicketAssign[].role': 'TicketAssign[].idRole' }
  const wire = (names[path] ?? path).replace('Assignees[].user', 'Assignees[].idUser').replace('Assignees[].role', 'Assignees[].idRole')
  const [head = '', member] = wire.split('[].')
  if (wire.endsWith('[]')) {
    const list = wire.slice(0, -2)
    copy[list] = [...((copy[list] as number[] | undefined) ?? []), id]
  } else if (member !== undefined) {
    const rows = (copy[head] ?? [{}]) as Input[]
    copy[head] = rows.map((row, index) => (index === 0 ? { ...row, [member]: id } : row))
  } else copy[head] = id
  return copy
}
