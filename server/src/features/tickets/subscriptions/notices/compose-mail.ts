import { type Db, queryRows, run } from '../../../../db/db.ts'
import { int8, type RowOf, text } from '../../../../db/shape.ts'
import { isFieldPart } from '../../../../lib/changes.ts'
import { type ChangeRow, commonBodies, composeMail, type Mail } from '../../../../mail/mail.ts'
import { markdownHtml } from '../../../../mail/markdown.ts'
import { unsubscribeAddress } from '../../../../mail/unsubscribe.ts'
import type { System } from '../../../../process/system.ts'
import { describerOf } from '../../history/readable-changes.ts'
import { parseCommentReference } from '../../history/stored-values.ts'
import { textFields } from '../../mentions/mentioned-people.ts'
import type { AuthoredChange } from '../fold-changes.ts'
import { type Burst, changesOf, type NamedChange, type Reader, type Told, toldOf } from './burst.ts'

const ticketShape = { projectId: int8, pcode: text, title: text }
type Ticket = RowOf<typeof ticketShape>

export async function ticketOf(db: Db, { organizationId, ticketId }: Burst) {
  const [ticket] = await queryRows(db, ticketShape)`
    select t.project_id as "projectId", p.short_code as pcode, t.title from ticket t
    join project p on p.organization_id = t.organization_id and p.id = t.project_id
    where t.organization_id = ${organizationId} and t.id = ${ticketId}`
  return ticket
}

/** Identifies the mails about a burst. */
export function keyOf({ organizationId, ticketId, firstChangeId, lastChangeId }: Burst) {
  return `ticket.${organizationId}.${ticketId}.${firstChangeId}-${lastChangeId}`
}

/** The mails about a burst. */
interface Composed {
  /** The comments in them. */
  comments: number[]
  /** Undefined if nothing of the burst is left for the person. */
  mailTo: (reader: Reader, email: string) => Mail | undefined
}

/** What each process read for its last mail: thousands about one burst may follow each other. */
const latest = new WeakMap<System, { key: string; composed: Promise<Composed | undefined> }>()
/** How long the texts of a burst are kept in memory, in milliseconds. */
const keptFor = 10_000

/** The mails about a burst; undefined if its ticket is gone. Those that were read before may have a comment that is deleted by now. */
export function mailsAbout(system: System, burst: Burst, { again = false } = {}): Promise<Composed | undefined> {
  const key = keyOf(burst)
  const known = latest.get(system)
  if (known?.key === key && !again) return known.composed
  const composed = readMails(system, burst)
  const entry = { key, composed }
  latest.set(system, entry)
  const forget = () => latest.get(system) === entry && latest.delete(system)
  composed.catch(forget)
  setTimeout(forget, keptFor).unref()
  return composed
}

async function readMails(system: System, burst: Burst): Promise<Composed | undefined> {
  const { db } = system
  const ticket = await ticketOf(db, burst)
  if (!ticket) return undefined
  const changes = await changesOf(db, burst)
  const rowOf = await rowsIn(db, system, { ...burst, ...ticket }, changes)
  const names = new Map(changes.map(({ author, name }) => [author, name]))
  const toldTo = toldOf(changes)
  const bodies = new Map<Told, ReturnType<typeof commonBodies>>()
  return {
    comments: changes.flatMap(({ field, after }) => (field === 'Comment' ? (parseCommentReference(after)?.idComment ?? []) : [])),
    mailTo(reader, email) {
      const told = toldTo(reader)
      if (told.changes.length === 0) return undefined
      const authors = [...new Set(told.changes.map(({ author }) => names.get(author) ?? 'Somebody'))]
      const common = bodies.get(told) ?? commonBodies(bodyOf(system, burst, ticket, { ...told, authors, rows: told.changes.map(rowOf) }))
      bodies.set(told, common)
      const { organizationId, ticketId } = burst
      const unsubscribe = unsubscribeAddress(system.config, system.secret, { organizationId, ticketId, userId: reader.id })
      return composeMail({
        key: keyOf(burst),
        to: email,
        subject: `[${ticket.pcode}-${ticketId}] ${ticket.title}`,
        headers: {
          references: `<ticket.${organizationId}.${ticketId}@${new URL(system.config.publicUrl).hostname}>`,
          'list-unsubscribe': `<${unsubscribe}>`,
          'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
        },
        ...common({ label: 'Stop mails about it', url: unsubscribe }),
      })
    },
  }
}

/** What turns a change into a row of a mail. Each text is rendered once for all mails. */
async function rowsIn(db: Db, system: System, place: Burst & Ticket, changes: readonly NamedChange[]) {
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

interface Words extends Told {
  authors: string[]
  rows: ChangeRow[]
}

function bodyOf({ config }: System, { ticketId }: Burst, { pcode, title }: Ticket, told: Words) {
  const name = `${pcode}-${ticketId}`
  return {
    paragraphs: [`${told.authors.join(', ')} ${whatHappened(told, `${name} ${title}`)}:`],
    changes: told.rows,
    ...(told.isMore ? { more: 'There are more changes: see the ticket.' } : {}),
    link: { label: `Open ${name}`, url: `${config.publicUrl}/view-ticket/${ticketId}` },
    foot: `You get this mail because ${told.isWatching ? 'you watch this ticket' : 'a text mentions you'}.`,
  }
}

/** Of several authors not each has mentioned the person. */
function whatHappened({ isMentioned, authors }: Words, ticket: string) {
  if (!isMentioned) return `changed ${ticket}`
  return authors.length === 1 ? `mentioned you in ${ticket}` : `changed ${ticket} and mentioned you`
}
