import { bugs, day, type Login, type Project } from './content.ts'
import { bugDetails, epicDetails, links, storyDetails } from './content-of-teamwork.ts'
import type { MadeTicket, Making } from './project-shape.ts'
import type { NewTicket } from './tickets.ts'

type MakeTicket = (ticket: NewTicket) => Promise<MadeTicket>

const priorities = ['low', 'normal', 'high', 'urgent']

/** States of phase Inactive: a path that ends in one of them is finished work. */
const inactive = [5, 6]

/** The planned day. If it has passed and the work is still open, it was postponed, except for one ticket in six, which is late. */
function dueDate(planned: number, path: readonly number[]) {
  const days = Math.floor(planned / day)
  const isOver = inactive.includes(path.at(-1) ?? 0)
  const wasPutOff = !isOver && planned < Date.now() && days % 6 !== 0
  return new Date(wasPutOff ? Date.now() + (3 + (days % 40)) * day : planned).toISOString().slice(0, 10)
}

/** Epics with their stories, and stories with their tasks. */
export async function makeEpics({ ids, roll, pick }: Making, project: Project, make: MakeTicket) {
  const beginning = Date.now() - 170 * day
  for (const [order, epic] of project.epics.entries()) {
    // Earlier epics are further along.
    const progress = 1 - order / project.epics.length
    const epicCreated = beginning + order * 18 * day + roll(5) * day
    const epicIsDone = progress > 0.9
    const epicPath = epicIsDone ? [0, 1, 2, 3, 5] : progress > 0.4 ? [0, 1, 2] : progress > 0.2 ? [0, 1] : [0]
    const { id: epicId, key: epicKey } = await make({
      type: 'Epic',
      title: epic.title,
      parentId: null,
      created: epicCreated,
      path: epicPath,
      values: {
        description: epicDetails(epic.about, epicIsDone),
        contact: String(ids[project.team[0] as Login]),
        due: dueDate(epicCreated + 120 * day, epicPath),
      },
      thing: 'the whole',
      comments: 1 + roll(2),
      pictures: 0,
    })
    for (const [title, thing] of epic.stories) {
      const storyCreated = epicCreated + (2 + roll(20)) * day
      const chance = progress + roll(40) / 100 - 0.2
      const path = chance > 0.8 ? [0, 1, 2, 3, 5] : chance > 0.65 ? [0, 1, 2, 3] : chance > 0.4 ? [0, 1, 2] : chance > 0.25 ? [0, 1] : [0]
      if (path.length === 3 && roll(4) === 0) path.push(4)
      const storyPath = roll(14) === 0 ? [0, 6] : path
      const { id: storyId } = await make({
        type: 'Story',
        title,
        parentId: epicId,
        created: storyCreated,
        path: storyPath,
        values: {
          description: storyDetails(epic.about, thing, epicKey),
          priority: priorities[Math.min(3, roll(5))] ?? 'normal',
          part: JSON.stringify([pick(project.components).toLowerCase()]),
          due: dueDate(storyCreated + (30 + roll(50)) * day, storyPath),
          ...(roll(4) === 0 ? { link: `https://wiki.larkfield.example/${project.shortCode.toLowerCase()}/${roll(400) + 100}` } : {}),
        },
        thing,
        comments: roll(5),
        pictures: roll(project.shortCode === 'OPS' ? 2 : 4) === 0 ? 1 + roll(3) : 0,
      })
      const first = roll(project.tasks.length)
      for (let index = 0; index < 3 + roll(3); index++) {
        const created = storyCreated + (1 + roll(12)) * day
        const done = path.length >= 4 || roll(3) === 0
        const taskPath = path.length < 3 ? [0, 1].slice(0, 1 + roll(2)) : done ? [0, 1, 2, 3, 5] : [0, 1, 2]
        await make({
          type: 'Task',
          title: (project.tasks[(first + index) % project.tasks.length] ?? '').replaceAll('%', thing),
          parentId: storyId,
          created,
          path: taskPath,
          values: { hours: String([0.5, 1, 2, 3, 5, 8][roll(6)]), due: dueDate(created + (10 + roll(30)) * day, taskPath) },
          thing,
          comments: roll(4) === 0 ? 1 : 0,
          pictures: 0,
        })
      }
    }
  }
}

const duplicates = new Set(links.filter(([, kind]) => kind === 'duplicates').map(([from]) => from))

export async function makeBugs({ roll, pick }: Making, project: Project, make: MakeTicket) {
  for (const title of bugs[project.shortCode] ?? []) {
    const created = Date.now() - (2 + roll(60)) * day
    await make({
      type: 'Bug',
      title,
      parentId: null,
      created,
      path: duplicates.has(title) ? [1, 6] : ([[1], [1, 2], [1, 2, 3], [1, 2, 3, 5]][roll(4)] ?? [1]),
      values: {
        description: bugDetails(title, ['RIDE', 'DOCK'].includes(project.shortCode)),
        priority: priorities[1 + roll(3)] ?? 'high',
        part: JSON.stringify([pick(project.components).toLowerCase()]),
        ...(roll(3) === 0 ? { safety: '1' } : {}),
      },
      thing: 'it',
      comments: 1 + roll(4),
      pictures: roll(3) === 0 ? 1 : 0,
    })
  }
}
