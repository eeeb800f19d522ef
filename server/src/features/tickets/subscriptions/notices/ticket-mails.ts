import { sql } from 'kysely'
import { type Db, queryRows, run } from '../../../../db/db.ts'
import { bool, int8, nullable, type RowOf, text } from '../../../../db/shape.ts'
import { addJobs, type JobPayloads } from '../../../../lib/background/job-queue.ts'
import { isFieldPart, ticketPart } from '../../../../lib/changes.ts'
import { composeMail, mailBodies } from '../../../../mail/mail.ts'
import { markdownHtml } from '../../../../mail/markdown.ts'
import { unsubscribeAddress } from '../../../../mail/unsubscribe.ts'
import type { System } from '../../../../process/system.ts'
import { personName } from '../../assignees/person-name.ts'
import { describerOf } from '../../history/readable-changes.ts'
import { parseCommentReference } from '../../history/stored-values.ts'
import { newlyMentioned, textFields } from '../../mentions/mentioned-people.ts'
import { sourceOf, writtenTexts } from '../../mentions/written-texts.ts'
import { type AuthoredChange, foldChanges } from '../fold-changes.ts'
import { type Recipient, recipients } from '../watchers.ts'

/** Where a burst of changes that is to be mailed begins. */
export const noticeShape = {
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
const changeShape = {
  author: nullable(int8),
  field: ticketPart,
  before: nullable(text),
  after: nullable(text),
  quiet: bool,
  id: int8,
  name: text,
}
type NamedChange = RowOf<typeof changeShape>

/**
 * Larger bursts are reported in part. A recipient's own changes do not count, so each author's changes are limited when they are read, and
 * those that may mention somebody apart from the others.
 */
const changesPerMail = 100

/** Queues the mails about a burst to the ticket's watchers, and to the people whom it mentions. */
export async function queueTicketMails(db: Db, system: System, notice: Notice) {
  const { organization_id: organizationId, ticket_id: ticketId } = notice
  const ticket = await ticketOf(db, notice)
  if (!ticket) return
  const changes = await changesOf(db, notice)
  const place = { organizationId, projectId: ticket.project_id, ticketId }
  const watching = await run(db, recipients, [organizationId, ticketId, ticket.project_id])
  const mentioned = await newlyMentioned(db, place, writtenTexts(foldChanges(changes)))
  if (watching.length === 0 && mentioned.size === 0) return
  const isWatching = new Set(watching.map(({ id }) => id))
  // The first mails of many leave before the others.
  const people = [...mentioned.values(), ...watching.filter(({ id }) => !mentioned.has(id))]
  const mailTo = await composerOf(db, system, { ...place, ...ticket, first: notice.first_change_id }, changes)
  const mails = function* () {
    for (const person of people) {
      const payload = mailTo(person, mentioned.get(person.id)?.sources ?? new Set(), isWatching.has(person.id))
      if (payload) yield [`mail:${payload.mail.id}`, payload] as const
    }
  }
  // Until this transaction ends, whoever saves the ticket waits.
  await addJobs(db, 'send-notification', mails())
}

type Payload = JobPayloads['send-notification']

/** What composes the mail of one person about a burst, if anything of it is for them. */
async function composerOf(db: Db, system: System, burst: Burst, changes: readonly NamedChange[]) {
  const { organizationId, projectId, ticketId } = burst
  const rowOf = await rowsIn(db, system, burst, changes)
  const last = changes.at(-1)?.id ?? burst.first
  return (person: Pick<Recipient, 'id' | 'email'>, sources: ReadonlySet<string>, isWatching: boolean): Payload | undefined => {
    // People who do not watch the ticket get only the texts that name them.
    const concerns = (change: AuthoredChange) => isWatching || sources.has(sourceOf(change) ?? '')
    const told = changes.filter(change => change.author !== person.id && concerns(change))
    const tooMany = told.filter(({ quiet }) => !quiet)[changesPerMail]
    const folded = foldChanges(tooMany ? told.filter(({ id }) => id < tooMany.id) : told)
    if (folded.length === 0) return
    const isMentioned = told.some(change => sources.has(sourceOf(change) ?? ''))
    const rows = folded.map(rowOf)
    const mail = compose(system, { ...burst, last }, person, {
      authors: authorsOf(folded, changes),
      rows,
      more: tooMany !== undefined,
      isMentioned,
      isWatching,
    })
    if (!mail) return
    const ids = folded.flatMap(({ field, after }) => (field === 'Comment' ? (parseCommentReference(after)?.idComment ?? []) : []))
    const comments = { ids, firstChangeId: burst.first, lastChangeId: last, sources: [...sources], isWatching }
    const about = { organizationId, projectId, ticketId, userId: person.id }
    return { mail, attempt: 1, about: { ...about, ...(isMentioned && { mentioned: true as const }), ...(ids.length > 0 && { comments }) } }
  }
}

/** The mail again, without comments that were deleted after it was queued; undefined if nothing else is left of it. */
export async function withoutDeleted(system: System, { organizationId, ticketId, userId, comments }: Payload['about'], email: string) {
  if (!comments) return
  const notice = { organization_id: organizationId, ticket_id: ticketId, first_change_id: comments.firstChangeId }
  const ticket = await ticketOf(system.db, notice)
  if (!ticket) return
  const changes = (await changesOf(system.db, notice)).filter(({ id }) => id <= comments.lastChangeId)
  const burst = { organizationId, projectId: ticket.project_id, ticketId, ...ticket, first: comments.firstChangeId }
  const mailTo = await composerOf(system.db, system, burst, changes)
  return mailTo({ id: userId, email }, new Set(comments.sources), comments.isWatching)?.mail
}

async function ticketOf(db: Db, { organization_id: organizationId, ticket_id: ticketId }: Notice) {
  const [ticket] = await queryRows(db, ticketShape)`
    select t.project_id, p.short_code as pcode, t.title from ticket t
    join project p on p.organization_id = t.organization_id and p.id = t.project_id
    where t.organization_id = ${organizationId} and t.id = ${ticketId}`
  return ticket
}

/**
 * The changes from the first one on, quiet ones too, which may undo others. Without those of deleted comments, whose restoration undoes nothing, and of
 * bulk changes, which have mails of their own.
 */
function changesOf(db: Db, { organization_id: organizationId, ticket_id: ticketId, first_change_id: first }: Notice) {
  return queryRows(db, changeShape)`
    select c.id, c.field, c.before, c.after, c.quiet, c.user_id as author, coalesce(${sql.raw(personName)}, 'Somebody') as name
    from (select c.*, row_number() over (partition by c.user_id, c.quiet, c.field = 'Comment' or c.after like '%@%' order by c.id) as place
      from change c
      where c.organization_id = ${organizationId} and c.ticket_id = ${ticketId} and c.id >= ${first}
        and not (c.field = 'Comment' and (c.quiet or exists (select 1 from comment gone
          where gone.organization_id = ${organizationId} and gone.ticket_id = ${ticketId} and gone.deleted_at is not null
            and gone.id::text = split_part(c.after, '.', 1))))
        and not exists (select 1 from change_set_summary s
          where s.organization_id = ${organizationId} and s.id = c.change_set_id and s.what in ('bulk', 'revert'))
    ) c left join user_account u on u.id = c.user_id
    where c.place <= ${changesPerMail + 1} order by c.id`
}

function authorsOf(folded: readonly AuthoredChange[], changes: readonly NamedChange[]) {
  const names = new Map(changes.map(({ author, name }) => [author, name]))
  return [...new Set(folded.map(({ author }) => names.get(author) ?? 'Somebody'))]
}

interface Place {
  organizationId: number
  projectId: number
  ticketId: number
}

/** What turns a change into a row of a mail. Each text is rendered once for all mails. */
async function rowsIn(db: Db, system: System, place: Place, changes: readonly NamedChange[]) {
  const describe = await describerOf(db, place, changes)
  const keys = changes.flatMap(({ field }) => (isFieldPart(field) ? [field.slice('data.'.length)] : []))
  const texts = keys.length > 0 ? await run(db, textFields, [place.organizationId, place.projectId, keys]) : []
  const isText = (field: string) => field === 'Comment' || texts.some(({ key }) => field === `data.${key}`)
  const rendered = new Map<string, string | undefined>()
  const html = (written: string) => {
    if (!rendered.has(written)) rendered.set(written, markdownHtml(written, system.config.publicUrl))
    return rendered.get(written)
  }
  return (change: AuthoredChange) => {
    const { Label, Before, After } = describe({ ...change, ticket: place.ticketId })
    return { label: Label, before: Before, after: After, ...(isText(change.field) && { html }) }
  }
}

interface Burst extends Place {
  pcode: string
  title: string
  /** The first change. */
  first: number
}

interface Told {
  authors: string[]
  rows: { label: string; before: string | null; after: string | null; html?: (text: string) => string | undefined }[]
  more: boolean
  isMentioned: boolean
  isWatching: boolean
}

function compose({ config, secret }: System, burst: Burst & { last: number }, person: Pick<Recipient, 'id' | 'email'>, told: Told) {
  const { organizationId, ticketId, first, last, pcode, title } = burst
  const unsubscribe = unsubscribeAddress(config, secret, { organizationId, ticketId, userId: person.id })
  const name = `${pcode}-${ticketId}`
  return composeMail({
    key: `ticket.${organizationId}.${ticketId}.${first}-${last}`,
    to: person.email,
    subject: `[${name}] ${title}`,
    headers: {
      references: `<ticket.${organizationId}.${ticketId}@${new URL(config.publicUrl).hostname}>`,
      'list-unsubscribe': `<${unsubscribe}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    },
    ...mailBodies({
      paragraphs: [`${told.authors.join(', ')} ${whatHappened(told, `${name} ${title}`)}:`],
      changes: told.rows,
      ...(told.more ? { more: 'There are more changes: see the ticket.' } : {}),
      link: { label: `Open ${name}`, url: `${config.publicUrl}/view-ticket/${ticketId}` },
      foot: `You get this mail because ${told.isWatching ? 'you watch this ticket' : 'a text mentions you'}.`,
      footLink: { label: 'Stop mails about it', url: unsubscribe },
    }),
  })
}

/** Of several authors not each has mentioned the person. */
function whatHappened({ isMentioned, authors }: Told, ticket: string) {
  if (!isMentioned) return `changed ${ticket}`
  return authors.length === 1 ? `mentioned you in ${ticket}` : `changed ${ticket} and mentioned you`
}
