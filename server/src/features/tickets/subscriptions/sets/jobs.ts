import { sql } from 'kysely'
import { forLongTransaction } from '../../../../db/connections/connect.ts'
import { type Db, run } from '../../../../db/db.ts'
import { int8, type RowOf } from '../../../../db/shape.ts'
import { addJobs, type Job, type JobPayloads } from '../../../../lib/background/job-queue.ts'
import { excerpt } from '../../../../lib/excerpt.ts'
import { arrow, composeMail, mailBodies, mailId, shownLength } from '../../../../mail/mail.ts'
import { sendOrRetry } from '../../../../mail/mail-queue.ts'
import type { System } from '../../../../process/system.ts'
import { describerOf } from '../../history/readable-changes.ts'
import { mentionedInTickets } from '../../mentions/mentioned-people.ts'
import { deliverNext, firstTurn, oneByOne } from '../notices/deliver-next.ts'
import { stillTold } from '../watchers.ts'
import { changesShown, followers, setOf, textsOf } from './queries.ts'

// A change of many tickets becomes one mail for each person, however many of the tickets they follow.

const noticeShape = { organization_id: int8, change_set_id: int8, project_id: int8, first_change_id: int8 }
type Notice = RowOf<typeof noticeShape>
/** Minutes without a further step after which an unfinished change counts as interrupted, and is mailed. */
const interruptedAfter = 10
/** How many tickets a mail names; the others are only counted. */
const named = 20

/** Turns the next complete change sets into mails; false when there are none. */
export function deliverNextSet(system: System, turn = firstTurn()): Promise<boolean> {
  const due = sql`((finished and changed_at <= now() - make_interval(secs => ${system.config.notificationSeconds}))
    or changed_at <= now() - make_interval(mins => ${interruptedAfter}))`
  const notices = { table: 'change_set_notice', key: 'change_set_id', at: 'changed_at', due }
  // A deleted state may have had a million tickets. To find who follows them takes longer than a usual statement may.
  return deliverNext(system.db, notices, turn, oneByOne(forLongTransaction(system.db), notices, noticeShape, tell))
}

async function tell(
  db: Db,
  { organization_id: organizationId, project_id: projectId, change_set_id: changeSetId, first_change_id: first }: Notice,
) {
  const place = { organizationId, projectId }
  const [set] = await run(db, setOf, [organizationId, changeSetId, projectId])
  if (!set) return
  const people = new Map<number, Concern>()
  for (const { id, email, tickets } of await run(db, followers, [organizationId, changeSetId, first, projectId, set.author]))
    people.set(id, { email, followed: tickets, mentioned: new Map() })
  const about = { ...place, changeSetId, firstChangeId: first }
  await addMentioned(db, people, about, set.author)
  const { pcode, name, what } = set
  await queueMails(db, about, { pcode, author: name, what }, people)
}

/** Those who follow tickets that were trashed or restored with another one, `root`, whose followers have a mail about that. */
export async function followersBelow(
  db: Db,
  { organizationId, projectId, changeSetId, firstChangeId }: About,
  root: number,
  author: number | null,
) {
  const rows = await run(db, followers, [organizationId, changeSetId, firstChangeId, projectId, author])
  const people = rows.filter(({ tickets }) => !tickets.includes(root))
  return new Map<number, Concern>(people.map(({ id, email, tickets }) => [id, { email, followed: tickets, mentioned: new Map() }]))
}

/** Those whom texts of tickets mention that were created with another one, `root`. */
export async function mentionedBelow(db: Db, about: About, root: number, author: number | null) {
  const people = new Map<number, Concern>()
  await addMentioned(db, people, about, author, root)
  return people
}

async function addMentioned(db: Db, people: Map<number, Concern>, about: About, author: number | null, except?: number) {
  for (const { key, text: written, tickets } of await run(db, textsOf, [about.organizationId, about.changeSetId, about.firstChangeId])) {
    const of = tickets.filter(ticket => ticket !== except)
    if (of.length === 0) continue
    for (const person of await mentionedInTickets(db, about, { key, text: written, tickets: of, author })) {
      const { followed = [], mentioned = new Map() } = people.get(person.id) ?? {}
      for (const ticket of person.tickets) mentioned.set(ticket, [...(mentioned.get(ticket) ?? []), `data.${key}`])
      people.set(person.id, { email: person.email, followed, mentioned })
    }
  }
}

type About = Omit<Payload['about'], 'userId'>
/** What a set is about for a person: tickets that they follow, and for each ticket that mentions them the parts that do. */
export interface Concern {
  email: string
  followed: number[]
  mentioned: Map<number, string[]>
}

/** Queues a mail for each of these people about what the set did to the tickets that concern them. */
export async function queueMails(db: Db, about: About, set: Payload['set'], people: ReadonlyMap<number, Concern>) {
  if (people.size === 0) return
  const told = [...people].map(([userId, concern]) => ({ userId, ...concern, shown: firstTickets(concern) }))
  const shownTickets = [...new Set(told.flatMap(({ shown }) => shown))]
  const rowOf = await describedRows(db, about, set.pcode, shownTickets)
  const jobs = told.map(({ userId, email, followed, mentioned, shown }) => {
    const payload = {
      attempt: 1,
      about: { ...about, userId },
      set,
      followed,
      mentioned: [...mentioned.keys()],
      rows: shown.flatMap(ticket => rowOf(ticket, followed.includes(ticket) ? undefined : mentioned.get(ticket))),
    }
    return [`mail:${mailId(keyOf(about), email)}`, payload] as const
  })
  await addJobs(db, 'send-set-notification', jobs)
}

function firstTickets({ followed, mentioned }: Concern) {
  return [...new Set([...followed, ...mentioned.keys()])].sort((one, other) => one - other).slice(0, named)
}

/**
 * The row of a mail about each of these tickets: its changes in words, or only those of texts, for a person who does not follow it. Long ones are cut,
 * because each mail has them.
 */
async function describedRows(db: Db, about: About, pcode: string, tickets: readonly number[]) {
  const changes = await run(db, changesShown, [about.organizationId, about.changeSetId, about.firstChangeId, tickets])
  const describe = await describerOf(db, about, changes)
  const byTicket = Map.groupBy(changes, ({ ticket }) => ticket)
  return (ticket: number, texts?: string[]): Payload['rows'] => {
    const its = (byTicket.get(ticket) ?? []).filter(({ field }) => !texts || texts.includes(field))
    const [first] = its
    if (!first) return []
    const words = its
      .map(describe)
      .map(({ Label, Before, After }) => `${Label}: ${Before === null ? (After ?? 'none') : arrow(Before, After ?? 'none')}`)
    return [{ ticket, label: `${pcode}-${ticket} ${first.title}`, changes: excerpt(words.join('; '), shownLength) }]
  }
}

type Payload = JobPayloads['send-set-notification']
const keyOf = ({ organizationId, changeSetId, firstChangeId }: About) => `set.${organizationId}.${changeSetId}.${firstChangeId}`

/** Sends one person what a change set did to the tickets that they follow or that name them, as far as they still want to know and may. */
export const sendSetNotification: Job<'send-set-notification'> = async (system, payload) => {
  const { about, followed, mentioned } = payload
  const [person] = await run(system.db, stillTold, [about.organizationId, about.projectId, about.userId, followed, mentioned, []])
  const mail = person && compose(system.config.publicUrl, payload, person)
  if (mail) await sendOrRetry(system, 'send-set-notification', payload, mail)
}

const verbs: Record<string, string> = { revert: 'reverted a change of', create: 'created' }

function compose(
  publicUrl: string,
  { about, set, followed, mentioned, rows }: Payload,
  { email, tickets }: { email: string; tickets: number[] },
) {
  const still = new Set(tickets)
  const isFollowing = followed.some(ticket => still.has(ticket))
  const isMentioned = mentioned.some(ticket => still.has(ticket))
  const many = tickets.length === 1 ? 'a ticket' : `${tickets.length} tickets`
  const what = `${verbs[set.what] ?? 'changed'} ${many}`
  const shown = rows.filter(({ ticket }) => still.has(ticket))
  const others = tickets.length - shown.length
  return composeMail({
    key: keyOf(about),
    to: email,
    subject: `[${set.pcode}] ${set.author} ${what}`,
    ...mailBodies({
      paragraphs: [`${set.author} ${what}${isMentioned ? ' and mentioned you' : ' that you watch'}:`],
      changes: shown.map(({ label, changes }) => ({ label, before: null, after: changes })),
      ...(others > 0 ? { more: `And ${others} more.` } : {}),
      link: { label: 'Open the project', url: `${publicUrl}/view-project/${about.projectId}` },
      foot: isFollowing
        ? "You get this mail because you watch these tickets. A ticket's page stops its mails, your profile those of all tickets."
        : 'You get this mail because a text mentions you.',
    }),
  })
}
