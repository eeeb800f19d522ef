import { randomUUID } from 'node:crypto'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { makeOrganization, makeProject, makeTicket } from '../../../test/fixtures/factories.ts'
import { searchWorld } from '../../../test/fixtures/worlds/search-world.ts'
import { startServer } from '../../../test/servers/server.ts'
import { connect } from '../../db/connections/connect.ts'
import { migrate, migrationNames } from '../../db/schema/migrate.ts'

/** Each title with what is typed to find it: itself, itself as a phrase, and these. None of it is treated as a typing error. */
async function findsBack(samples: Record<string, string[]>) {
  await using server = await startServer()
  const { make, search } = await searchWorld(server)
  for (const title of Object.keys(samples)) await make(title)
  for (const [title, parts] of Object.entries(samples)) {
    for (const query of [title, `"${title}"`, `title:"${title}"`, ...parts]) {
      const { Tickets, Also } = await search(query)
      expect.soft({ query, titles: Tickets.map(({ Title }) => Title), Also }).toMatchObject({ titles: [title], Also: undefined })
    }
  }
}

test('a word of letters, a hyphen and digits is found by each of its parts, whatever follows it', async () => {
  await findsBack({
    'CVE-2024-3094 in xz': ['CVE-2024-3094', 'cve2024', '"2024-3094 in"'],
    'Upgrade log4j-2.17.1 now': ['log4j-2.17.1', '2.17.1', '"2.17.1 now"'],
    'report-2024-01-15.pdf': ['2024-01-15', '"01-15.pdf"'],
    'id 550e8400-e29b-41d4-a716-446655440000': ['550e8400-e29b-41d4-a716-446655440000', 'e29b-41d4', 'a716446655440000'],
    'ABC-12-34': ['abc-12-34', 'abc12'],
    'sha-256sum fails': ['sha-256sum', '256sum', '"256sum fails"'],
    'utf-8 encoding': ['utf8', '"8 encoding"'],
    'RIDE-7 again': ['ride7', '"ride7 again"', 'title:ride7'],
    'ОПС-7 снова': ['"7 снова"'],
    'ops-77й': ['ops77', '77й'],
    [`x-${'1'.repeat(200)} long`]: [`x-${'1'.repeat(60)}`],
  })
})

test('text in a script without spaces is found by its parts, also when mixed with spaces, commas and other scripts', async () => {
  await findsBack({
    '서울 버스 노선 변경': ['"버스 노선"', '"울 버스"', '"버스 노"', '"서울, 버스"'],
    '东京 tower 大阪': ['"东京 tower"', '"京 tower 大"', 'tower大阪'],
    'ログイン できない': ['"ログイン できない"', '"イン でき"'],
    'ภาษา ไทย': ['"ษา ไทย"'],
    'ｶﾀｶﾅ half': ['"カタカナ half"'],
    '你好，世界': ['你好,世界', '"好，世"', '界'],
    会議室A予約: ['"室A予"', '会議室a'],
    iPhone用ケース: ['"iPhone用"', 'iphone用'],
    '𠮷野家 menu': ['"野家 menu"'],
  })
})

test('vowel points, joiners, soft hyphens and stretching bars are not part of a word; vowel signs are', async () => {
  await findsBack({
    'مُدَرِّس جديد': ['مدرس'],
    'العَرَبِيَّة اللغة': ['العربية', 'العـــربية'],
    'שָׁלוֹם עולם': ['שלום'],
    'soft\u00adhyphen': ['softhyphen', '"softhyphen"'],
    'zero\u200bwidth': ['zerowidth'],
    'word\u2060joiner': ['wordjoiner'],
    'ශ්‍රී ලංකා': ['ශ්රී'],
    می‌خواهم: ['میخواهم'],
    'कि एक': ['कि'],
    'की दो': ['की'],
  })
})

test('the Greek final sigma matches the other sigmas', async () => {
  await findsBack({
    'ΕΛΕΓΧΟΣ ΠΡΟΣΒΑΣΗΣ': ['έλεγχος', 'έλεγχοσ', '"έλεγχος πρόσβασης"', 'title:έλεγχος', 'ΕΛΕΓΧΟΣ'],
    'Λάθος χρήστης': ['ΛΑΘΟΣ', '"ΛΑΘΟΣ ΧΡΗΣΤΗΣ"', 'title:ΛΑΘΟΣ', 'λαθος'],
  })
})

test('an emoji is a word of its own, with or without spaces around it', async () => {
  await findsBack({
    '🐛bug in ✅login': ['bug', 'login', '"bug in"', '🐛', '✅', '"🐛 bug"'],
    'deploy🚀': ['deploy', '"deploy"', '🚀', '"deploy 🚀"'],
    'bad 👩\u200d💻 ❤\ufe0fday': ['❤', '💻', 'day', '"👩\u200d💻 ❤ day"'],
  })
})

test('a snippet marks the match in its original spelling', async () => {
  await using server = await startServer()
  const { caller, make, search } = await searchWorld(server)
  for (const Comment of [
    'see the soft\u00adhyphen',
    'يا مُدَرِّس هنا',
    '새 버스 노선',
    'новый большой йод',
    'go deploy🚀now',
    '新しいiPhoneで',
    'το ΛΆΘΟΣ εδώ',
  ])
    await server.as(caller, setTicketComment, { idTicket: await make('Elsewhere'), Comment })
  const shown = async (query: string) =>
    (await search(query)).Tickets[0]?.Snippet?.map(({ Text, Mark }) => (Mark ? `<${Text}>` : Text)).join('')
  expect.soft(await shown('softhyphen')).toBe('see the <soft\u00adhyphen>')
  expect.soft(await shown('مدرس')).toBe('يا <مُدَرِّس> هنا')
  expect.soft(await shown('버스')).toBe('새 <버스> 노선')
  expect.soft(await shown('йод')).toBe('новый большой <йод>')
  expect.soft(await shown('🚀')).toBe('go deploy<🚀>now')
  expect.soft(await shown('iphone')).toBe('新しい<iPhone>で')
  expect.soft(await shown('λάθος')).toBe('το <ΛΆΘΟΣ> εδώ')
})

// A cluster is filled and upgraded by torture:citus.
test.skipIf(inject('servers').length > 1)('an upgrade cuts anew what is cut differently, and leaves the other rows', async () => {
  const database = `words_${randomUUID().replaceAll('-', '')}`
  const admin = connect(inject('cluster'), { poolSize: 1, prepare: false })
  await sql.raw(`create database ${database}`).execute(admin)
  const db = connect({ ...inject('cluster'), database }, { poolSize: 1 })
  try {
    await migrate(db, { only: (await migrationNames()).filter(name => name < '0041') })
    const organization = await makeOrganization(db)
    const project = await makeProject(db, organization)
    const make = (title: string) => makeTicket(db, organization, project, { title })
    const kept = [await make('A plain title of 2024-01-15'), await make('Größe — “naïve” ошибка')]
    for (const title of ['CVE-2024-3094 in xz', 'OPS–7 here', '버스 노선', 'مُدَرِّس', 'deploy🚀', '✅login', 'half ｶﾀｶﾅ', 'Λάθος χρήστης'])
      await make(title)
    const insert = (table: string, columns: Record<string, unknown>) =>
      sql`insert into ${sql.table(table)} (${sql.join(Object.keys(columns).map(sql.ref))}) values (${sql.join(Object.values(columns))})`.execute(
        db,
      )
    const tenant = { organization_id: organization }
    const ofProject = { ...tenant, project_id: project.projectId }
    await insert('field', { ...ofProject, id: 901, key: 'line', label: 'Line', type_id: 3, position: 9 })
    await insert('ticket_value', {
      ...tenant,
      ticket_id: await make('By its value'),
      field_id: 901,
      value: 'sha-256sum of soft\u00adware',
    })
    await insert('comment', { ...tenant, ticket_id: await make('By its comment'), text: 'utf-8 encoding' })
    await insert('comment', { ...tenant, ticket_id: await make('By its Greek comment'), text: 'έλεγχος' })
    await insert('label', { ...ofProject, id: 902, name: '버그 🐛bug', color: '#000000' })
    await insert('ticket_label', { ...tenant, ticket_id: await make('By its label'), label_id: 902 })
    const rows = async () =>
      (
        await sql<{ id: number; version: string; same: boolean }>`
        select s.ticket_id::int as id, s.xmin::text as version, s.words = (search_title(t.project_id, t.title) || ' ' ||
          search_lexemes(search_names(t.organization_id, t.id), 'D', '', 1000, 3999) || ' ' ||
          search_lexemes(search_fields(t.organization_id, t.id), 'B', '', 4000, 9999) || ' ' ||
          search_lexemes(search_comments(t.organization_id, t.id), 'C', '', 10000, 16383))::tsvector as same
        from ticket t join ticket_search s on s.organization_id = t.organization_id and s.ticket_id = t.id
        where t.organization_id = ${organization} order by s.ticket_id`.execute(db)
      ).rows
    const before = await rows()
    await migrate(db)
    const after = await rows()
    expect(after.filter(({ same }) => !same)).toEqual([])
    expect(after.filter((row, index) => row.version === before[index]?.version).map(({ id }) => id)).toEqual(kept)
    const { rows: known } = await sql<{ word: string }>`
      select word from search_word where organization_id = ${organization} and word in ('deploy', 'login', 'software', 'مدرس')`.execute(db)
    expect(known.map(({ word }) => word).sort()).toEqual(['deploy', 'login', 'software', 'مدرس'])
  } finally {
    await db.destroy()
    await sql.raw(`drop database ${database} with (force)`).execute(admin)
    await admin.destroy()
  }
})
