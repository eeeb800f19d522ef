import { sql } from 'kysely'
import { type Db, run } from '../../../../db/db.ts'
import { int8, type RowOf } from '../../../../db/shape.ts'
import { addJob } from '../../../../lib/jobs.ts'
import { composeMail, mailBodies } from '../../../../mail/mail.ts'
import type { System } from '../../../../process/system.ts'
import { readableChanges } from '../../history/queries.ts'
import { mentionedInTickets } from '../../mentions/queries.ts'
import { deliverNext } from '../notices/jobs.ts'
import { changesShown, followers, setOf, textsOf } from './queries.ts'

// A change of many tickets becomes one mail for each person, however many of the tickets they follow.

const noticeShape = { organization_id: int8, change_set_id: int8, project_id: int8, first_change_id: int8 }
type Notice = RowOf<typeof noticeShape>
/** After so many minutes without its last step, a change counts as interrupted and is mailed. */
const interruptedAfter = 10
/** How many tickets a mail names; the others are only counted. */
const named = 20

/** Turns the next complete change set into mails; false when there is none. */
export function deliverNextSet(system: System): Promise<boolean> {
  const due = sql`((finished and changed_at <= now() - make_interval(secs => ${system.config.notificationSeconds}))
    or changed_at <= now() - make_interval(mins => ${interruptedAfter}))`
  const notices = { table: 'change_set_notice', key: 'change_set_id', at: 'changed_at', due, row: noticeShape }
  return deliverNext(system.db, notices, (db, notice) => tell(db, system, notice))
}

async function tell(db: Db, { config }: System, notice: Notice) {
  const { organization_id: organizationId, project_id: projectId, change_set_id: changeSetId, first_change_id: first } = notice
  const place = { organizationId, projectId }
  const [set] = await run(db, setOf, [organizationId, changeSetId])
  if (!set) return
  const people = new Map(
    (await run(db, followers, [organizationId, changeSetId, first, projectId, set.author])).map(person => [
      person.id,
      { ...person, isFollowing: true },
    ]),
  )
  for (const written of await run(db, textsOf, [organizationId, changeSetId, first])) {
    for (const person of await mentionedInTickets(db, place, { ...written, author: set.author }))
      if (!people.has(person.id)) people.set(person.id, { ...person, isFollowing: false })
  }
  const shown = [...new Set([...people.values()].flatMap(({ tickets }) => tickets.slice(0, named)))]
  const changes = await run(db, changesShown, [organizationId, changeSetId, first, shown])
  const readable = await readableChanges(db, place, changes)
  const linesOf = Map.groupBy(
    readable.map(({ Label, Before, After }, index) => ({ ...(changes[index] as (typeof changes)[number]), Label, Before, After })),
    ({ ticket }) => ticket,
  )

  for (const { id, email, tickets, isFollowing } of people.values()) {
    const many = tickets.length === 1 ? 'a ticket' : `${tickets.length} tickets`
    const what = set.what === 'revert' ? `reverted a change of ${many}` : `changed ${many}`
    const rows = tickets.slice(0, named).map(ticket => {
      const lines = linesOf.get(ticket) ?? []
      const words = lines.map(({ Label, Before, After }) => `${Label}: ${Before === null ? '' : `${Before} → `}${After ?? 'none'}`)
      return { label: `${set.pcode}-${ticket} ${lines[0]?.title ?? ''}`, before: null, after: words.join('; ') }
    })
    const mail = composeMail({
      key: `set.${organizationId}.${changeSetId}.${first}`,
      to: email,
      subject: `[${set.pcode}] ${set.name} ${what}`,
      ...mailBodies({
        paragraphs: [`${set.name} ${what}${isFollowing ? ' that you follow' : ' and mentioned you'}:`],
        changes: rows,
        ...(tickets.length > named ? { more: `And ${tickets.length - named} more.` } : {}),
        link: { label: 'Open the project', url: `${config.publicUrl}/view-project/${projectId}` },
        foot: isFollowing
          ? "You are told because you follow these tickets. A ticket's page stops its mails, your profile those of all tickets."
          : 'You are told because a text names you.',
      }),
    })
    if (!mail) continue
    const about = { ...place, ticketId: tickets[0] as number, userId: id, ...(isFollowing ? {} : { mentioned: true as const }) }
    await addJob(db, 'send-notification', { mail, attempt: 1, about }, { key: `mail:${mail.id}` })
  }
}
