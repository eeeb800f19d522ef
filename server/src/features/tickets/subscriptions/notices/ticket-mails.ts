import { type Db, run } from '../../../../db/db.ts'
import { int8, type RowOf } from '../../../../db/shape.ts'
import { addJobs, type Job } from '../../../../lib/background/job-queue.ts'
import { isFieldPart } from '../../../../lib/changes.ts'
import { type Mail, mailId } from '../../../../mail/mail.ts'
import { sendOrRetry } from '../../../../mail/mail-queue.ts'
import { newlyMentioned } from '../../mentions/mentioned-people.ts'
import { writtenTexts } from '../../mentions/written-texts.ts'
import { foldChanges } from '../fold-changes.ts'
import { type Concern, followersBelow, mentionedBelow, queueMails } from '../sets/jobs.ts'
import { recipients, stillTold } from '../watchers.ts'
import { changesOf, type NamedChange, toldOf } from './burst.ts'
import { keyOf, mailsAbout, ticketOf } from './compose-mail.ts'

export const burstShape = { organization_id: int8, ticket_id: int8, first_change_id: int8, last_change_id: int8 }

/** Queues the mails about a burst to the ticket's watchers, and to the people whom it mentions. They are composed when they are sent. */
export async function queueTicketMails(db: Db, row: RowOf<typeof burstShape>) {
  const { organization_id: organizationId, ticket_id: ticketId, first_change_id: firstChangeId, last_change_id: lastChangeId } = row
  const burst = { organizationId, ticketId, firstChangeId, lastChangeId }
  const ticket = await ticketOf(db, burst)
  if (!ticket) return
  const { projectId } = ticket
  const changes = await changesOf(db, burst)
  const watching = await run(db, recipients, [organizationId, ticketId, projectId])
  const folded = foldChanges(changes)
  const mentioned = await newlyMentioned(db, { organizationId, projectId, ticketId }, writtenTexts(folded))
  const isWatching = new Set(watching.map(({ id }) => id))
  const setOf = ({ set, id }: NamedChange) => ({ organizationId, projectId, changeSetId: set, firstChangeId: id })
  const wordsOf = ({ author, name }: NamedChange, what: string) => ({
    pcode: ticket.pcode,
    // A folded change has its last author, but the name of its first.
    author: changes.find(each => each.author === author)?.name ?? name,
    what,
  })
  const made = folded.find(({ field, before }) => field === 'Ticket' && before === null)
  const below = made ? await mentionedBelow(db, setOf(made), ticketId, made.author) : new Map<number, Concern>()
  const isAsMade = (source: string) => isFieldPart(source) && changes.every(({ field, set }) => field !== source || set === made?.set)
  // Whom this ticket and others mention that were created with it has one mail about all of them, which shows the texts as they were created.
  for (const [id, concern] of below) {
    const sources = [...(mentioned.get(id)?.sources ?? [])]
    if (sources.length === 0 || isWatching.has(id) || !sources.every(isAsMade)) continue
    concern.mentioned.set(ticketId, sources)
    mentioned.delete(id)
  }
  // The first mails of many leave before the others.
  const people = [...mentioned.values(), ...watching.filter(({ id }) => !mentioned.has(id))]
  const toldTo = toldOf(changes)
  const mails = function* () {
    for (const { id: userId, email } of people) {
      const told = { isWatching: isWatching.has(userId), sources: [...(mentioned.get(userId)?.sources ?? [])] }
      if (toldTo({ id: userId, ...told }).changes.length === 0) continue
      const mail = { id: mailId(keyOf(burst), email) }
      const about = { organizationId, projectId, ticketId, userId, burst: { firstChangeId, lastChangeId, ...told } }
      yield [`mail:${mail.id}`, { mail, attempt: 1, about }] as const
    }
  }
  await addJobs(db, 'send-notification', mails())
  const trash = folded.find(({ field }) => field === 'Trash')
  if (trash) await queueMails(db, setOf(trash), wordsOf(trash, 'trash'), await followersBelow(db, setOf(trash), ticketId, trash.author))
  if (made) await queueMails(db, setOf(made), wordsOf(made, 'create'), below)
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
