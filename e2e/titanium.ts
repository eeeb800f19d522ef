import type { Db } from '@tessera/server/db/db'
import { makeMember, makeProject, makeTicket } from '@tessera/server/test/fixtures/factories'

/** A typical project: seven states, five types, tickets on three levels, and the ids that the tests need. */
export async function makeTitanium(
  { db }: { db: Db },
  person: { idUser: number; idOrganization: number },
  permissions: readonly number[] | 'all' = 'all',
) {
  const { idOrganization } = person
  const shortCode = `TIMOB${person.idUser}`
  const made = await makeProject(db, idOrganization, { title: 'Titanium Mobile', shortCode })
  const project = { organization_id: idOrganization, project_id: made.projectId }
  await makeMember(db, idOrganization, made.projectId, person.idUser, permissions)

  const stateNames = { open: 'Open', doing: 'In Progress', done: 'Closed' } as const
  for (const [key, name] of Object.entries(stateNames))
    await db
      .updateTable('state')
      .set({ name })
      .where('organization_id', '=', idOrganization)
      .where('id', '=', made.states[key as keyof typeof stateNames])
      .execute()
  const [reopened = 0, review = 0, test = 0, resolved = 0] = (
    await db
      .insertInto('state')
      .values(
        (
          [
            ['Reopened', 1],
            ['In Review', 2],
            ['In QE Test', 2],
            ['Resolved', 3],
          ] as const
        ).map(([name, phase], index) => ({ ...project, name, phase, position: 3 + index })),
      )
      .returning('id')
      .execute()
  ).map(({ id }) => id)
  await db
    .updateTable('field')
    .set({ label: 'Acceptance' })
    .where('organization_id', '=', idOrganization)
    .where('id', '=', made.fields.note)
    .execute()
  const more = await db
    .insertInto('field')
    .values(
      (
        [
          ['severity', 'Severity', 2, ['High', 'Medium', 'Low']],
          ['component', 'Component', 3, []],
          ['estimate', 'Estimate (days)', 4, []],
          ['due', 'Due', 5, []],
          ['regression', 'Regression', 6, []],
          ['platforms', 'Platforms', 7, ['Android', 'iOS', 'Windows']],
          ['owner', 'Owner', 8, []],
          ['link', 'Pull request', 9, []],
        ] as const
      ).map(([key, label, type_id, options], index) => ({
        ...project,
        key,
        label,
        type_id,
        position: 2 + index,
        options: JSON.stringify(options.map(option => ({ value: option.toLowerCase(), label: option }))),
      })),
    )
    .returning('id')
    .execute()
  const [epic = 0, story = 0, subtask = 0] = (
    await db
      .insertInto('template')
      .values(
        ['Epic', 'Story', 'Sub-task'].map((name, index) => ({ ...project, name, entry_state_id: made.states.open, position: 2 + index })),
      )
      .returning('id')
      .execute()
  ).map(({ id }) => id)
  const fields = [made.fields.note, ...more.map(({ id }) => id)]
  await db
    .insertInto('template_field')
    .values(
      [epic, story, subtask].flatMap(template_id => fields.map((field_id, position) => ({ ...project, template_id, field_id, position }))),
    )
    .execute()

  const { open, doing, done } = made.states
  const { bug, task } = made.templates
  const ticket = (title: string, templateId: number, stateId: number, parentId?: number) =>
    makeTicket(db, idOrganization, made, { title, templateId, stateId, ...(parentId && { parentId }) })
  await ticket('Local notifications with actions', task, open)
  await ticket('Date picker ignores the locale of the device', bug, done)
  const flicker = await ticket('List view flickers while images load over a slow connection', bug, doing)
  const rotation = await ticket('Window management that survives rotation', epic, open)
  await ticket('Keep the scroll position of a list', story, open, rotation)
  const kernel = await ticket('Kernel: replace the JavaScript engine on both platforms', epic, doing)
  await ticket('Crash when a proxy is released twice on a background thread', bug, reopened, kernel)
  const bridge = await ticket('Remove the legacy bridge', story, resolved, kernel)
  await ticket('Delete the generated stubs', subtask, done, bridge)
  const loader = await ticket('Expose the new engine through the module loader', story, review, kernel)
  await ticket('Memory profile after 10,000 bridge calls', subtask, test, loader)
  await ticket('Measure start-up on a cold device', subtask, open, loader)
  const exceptions = await ticket('Map native exceptions to script errors, keep the original stack', subtask, doing, loader)
  for (const [ticket_id, role_id] of [
    [loader, made.roles.responsible],
    [exceptions, made.roles.assignee],
    [flicker, made.roles.assignee],
  ] as const)
    await db
      .insertInto('assignment')
      .values({ ...project, ticket_id, role_id, user_id: person.idUser })
      .execute()
  return {
    ...made,
    shortCode,
    states: { ...made.states, review, test, resolved, reopened },
    tickets: { kernel, loader, flicker, rotation, exceptions, bridge },
  }
}
