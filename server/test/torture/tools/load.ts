import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '@tessera/contract/people/users'
import { attachmentUpload } from '@tessera/contract/tickets/attachments'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { type Connection, connect } from '../../../src/db/connections/connect.ts'
import type { Db } from '../../../src/db/db.ts'
import { isBusyOrAway } from '../../../src/db/sql-state.ts'
import { jpeg } from '../../fixtures/pictures.ts'
import { recount } from '../../fixtures/recount.ts'
import { mailsTo } from './mails.ts'
import type { Answer, Browser, Staff } from './product.ts'

/** The acknowledged writes; none of them may ever be missing. */
type Acknowledged =
  | { kind: 'save'; idTicket: number; field: string; value: string }
  | { kind: 'comment'; idTicket: number; idComment: number; text: string }
  | { kind: 'create'; idTicket: number; title: string }
  | { kind: 'upload'; idTicket: number; id: number; sha256: string }
  | { kind: 'mail'; login: string }

export interface Refused {
  status: number
  retryAfter: string | null
  milliseconds: number
  error: string
}

/** Writers that run until stopped and record what was acknowledged. `goesOnAfterErrors` writers continue after an error. */
export async function startLoad(staff: Staff, { goesOnAfterErrors = false, kinds = 10 } = {}) {
  const { project, people } = staff
  const acknowledged: Acknowledged[] = []
  const refused: Refused[] = []
  let answered = 0
  let slowest = 0
  let number = 0
  let isOn = false
  const [first] = people as [Browser]
  const shared: number[] = []
  /** Where files go: a ticket takes a hundred. */
  let shelf = { idTicket: 0, files: 90 }
  for (let made = 0; made < 4; made++) shared.push(((await create(first, `Shared ${made}`)).body as number[])[0] as number)

  function create(person: Browser, Title: string) {
    return person.post(createNewTicket, { idProject: project.projectId, idTemplate: project.templates.bug, Title })
  }

  function note<Body>({ status, body, retryAfter, milliseconds }: Answer<Body>, done: (body: Body) => Acknowledged) {
    slowest = Math.max(slowest, milliseconds)
    if (status === 200) {
      answered++
      acknowledged.push(done(body))
      return true
    }
    if (status !== 0) answered++
    refused.push({ status, retryAfter, milliseconds, error: JSON.stringify(body) })
    return false
  }

  async function write(person: Browser): Promise<boolean> {
    const unique = `${++number} ${randomUUID().slice(0, 8)}`
    const idTicket = shared[number % shared.length] as number
    switch (number % kinds) {
      case 0:
      case 1:
        return note(await create(person, unique), body => ({ kind: 'create', idTicket: (body as number[])[0] as number, title: unique }))
      case 2:
      case 3:
        return note(await person.post(setTicketComment, { idTicket, Comment: unique }), ({ idComment }) => {
          return { kind: 'comment', idTicket, idComment, text: unique }
        })
      case 4: {
        if (shelf.files >= 90) {
          const made = await create(person, unique)
          if (made.status === 200) shelf = { idTicket: (made.body as number[])[0] as number, files: 0 }
          return note(made, () => ({ kind: 'create', idTicket: shelf.idTicket, title: unique }))
        }
        shelf.files++
        const { idTicket: onShelf } = shelf
        // Letters hold no marker and no other file's signature.
        const content = jpeg({ after: Buffer.from(`${randomBytes(15_000).toString('base64')}\xff\xd9`, 'latin1') })
        const sha256 = createHash('sha256').update(content).digest('hex')
        const answer = await person.upload(attachmentUpload.path, onShelf, `${number}.jpg`, content)
        return note(answer, ({ id }) => ({ kind: 'upload', idTicket: onShelf, id, sha256 }))
      }
      case 5: {
        const login = `made-${unique.replace(' ', '-')}`
        const input = { LoginName: login, Email: `${login}@example.com`, SendWelcome: 1 as const, ProjectAssign: [] }
        return note(await person.post(createUser, input), () => ({ kind: 'mail', login }))
      }
      case 6:
        return note(await person.post(setTicketData, { idTicket, data: { note: unique } }), () => {
          return { kind: 'save', idTicket, field: 'data.note', value: unique }
        })
      default:
        return note(await person.post(setTicketData, { idTicket, Title: unique }), () => ({
          kind: 'save',
          idTicket,
          field: 'Title',
          value: unique,
        }))
    }
  }

  async function writer(person: Browser) {
    while (isOn) {
      if (await write(person)) continue
      if (!goesOnAfterErrors) return
      await sleep(20)
    }
  }

  return {
    acknowledged,
    refused,
    get answered() {
      return answered
    },
    get slowest() {
      return slowest
    },
    /** Starts; the returned function stops it and waits for the last request. */
    begin() {
      isOn = true
      const working = Promise.all(people.map(writer))
      return async () => {
        isOn = false
        await working
      }
    },
    async untilAcknowledged(more: number, timeout = 30_000) {
      const [goal, end] = [acknowledged.length + more, performance.now() + timeout]
      while (acknowledged.length < goal) {
        if (performance.now() > end)
          throw new Error(`only ${acknowledged.length} of ${goal} writes; last refusals ${JSON.stringify(refused.slice(-3))}`)
        await sleep(2)
      }
    },
  }
}
export type Load = Awaited<ReturnType<typeof startLoad>>

/** Checks repeatedly that the database has everything acknowledged, and nothing partial. */
export function auditor(staff: Staff, load: Load, data: string, connection: () => Connection) {
  const { organization } = staff
  let audited = 0
  let auditedFiles = 0

  /** Retries while the database is still starting. */
  async function withDatabase<T>(work: (db: Db) => Promise<T>, timeout = 20_000): Promise<T> {
    const db = connect(connection(), { poolSize: 1, prepare: false, noTimeLimits: true })
    try {
      return await work(db)
    } catch (error) {
      if (!isBusyOrAway(error) || timeout <= 0) throw error
    } finally {
      await db.destroy()
    }
    await sleep(100)
    return withDatabase(work, timeout - 100)
  }

  /** Writes that were acknowledged since the last audit and are missing. */
  async function lost(all = false) {
    const some = load.acknowledged.slice(all ? 0 : audited)
    audited = load.acknowledged.length
    return withDatabase(async db => {
      const rows = await missing(
        db,
        organization,
        some.filter(({ kind }) => kind !== 'mail'),
      )
      return [
        ...rows,
        ...(await missingMails(
          db,
          data,
          some.flatMap(one => (one.kind === 'mail' ? [one.login] : [])),
        )),
      ]
    })
  }

  /** Everything that is stored only in part. */
  async function torn() {
    return withDatabase(async db => {
      const { rows } = await sql.raw<{ what: string; id: number }>(tornQuery.replaceAll('$1', String(organization))).execute(db)
      const counters = await recount(db, organization)
      return [...rows, ...counters.subordinates, ...counters.tally, ...(await fileless(db))]
    })
  }

  /** Rows of attachments whose file is missing or another. */
  async function fileless(db: Db) {
    const { rows } = await sql<{ id: number; storage_key: string; sha256: Buffer }>`
      select id, storage_key, sha256 from attachment where organization_id = ${organization} and id > ${auditedFiles} order by id`.execute(
      db,
    )
    auditedFiles = rows.at(-1)?.id ?? auditedFiles
    return rows.filter(({ storage_key, sha256 }) => {
      try {
        return !createHash('sha256')
          .update(readFileSync(path.join(data, 'attachments', storage_key)))
          .digest()
          .equals(sha256)
      } catch {
        return true
      }
    })
  }

  /** Damaged pages of tables; a damaged index throws. */
  async function damaged() {
    return withDatabase(async db => {
      await sql`create extension if not exists amcheck`.execute(db)
      await sql`
        select bt_index_check(i.indexrelid, true) from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
        where a.amname = 'btree' and c.relnamespace = 'public'::regnamespace`.execute(db)
      const { rows } = await sql`
        select c.relname, v.* from pg_class c, verify_heapam(c.oid) v where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(
        db,
      )
      return rows
    })
  }

  return { lost, torn, damaged }
}

async function missing(db: Db, organization: number, some: Acknowledged[]) {
  const { rows } = await sql<{ kind: string }>`
    select a.* from jsonb_to_recordset(${JSON.stringify(some)}::text::jsonb)
      as a(kind text, "idTicket" bigint, field text, value text, "idComment" bigint, text text, title text, id bigint, sha256 text)
    where not case a.kind
      when 'save' then (select count(*) = 1 from change c where c.organization_id = ${organization} and c.ticket_id = a."idTicket"
        and c.field = a.field and c.after = a.value)
      when 'comment' then exists (select from comment c where c.organization_id = ${organization} and c.ticket_id = a."idTicket"
        and c.id = a."idComment" and c.text = a.text)
      when 'create' then exists (select from ticket t where t.organization_id = ${organization} and t.id = a."idTicket" and t.title = a.title)
      when 'upload' then exists (select from attachment f where f.organization_id = ${organization} and f.ticket_id = a."idTicket"
        and f.id = a.id and f.sha256 = decode(a.sha256, 'hex'))
      end`.execute(db)
  return rows
}

/** People whose welcome mail neither waits nor left, or who are not there at all. */
async function missingMails(db: Db, data: string, logins: string[]) {
  const { rows } = await sql<{ login: string; waits: boolean }>`
    select login, exists (select from graphile_worker._private_jobs j where (j.payload ->> 'userId')::bigint = u.id) as waits
    from user_account u where login = any(${logins})`.execute(db)
  const waiting = new Map(rows.map(({ login, waits }) => [login, waits]))
  const sent = mailsTo(data)
  return logins.filter(login => !waiting.has(login) || !(waiting.get(login) || sent.has(login)))
}

// Each line names a thing of which only a part is there.
const tornQuery = `
  select 'ticket without history' as what, t.id from ticket t where t.organization_id = $1
    and not exists (select from change c where c.organization_id = $1 and c.ticket_id = t.id and c.field = 'Ticket')
  union all
  select 'history without ticket', c.ticket_id from change c where c.organization_id = $1 and c.ticket_id is not null
    and not exists (select from ticket t where t.organization_id = $1 and t.id = c.ticket_id)
  union all
  select 'comments and their history differ on ticket', coalesce(a.ticket_id, b.ticket_id)
    from (select ticket_id, count(*) from comment where organization_id = $1 group by 1) a
    full join (select ticket_id, count(*) from change where organization_id = $1 and field = 'Comment' group by 1) b using (ticket_id)
    where a.count is distinct from b.count
  union all
  select 'attachments and their history differ on ticket', coalesce(a.ticket_id, b.ticket_id)
    from (select ticket_id, count(*) from attachment where organization_id = $1 group by 1) a
    full join (select ticket_id, count(*) from change where organization_id = $1 and field = 'Attachment' group by 1) b using (ticket_id)
    where a.count is distinct from b.count
  union all
  select 'attachment bytes do not add up', o.id from organization o where o.id = $1
    and o.attachment_bytes <> (select coalesce(sum(bytes), 0) from attachment where organization_id = $1)
  union all
  select 'change without a notice in the outbox, ticket', c.ticket_id from change c
    left join ticket_notice n on n.organization_id = $1 and n.ticket_id = c.ticket_id
    where c.organization_id = $1 and c.ticket_id is not null group by c.ticket_id, n.first_change_id
    having n.first_change_id is null or n.first_change_id > min(c.id)
  union all
  select 'person without history', m.user_id from organization_member m join user_account u on u.id = m.user_id
    where m.organization_id = $1 and u.login like 'made-%'
    and not exists (select from change c where c.organization_id = $1 and c.subject = 'user' and c.subject_id = u.id)
  union all
  select 'broken chain of history, change', id from (
    select id, before, lag(after) over w as previous, lag(id) over w as earlier from change
    where organization_id = $1 and (field = 'Title' or field like 'data.%') window w as (partition by ticket_id, field order by id)
  ) chain where earlier is not null and before is distinct from previous
  union all
  select 'title that is not the last in history, ticket', t.id from ticket t
    join (select distinct on (ticket_id) ticket_id, after from change where organization_id = $1 and field = 'Title' order by ticket_id, id desc) c
      on c.ticket_id = t.id where t.organization_id = $1 and t.title <> c.after
  union all
  select 'version that does not count the saves, ticket', t.id from ticket t
    left join (select ticket_id, count(distinct change_set_id) from change where organization_id = $1
      and (field = 'Title' or field like 'data.%') group by 1) c on c.ticket_id = t.id
    where t.organization_id = $1 and t.version <> 1 + coalesce(c.count, 0)`
