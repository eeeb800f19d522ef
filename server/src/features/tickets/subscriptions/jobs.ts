import { sql } from 'kysely'
import { type Db, queryRows, run } from '../../../db/db.ts'
import { int8, nullable, type RowOf, text } from '../../../db/shape.ts'
import { addJobs, type Job, manyMailsAreDue } from '../../../lib/background/job-queue.ts'
import { type Poller, startPolling } from '../../../lib/background/polling.ts'
import { isFieldPart, ticketPart } from '../../../lib/changes.ts'
import { composeMail, mailBodies } from '../../../mail/mail.ts'
import { sendOrRetry } from '../../../mail/mail-queue.ts'
import { markdownHtml } from '../../../mail/markdown.ts'
import { unsubscribeAddress } from '../../../mail/unsubscribe.ts'
import type { System } from '../../../process/system.ts'
import { personName } from '../assignees/person-name.ts'
import { describerOf } from '../history/readable-changes.ts'
import { mayBeNotified, newlyMentioned, textFields } from '../mentions/mentioned-people.ts'
import { sourceOf, writtenTexts } from '../mentions/written-texts.ts'
import { type AuthoredChange, foldChanges } from './fold-changes.ts'
import { deliverNext, firstTurn } from './notices/deliver-next.ts'
import { deliverNextSet } from './sets/jobs.ts'
import { type Recipient, recipients, stillRecipient } from './watchers.ts'

const noticeShape = {
  organization_id: int8,
  ticket_id: int8,
  first_change_id: int8,
}
type Notice = RowOf<typeof noticeShape>
const ticketShape = {
  project_id: int8,
  pcode: text,
  title: text,
}
type Ticket = RowOf<typeof ticketShape>
/**
 * Larger bursts are reported in part. A recipient's own changes do not count, so each author's changes are limited when they are read, and
 * those that may mention somebody apart from the others.
 */
const changesPerMail = 100
/** Milliseconds between two looks for finished bursts. */
const usualPause = 3000
/** Milliseconds in which a part of the due mails leaves. */
const shortPause = 200

/** Turns the next finished bursts into mails; false when there are none. */
export function deliverNextNotice(system: System, turn = firstTurn()): Promise<boolean> {
  const due = sql`first_change_at <= now() - make_interval(secs => ${system.config.notificationSeconds})`
  const notices = { table: 'ticket_notice', key: 'ticket_id', at: 'first_change_at', due, row: noticeShape }
  return deliverNext(system.db, notices, turn, (db, notice) => tell(db, system, notice))
}

async function tell(db: Db, system: System, { organization_id: organizationId, ticket_id: ticketId, first_change_id: first }: Notice) {
  const [ticket] = await queryRows(db, ticketShape)`
    select t.project_id, p.short_code as pcode, t.title from ticket t
    join project p on p.organization_id = t.organization_id and p.id = t.project_id
    where t.organization_id = ${organizationId} and t.id = ${ticketId}`
  if (!ticket) return
  const changes = await queryRows(db, {
    author: nullable(int8),
    field: ticketPart,
    before: nullable(text),
    after: nullable(text),
    id: int8,
    name: text,
  })`
    select c.id, c.field, c.before, c.after, c.user_id as author, coalesce(${sql.raw(personName)}, 'Somebody') as name
    from (select c.*, row_number() over (partition by c.user_id, c.field = 'Comment' or c.after like '%@%' order by c.id) as place
      from change c
      where c.organization_id = ${organizationId} and c.ticket_id = ${ticketId} and c.id >= ${first} and not c.quiet
        and not (c.field = 'Comment' and exists (select 1 from comment gone
          where gone.organization_id = ${organizationId} and gone.ticket_id = ${ticketId} and gone.deleted_at is not null
            and gone.id::text = split_part(c.after, '.', 1)))
        and not exists (select 1 from change_set_summary s
          where s.organization_id = ${organizationId} and s.id = c.change_set_id and s.what in ('bulk', 'revert'))
    ) c left join user_account u on u.id = c.user_id
    where c.place <= ${changesPerMail + 1} order by c.id`
  const place = { organizationId, projectId: ticket.project_id, ticketId }
  const watching = await run(db, recipients, [organizationId, ticketId, ticket.project_id])
  const mentioned = await newlyMentioned(db, place, writtenTexts(changes))
  if (watching.length === 0 && mentioned.size === 0) return
  const isWatching = new Set(watching.map(({ id }) => id))
  // The first mails of many leave before the others.
  const people = [...mentioned.values(), ...watching.filter(({ id }) => !mentioned.has(id))]
  const keys = changes.flatMap(({ field }) => (isFieldPart(field) ? [field.slice('data.'.length)] : []))
  const texts = keys.length > 0 ? await run(db, textFields, [organizationId, ticket.project_id, keys]) : []
  const isText = (field: string) => field === 'Comment' || texts.some(({ key }) => field === `data.${key}`)
  const rendered = new Map<string, string | undefined>()
  const html = (text: string) => {
    if (!rendered.has(text)) rendered.set(text, markdownHtml(text, system.config.publicUrl))
    return rendered.get(text)
  }
  const authors = new Map(changes.map(({ author, name }) => [author, name]))
  const last = changes.at(-1)?.id ?? first
  const describe = await describerOf(db, place, changes)

  const mails = function* () {
    for (const person of people) {
      const sources = mentioned.get(person.id)?.sources
      // People who do not watch the ticket get only the texts that name them.
      const concerns = (change: AuthoredChange) => isWatching.has(person.id) || sources?.has(sourceOf(change) ?? '')
      const told = changes.filter(change => change.author !== person.id && concerns(change))
      const folded = foldChanges(told.slice(0, changesPerMail))
      if (folded.length === 0) continue
      const mail = compose(system, { organizationId, ticketId, last }, ticket, person, {
        authors: [...new Set(folded.map(({ author }) => authors.get(author) ?? 'Somebody'))],
        rows: folded.map(change => {
          const { Label, Before, After } = describe({ ...change, ticket: ticketId })
          return { label: Label, before: Before, after: After, ...(isText(change.field) && { html }) }
        }),
        more: told.length > changesPerMail,
        isMentioned: sources !== undefined,
        isWatching: isWatching.has(person.id),
      })
      if (!mail) continue
      const about = { ...place, userId: person.id, ...(sources && { mentioned: true as const }) }
      yield [`mail:${mail.id}`, { mail, attempt: 1, about }] as const
    }
  }
  // Until this transaction ends, whoever saves the ticket waits.
  await addJobs(db, 'send-notification', mails())
}

interface Told {
  authors: string[]
  rows: { label: string; before: string | null; after: string | null; html?: (text: string) => string | undefined }[]
  more: boolean
  isMentioned: boolean
  isWatching: boolean
}

function compose(
  { config, secret }: System,
  ids: { organizationId: number; ticketId: number; last: number },
  { pcode, title }: Ticket,
  person: Recipient,
  what: Told,
) {
  const unsubscribe = unsubscribeAddress(config, secret, { ...ids, userId: person.id })
  const name = `${pcode}-${ids.ticketId}`
  return composeMail({
    key: `ticket.${ids.organizationId}.${ids.ticketId}.${ids.last}`,
    to: person.email,
    subject: `[${name}] ${title}`,
    headers: {
      references: `<ticket.${ids.organizationId}.${ids.ticketId}@${new URL(config.publicUrl).hostname}>`,
      'list-unsubscribe': `<${unsubscribe}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    },
    ...mailBodies({
      paragraphs: [`${what.authors.join(', ')} ${what.isMentioned ? 'mentioned you in' : 'changed'} ${name} ${title}:`],
      changes: what.rows,
      ...(what.more ? { more: 'There are more changes: see the ticket.' } : {}),
      link: { label: `Open ${name}`, url: `${config.publicUrl}/view-ticket/${ids.ticketId}` },
      foot: `You get this mail because ${what.isWatching ? 'you watch this ticket' : 'a text mentions you'}.`,
      footLink: { label: 'Stop mails about it', url: unsubscribe },
    }),
  })
}

/** Sends one notification, if the person may still see the ticket and still wants notifications. */
export const sendNotification: Job<'send-notification'> = async (system, payload) => {
  const { organizationId, projectId, ticketId, userId } = payload.about
  const asked = payload.about.mentioned ? mayBeNotified : stillRecipient
  const [person] = await run(system.db, asked, [organizationId, ticketId, projectId, userId])
  if (person) await sendOrRetry(system, 'send-notification', payload, payload.mail)
}

/** Turns some notices into mails at each call, and returns the milliseconds until the next one. While nobody uses the server, there is no rest. */
export function deliveries(system: System, report: (error: unknown) => void) {
  const pause = Math.min(usualPause, Math.max(200, system.config.notificationSeconds * 100))
  const [ofTickets, ofSets] = [firstTurn(), firstTurn()]
  // A failure of one kind must not hold up the other.
  const failed = (error: unknown) => {
    report(error)
    return false
  }
  let answered = 0
  return async () => {
    // Workers answer the requests, where there are any.
    const isUsed = system.config.workers > 1 || system.requests.answered > answered
    answered = system.requests.answered
    if (await manyMailsAreDue(system.db)) return isUsed ? pause : shortPause
    const started = performance.now()
    const ofTicket = await deliverNextNotice(system, ofTickets).catch(failed)
    const isMore = (await deliverNextSet(system, ofSets).catch(failed)) || ofTicket
    if (!isMore) return pause
    // As long a rest as the work took: what is due is no reason to keep requests waiting.
    return isUsed ? Math.min(1000, performance.now() - started) : 0
  }
}

/** Polls for finished bursts, until stopped. */
export function deliverNotices(system: System, report: (error: unknown) => void): Poller {
  return startPolling(deliveries(system, report), usualPause, report)
}
