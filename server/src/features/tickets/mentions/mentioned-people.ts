import { limits } from '@tessera/contract/limits'
import { propertyType } from '@tessera/contract/projects/project-config'
import { type Db, run, statement, unpreparedStatement } from '../../../db/db.ts'
import { bool, flag, int8, json, nullable, text } from '../../../db/shape.ts'
import { mayViewTickets } from '../../../lib/proofs.ts'
import { personName } from '../assignees/person-name.ts'
import { parseCommentReference } from '../history/stored-values.ts'
import { mentionedLogins, type WrittenText } from './written-texts.ts'

/** Members of the organization, `u`, who may view tickets of project `project`. */
const viewers = (project: string) => `
  from organization_member m
  join user_account u on u.id = m.user_id and not u.disabled
  left join project_member pm on pm.organization_id = $1 and pm.project_id = ${project} and pm.user_id = m.user_id
  where m.organization_id = $1 and ${mayViewTickets}`

/** $3 begins the login, the name or a word of the name, whatever the accents. Only names of people who may view tickets are folded, and each once. */
export const mentionable = unpreparedStatement(
  { idUser: int8, Login: text, Name: text },
  `
  select "idUser", "Login", "Name" from (
    select u.id as "idUser", u.login as "Login", ${personName} as "Name", search_fold(u.login) as folded_login, search_fold(u.full_name) as folded_name
    ${viewers('$2')} offset 0
  ) viewer cross join (select search_fold($3) as typed offset 0) sought
  where starts_with(folded_login, typed) or starts_with(folded_name, typed) or strpos(' ' || translate(folded_name, '-.,', '   '), ' ' || typed) > 0
  order by lower(unaccent("Name")), "idUser" limit 8`,
)

/** $3 are logins in any case. */
export const named = statement(
  { idUser: int8, Login: text, Name: text },
  `select u.id as "idUser", u.login as "Login", ${personName} as "Name" ${viewers('$2')} and lower(u.login) = any(array(select lower(l) from unnest($3::text[]) l))`,
)

/** $3 are logins in any case: those of the organization's people who may not view tickets of the project. */
export const outsiders = statement(
  { idUser: int8, Login: text, Name: text, Member: flag },
  `
  select u.id as "idUser", u.login as "Login", ${personName} as "Name", (pm.user_id is not null)::int as "Member"
  from user_account u join organization_member m on m.organization_id = $1 and m.user_id = u.id
  left join project_member pm on pm.organization_id = $1 and pm.project_id = $2 and pm.user_id = u.id
  where lower(u.login) = any(array(select lower(l) from unnest($3::text[]) l)) and not u.disabled and not ${mayViewTickets}
  order by lower(unaccent(${personName})), u.id`,
)

/** $3 are labels in the form of `labelName`. If the project and the organization have labels of the same name, both are returned, the project's first. */
export const namedLabels = statement(
  { idLabel: int8, Label: text, Color: text },
  `
  select id as "idLabel", name as "Label", color as "Color" from label
  where organization_id = $1 and (project_id = $2 or project_id is null) and replace(lower(name), ' ', '-') = any($3::text[])
  order by project_id nulls last, lower(unaccent(name)), id limit ${limits.labels}`,
)

/** SQL: by the person's setting `n` the ticket is not muted. It is muted when the person turned its mails off, but not when somebody else took them off the watchers. */
export const notMuted = 'coalesce(n.enabled or not n.own, true)'

const mentioned = statement(
  { id: int8, email: text, comment_id: int8, field_id: int8, told: bool },
  `
  with named as (
    select u.id, u.email, t.comment_id, t.field_id
    from unnest($4::text[], $5::bigint[], $6::bigint[], $7::bigint[]) as t (login, comment_id, field_id, author)
    join user_account u on lower(u.login) = lower(t.login) and u.id is distinct from t.author
    where u.id in (select u.id ${viewers('$3')})
  ), written as (
    insert into mention (organization_id, ticket_id, comment_id, field_id, user_id)
    select $1, $2, comment_id, field_id, id from named
    on conflict do nothing returning user_id, comment_id, field_id
  )
  select named.*, named.email <> '' and ${notMuted} as told
  from written w join named on named.id = w.user_id and named.comment_id = w.comment_id and named.field_id = w.field_id
  left join subscription n on n.organization_id = $1 and n.ticket_id = $2 and n.user_id = named.id
  order by named.id`,
)

/** Like `mentioned`, for one text that was written into a field of many tickets, $2. */
const mentionedInMany = statement(
  { id: int8, email: text, tickets: json<number[]>() },
  `
  with named as (
    select u.id, u.email from user_account u
    where lower(u.login) = any(array(select lower(l) from unnest($5::text[]) l)) and u.id is distinct from $6::bigint and u.id in (select u.id ${viewers('$3')})
  ), written as (
    insert into mention (organization_id, ticket_id, comment_id, field_id, user_id)
    select $1, t.id, 0, $4, named.id from named cross join unnest($2::bigint[]) as t (id)
    on conflict do nothing returning ticket_id, user_id
  )
  select named.id, named.email, json_agg(w.ticket_id order by w.ticket_id) as tickets
  from written w join named on named.id = w.user_id
  left join subscription n on n.organization_id = $1 and n.ticket_id = w.ticket_id and n.user_id = named.id
  where named.email <> '' and ${notMuted}
  group by named.id, named.email order by named.id`,
)

const commentTexts = statement(
  { id: int8, text: text, before: nullable(text) },
  `
  select c.id, c.text, old.text as before from unnest($2::bigint[], $3::int[]) as wanted (id, version)
  join comment c on c.organization_id = $1 and c.id = wanted.id and c.deleted_at is null
  left join comment_version old on old.organization_id = $1 and old.comment_id = c.id and old.version = wanted.version`,
)
/** Those of the keys that are texts in Markdown. */
export const textFields = statement(
  { id: int8, key: text },
  `select id, key from field where organization_id = $1 and project_id = $2 and key = any($3) and type_id = ${propertyType.TEXTMULTILINE}`,
)

interface Place {
  organizationId: number
  projectId: number
  ticketId: number
}

/** Marks and returns the people whom these texts mention for the first time and who want to be notified, each with the sources of the texts. */
export async function newlyMentioned(db: Db, { organizationId, projectId, ticketId }: Place, texts: readonly WrittenText[]) {
  const people = new Map<number, { id: number; email: string; sources: Set<string> }>()
  const comments = texts.flatMap(({ source, before }) =>
    source.startsWith('comment.') ? [{ id: Number(source.slice(8)), version: parseCommentReference(before)?.version ?? 0 }] : [],
  )
  const suspects = texts.filter(({ source, after }) => source.startsWith('data.') && after.includes('@'))
  if (comments.length === 0 && suspects.length === 0) return people
  const written = comments.length
    ? await run(db, commentTexts, [organizationId, comments.map(({ id }) => id), comments.map(({ version }) => version)])
    : []
  const fields = suspects.length
    ? await run(db, textFields, [organizationId, projectId, suspects.map(({ source }) => source.slice(5))])
    : []

  const commentOf = new Map(written.map(row => [`comment.${row.id}`, row]))
  const fieldOf = new Map(fields.map(row => [`data.${row.key}`, row]))
  const named = texts.flatMap(({ source, before, after, author }) => {
    const [comment, field] = [commentOf.get(source), fieldOf.get(source)]
    if (!comment && !field) return []
    const earlier = new Set(mentionedLogins(comment ? comment.before : before).map(login => login.toLowerCase()))
    const logins = mentionedLogins(comment ? comment.text : after).filter(login => !earlier.has(login.toLowerCase()))
    return logins.map(login => ({ login, comment: comment?.id ?? 0, field: field?.id ?? 0, author }))
  })
  if (named.length === 0) return people
  const rows = await run(db, mentioned, [
    organizationId,
    ticketId,
    projectId,
    named.map(({ login }) => login),
    named.map(({ comment }) => comment),
    named.map(({ field }) => field),
    named.map(({ author }) => author),
  ])
  const keyOf = new Map(fields.map(({ id, key }) => [id, key]))
  for (const { id, email, comment_id, field_id, told } of rows) {
    if (!told) continue
    const person = people.get(id) ?? { id, email, sources: new Set<string>() }
    person.sources.add(comment_id > 0 ? `comment.${comment_id}` : `data.${keyOf.get(field_id)}`)
    people.set(id, person)
  }
  return people
}

/** The same for a text that was written into a field of many tickets; returns the people with their tickets. */
export async function mentionedInTickets(
  db: Db,
  { organizationId, projectId }: Omit<Place, 'ticketId'>,
  { key, text: written, author, tickets }: { key: string; text: string; author: number | null; tickets: readonly number[] },
) {
  const logins = mentionedLogins(written)
  const [field] = logins.length > 0 ? await run(db, textFields, [organizationId, projectId, [key]]) : []
  return field ? await run(db, mentionedInMany, [organizationId, tickets, projectId, field.id, logins, author]) : []
}
