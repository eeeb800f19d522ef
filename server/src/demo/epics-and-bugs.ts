import { bugs, day, type Epic, type Login, type Project } from './content.ts'
import { bugDetails, epicDetails, links, storyDetails } from './content-of-teamwork.ts'
import type { MadeTicket, Making } from './project-shape.ts'
import type { NewTicket } from './tickets.ts'

type MakeTicket = (ticket: NewTicket) => Promise<MadeTicket>
type Place = Making & { project: Project; make: MakeTicket }

/** An epic that has been made, with what its stories need of it. */
interface EpicMade {
  ticket: MadeTicket
  about: string
  /** How much of it is done, from 0 to 1. */
  progress: number
}
interface StoryMade {
  id: number
  created: number
  /** The path of its work, which its tasks follow even where the story itself was rejected. */
  planned: readonly number[]
  thing: string
}

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

/** When the work is to be done: it takes at most `longest` days and is due on its planned day. */
function plannedDays(planned: number, longest: number, path: readonly number[]) {
  const due = dueDate(planned, path)
  const days = 1 + (Math.floor(planned / day) % longest)
  return { start: new Date(Date.parse(due) - days * day).toISOString().slice(0, 10), due }
}

/** The path of work: one state more for each number that the progress exceeds. */
function pathAt(progress: number, numbers: readonly number[]) {
  return [0, 1, 2, 3, 5].slice(0, 1 + numbers.filter(number => progress > number).length)
}

/** Epics with their stories, and stories with their tasks. The order of the random draws decides what every demo contains. */
export async function makeEpics(making: Making, project: Project, make: MakeTicket) {
  const place = { ...making, project, make }
  const beginning = Date.now() - 170 * day
  for (const [order, epic] of project.epics.entries()) {
    const created = beginning + order * 18 * day + making.roll(5) * day
    // Earlier epics are further along.
    await makeEpic(place, epic, created, 1 - order / project.epics.length)
  }
}

async function makeEpic(place: Place, epic: Epic, created: number, progress: number) {
  const { ids, roll, project, make } = place
  const path = pathAt(progress, [0.2, 0.4, 0.9, 0.9])
  const ticket = await make({
    type: 'Epic',
    title: epic.title,
    parentId: null,
    created,
    path,
    values: {
      description: epicDetails(epic.about, path.includes(5)),
      contact: String(ids[project.team[0] as Login]),
      ...plannedDays(created + 120 * day, 90, path),
    },
    thing: 'the whole',
    comments: 1 + roll(2),
    pictures: 0,
  })
  for (const [title, thing] of epic.stories) await makeStory(place, { title, thing }, { ticket, about: epic.about, progress })
}

async function makeStory(place: Place, { title, thing }: { title: string; thing: string }, epic: EpicMade) {
  const { roll, pick, project, make } = place
  const created = epic.ticket.created + (2 + roll(20)) * day
  const planned = pathAt(epic.progress + roll(40) / 100 - 0.2, [0.25, 0.4, 0.65, 0.8])
  if (planned.length === 3 && roll(4) === 0) planned.push(4)
  const path = roll(14) === 0 ? [0, 6] : planned
  const { id } = await make({
    type: 'Story',
    title,
    parentId: epic.ticket.id,
    created,
    path,
    values: {
      description: storyDetails(epic.about, thing, epic.ticket.key),
      priority: priorities[Math.min(3, roll(5))] ?? 'normal',
      part: JSON.stringify([pick(project.components).toLowerCase()]),
      ...plannedDays(created + (30 + roll(50)) * day, 28, path),
      ...(roll(4) === 0 ? { link: `https://wiki.larkfield.example/${project.shortCode.toLowerCase()}/${roll(400) + 100}` } : {}),
    },
    thing,
    comments: roll(5),
    pictures: roll(project.shortCode === 'OPS' ? 2 : 4) === 0 ? 1 + roll(3) : 0,
  })
  await makeTasks(place, { id, created, planned, thing })
}

async function makeTasks({ roll, project, make }: Place, story: StoryMade) {
  const { thing } = story
  const first = roll(project.tasks.length)
  for (let index = 0; index < 3 + roll(3); index++) {
    const created = story.created + (1 + roll(12)) * day
    const isDone = story.planned.length >= 4 || roll(3) === 0
    const begun = isDone ? [0, 1, 2, 3, 5] : [0, 1, 2]
    const path = story.planned.length < 3 ? [0, 1].slice(0, 1 + roll(2)) : begun
    await make({
      type: 'Task',
      title: (project.tasks[(first + index) % project.tasks.length] ?? '').replaceAll('%', thing),
      parentId: story.id,
      created,
      path,
      values: { hours: String([0.5, 1, 2, 3, 5, 8][roll(6)]), ...plannedDays(created + (10 + roll(30)) * day, 9, path) },
      thing,
      comments: roll(4) === 0 ? 1 : 0,
      pictures: 0,
    })
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
