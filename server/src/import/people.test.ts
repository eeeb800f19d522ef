import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeOrganization, makeUser } from '../../test/fixtures/factories.ts'
import { startServer, type TestServer } from '../../test/servers/server.ts'
import { planImport } from './export/plan.ts'
import { importExport } from './write.ts'

const rows = `Summary,Issue key,Issue Type,Status,Assignee,Reporter,Comment
First,P-1,Bug,Open,ANN,ruth,16/Jul/15 06:23;mia;seen
Second,P-2,Bug,Open,bob,ANN,`

async function importRows(server: TestServer, organizationId: number) {
  const file = `${server.system.config.data}/people.csv`
  writeFileSync(file, rows)
  const target = { organizationId, shortCode: 'P', title: 'People' }
  return importExport(server.db, { storage: server.system.storage, file, plan: await planImport(file), target })
}

async function members(server: TestServer, organizationId: number) {
  const rows = await server.sql<{ id: number; login: string; name: string; password: boolean; permissions: number | null }>`
    select u.id, u.login, u.full_name as name, u.password_hash is not null as password, p.permissions
    from organization_member m join user_account u on u.id = m.user_id
    left join project_member p on p.organization_id = m.organization_id and p.user_id = m.user_id
    where m.organization_id = ${organizationId} order by u.login`
  return rows
}

test('a login of another organization makes nobody a member here: its namesake is imported as another person', async () => {
  await using server = await startServer()
  const [here, elsewhere] = [await makeOrganization(server.db), await makeOrganization(server.db)]
  const bob = await makeUser(server.db, here, { login: 'bob', passwordHash: 'a hash' })
  const stranger = await makeUser(server.db, elsewhere, { login: 'Ann', passwordHash: 'a hash' })
  const root = await makeUser(server.db, null, { login: 'ruth', super: true, passwordHash: 'a hash' })
  const left = await makeUser(server.db, null, { login: 'mia', passwordHash: 'a hash' })

  const imported = await importRows(server, here)
  expect(imported).toMatchObject({ tickets: 2, people: 3 })
  const reported = imported.problems.filter(({ column }) => column === 'people').map(({ text }) => text)
  expect(reported.toSorted()).toEqual(
    ['ANN', 'mia', 'ruth'].map(
      login => `'${login}' is the login of somebody outside the organization: is imported as '${login}_${here}', without a sign-in`,
    ),
  )
  const rowsOf = new Map(imported.problems.map(({ rows, text }) => [text.slice(1, 4), rows]))
  expect([rowsOf.get('ANN'), rowsOf.get('mia'), rowsOf.get('rut')]).toEqual([[2, 3], [2], [2]])
  const people = await members(server, here)
  expect(people.map(({ login, name, password }) => [login, name, password])).toEqual(
    [
      [`ANN_${here}`, 'ANN', false],
      ['bob', '', true],
      [`mia_${here}`, 'mia', false],
      [`ruth_${here}`, 'ruth', false],
    ].toSorted(([a], [b]) => String(a).localeCompare(String(b))),
  )
  expect(people.map(({ id }) => id)).not.toEqual(expect.arrayContaining([stranger]))
  for (const id of [stranger, root, left]) expect(people.some(person => person.id === id)).toBe(false)
  const roles = await server.sql`
    select distinct r.name from assignment a join role r on r.organization_id = a.organization_id and r.id = a.role_id
    where a.organization_id = ${here}`
  expect(roles).toEqual([{ name: 'Assignee' }])
  // What a member gets whom an administrator adds: 1 2 3 4 6 7.
  expect(people.find(({ id }) => id === bob)?.permissions).toBe(0b1101111)
  expect(await members(server, elsewhere)).toMatchObject([{ id: stranger, permissions: null }])

  // The same people are found again.
  expect(await importRows(server, here)).toMatchObject({ tickets: 0, present: 2, people: 0 })
  expect(await members(server, here)).toEqual(people)
})

test('an invented login is never taken for somebody of the same name in the file', async () => {
  await using server = await startServer()
  const [here, elsewhere] = [await makeOrganization(server.db), await makeOrganization(server.db)]
  await makeUser(server.db, elsewhere, { login: 'ann' })
  const file = `${server.system.config.data}/people.csv`
  writeFileSync(file, `Summary,Issue key,Issue Type,Status,Assignee,Reporter\na,P-1,Bug,Open,ann,ann_${here}`)
  const target = { organizationId: here, shortCode: 'P', title: 'People' }
  const imported = await importExport(server.db, { storage: server.system.storage, file, plan: await planImport(file), target })
  expect(imported.people).toBe(2)
  expect((await members(server, here)).map(({ login, permissions }) => [login, permissions === null])).toEqual([
    [`ann_${here}`, true],
    [`ann_${here}_2`, false],
  ])
})

test('a person whose login would look like another’s is imported with an invented login, the same in every run', async () => {
  await using server = await startServer()
  const here = await makeOrganization(server.db)
  const known = await makeUser(server.db, here, { login: '\uff41nn' })
  const file = `${server.system.config.data}/people.csv`
  const [cyrillic, fullwidth] = ['r\u043eot', '\uff52oot']
  writeFileSync(
    file,
    `Summary,Issue key,Issue Type,Status,Assignee,Reporter\na,P-1,Bug,Open,${cyrillic},${fullwidth}\nb,P-2,Bug,Open,\uff41nn,li\u200bly`,
  )
  const target = { organizationId: here, shortCode: 'P', title: 'People' }
  const run = async () => importExport(server.db, { storage: server.system.storage, file, plan: await planImport(file), target })
  const imported = await run()
  const people = await members(server, here)
  const invented = expect.stringMatching(/^imported_[0-9a-f]{12}$/)
  expect(Object.fromEntries(people.map(({ login, name }) => [name, login]))).toEqual({
    [cyrillic]: invented,
    [fullwidth]: invented,
    lily: 'li_ly',
    '': '\uff41nn',
  })
  expect(people.find(({ name }) => name === '')?.id).toBe(known)
  const loginOf = (name: string) => people.find(person => person.name === name)?.login
  expect(imported.problems).toEqual(
    expect.arrayContaining([
      {
        rows: [2],
        column: 'people',
        text: `'${cyrillic}' must not mix letters of different scripts, such as Latin and Cyrillic: is imported as '${loginOf(cyrillic)}', without a sign-in`,
      },
      {
        rows: [2],
        column: 'people',
        text: `'${fullwidth}' must not have letters in a rare form: is imported as '${loginOf(fullwidth)}', without a sign-in`,
      },
    ]),
  )
  expect(await run()).toMatchObject({ tickets: 0, people: 0 })
  expect(await members(server, here)).toEqual(people)
  // Whoever has the invented login in the file comes first.
  const there = await makeOrganization(server.db)
  const login = loginOf(cyrillic)
  writeFileSync(file, `Summary,Issue key,Issue Type,Status,Assignee,Reporter\na,P-1,Bug,Open,${cyrillic},${login}`)
  const plan = await planImport(file)
  await importExport(server.db, { storage: server.system.storage, file, plan, target: { ...target, organizationId: there } })
  expect(Object.fromEntries((await members(server, there)).map(person => [person.name, person.login]))).toEqual({
    [`${login}`]: `${login}_${there}`,
    [cyrillic]: `${login}_${there}_2`,
  })
})
