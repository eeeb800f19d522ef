import { type Db, run } from '../../../../db/db.ts'
import { int8, type RowOf } from '../../../../db/shape.ts'
import { addJobs, type Job, type JobPayloads } from '../../../../lib/background/job-queue.ts'
import { isFieldPart } from '../../../../lib/changes.ts'
import { type Mail, mailId } from '../../../../mail/mail.ts'
import { sendOrRetry } from '../../../../mail/mail-queue.ts'
import { newlyMentioned } from '../../mentions/mentioned-people.ts'
import { writtenTexts } from '../../mentions/written-texts.ts'
import { foldChanges } from '../fold-changes.ts'
import { type Concern, followersBelow, mentionedBelow, queueMails } from '../sets/jobs.ts'
import { type Recipient, recipients, stillTold } from '../watchers.ts'
import { type Burst, changesOf, type NamedChange, toldOf } from './burst.ts'
import { keyOf, mailsAbout, ticketOf } from './compose-mail.ts'

export const burstShape = { organization_id: int8, ticket_id: int8, first_change_id: int8, last_change_id: int8 }

type Mentioned = Awaited<ReturnType<typeof newlyMentioned>>

/**
 * Queues the mails about a burst. They are composed when they are sent. There are up to three kinds: about the ticket itself, to its watchers and to those
 * whom it mentions; about the tickets that were trashed or restored with it; and about those that were created with it.
 */
export async function queueTicketMails(db: Db, row: RowOf<typeof burstShape>) {
  const { organization_id: organizationId, ticket_id: ticketId, first_change_id: firstChangeId, last_change_id: lastChangeId } = row
  const burst = { organizationId, ticketId, firstChangeId, lastChangeId }
  const ticket = await ticketOf(db, burst)
  if (!ticket) return
  const { projectId, pcode } = ticket
  const changes = await changesOf(db, burst)
  const folded = foldChanges(changes)
  const watching = await run(db, recipients, [organizationId, ticketId, projectId])
  const mentioned = await newlyMentioned(db, { organizationId, projectId, ticketId }, writtenTexts(folded))
  const setOf = ({ set, id }: NamedChange) => ({ organizationId, projectId, changeSetId: set, firstChangeId: id })
  // A folded change has its last author, but the name of its first.
  const authorOf = ({ author, name }: NamedChange) => changes.find(each => each.author === author)?.name ?? name

  const made = folded.find(({ field, before }) => field === 'Ticket' && before === null)
  const below = made ? await mentionedBelow(db, setOf(made), ticketId, made.author) : new Map<number, Concern>()
  if (made) {
    const isAsMade = (source: string) => isFieldPart(source) && changes.every(({ field, set }) => field !== source || set === made.set)
    const isWatching = new Set(watching.map(({ id }) => id))
    moveMentions(ticketId, mentioned, below, (id, sources) => !isWatching.has(id) && sources.every(isAsMade))
  }
  await addJobs(db, 'send-notification', jobsAbout(burst, projectId, changes, watching, mentioned))

  const trash = folded.find(({ field }) => field === 'Trash')
  if (trash) {
    const followers = await followersBelow(db, setOf(trash), ticketId, trash.author)
    await queueMails(db, setOf(trash), { pcode, author: authorOf(trash), what: 'trash' }, followers)
  }
  if (made) await queueMails(db, setOf(made), { pcode, author: authorOf(made), what: 'create' }, below)
}

/**
 * Somebody whom a new ticket mentions, and a ticket that was created with it too, gets one mail about both, which shows the texts as they were created:
 * the mentions of the new ticket are moved to those `below`, where that mail tells all that the person is told.
 */
function moveMentions(
  ticketId: number,
  mentioned: Mentioned,
  below: ReadonlyMap<number, Concern>,
  tellsAll: (userId: number, sources: readonly string[]) => boolean,
) {
  for (const [userId, concern] of below) {
    const person = mentioned.get(userId)
    if (!person) continue
    const sources = [...person.sources]
    if (!tellsAll(userId, sources)) continue
    concern.mentioned.set(ticketId, sources)
    mentioned.delete(userId)
  }
}

/** A mail about the ticket for each person who is told anything. Those whom it mentions come first: of many mails, the first ones leave soonest. */
function* jobsAbout(
  burst: Burst,
  projectId: number,
  changes: readonly NamedChange[],
  watching: readonly Recipient[],
  mentioned: Mentioned,
): Generator<readonly [key: string, payload: JobPayloads['send-notification']]> {
  const { organizationId, ticketId, firstChangeId, lastChangeId } = burst
  const isWatching = new Set(watching.map(({ id }) => id))
  const toldTo = toldOf(changes)
  for (const { id: userId, email } of [...mentioned.values(), ...watching.filter(({ id }) => !mentioned.has(id))]) {
    const told = { isWatching: isWatching.has(userId), sources: [...(mentioned.get(userId)?.sources ?? [])] }
    if (toldTo({ id: userId, ...told }).changes.length === 0) continue
    const mail = { id: mailId(keyOf(burst), email) }
    const about = { organizationId, projectId, ticketId, userId, burst: { firstChangeId, lastChangeId, ...told } }
    yield [`mail:${mail.id}`, { mail, attempt: 1, about }]
  }
}

/** Sends one notification, to the present address, if the person may still see the ticket and still wants notifications. */
export const sendNotification: Job<'send-notification'> = async (system, payload) => {
  const { organizationId, projectId, ticketId, userId, mentioned, comments, burst = comments } = payload.about
  const about = burst && { organizationId, ticketId, ...burst }
  const read = about && (await mailsAbout(system, about))
  const of = [ticketId]
  const naming = mentioned || (burst && burst.sources.length > 0) ? of : []
  const [person] = await run(system.db, stillTold, [organizationId, projectId, userId, of, naming, read?.comments ?? []])
  if (!person) return
  const mails = about && person.gone ? await mailsAbout(system, about, { again: true }) : read
  const mail = burst ? mails?.mailTo({ id: userId, ...burst }, person.email) : (payload.mail as Mail)
  if (mail) await sendOrRetry(system, 'send-notification', payload, { ...mail, id: payload.mail.id, to: person.email })
}
