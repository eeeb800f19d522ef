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
  const standings: Record<string, Input> = { manager: { manager: true }, 'super user': { super: true }, member: {} }
  const idUser = await makeUser(db, organizationId, standings[target] ?? { admin: true })
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

/** The input with another id in a parameter that the matrix names, such as `idTicket:ticket`, `ids[]:label` or `Moves[].idTicket:ticket`. */
export function withId(input: Input, parameter: string, id: number): Input {
  const copy = structuredClone(input)
  const [path = ''] = parameter.split(':')
  const [top = '', member] = path.split('[].')
  if (path.endsWith('[]')) {
    const list = path.slice(0, -2)
    copy[list] = [...((copy[list] as number[] | undefined) ?? []), id]
  } else if (member !== undefined) {
    const rows = (copy[top] ?? [{}]) as Input[]
    copy[top] = rows.map((row, index) => (index === 0 ? { ...row, [member]: id } : row))
  } else copy[top] = id
  return copy
}
