import { limits } from '@tessera/contract/limits'
import { deleteLabels, restoreLabels, setLabel } from '@tessera/contract/projects/labels'
import { deleteSearches, getSearchList, restoreSearches, setSearch } from '@tessera/contract/projects/saved-searches'
import { searchTickets } from '@tessera/contract/tickets/search'
import { expect, test } from 'vitest'
import { makeTicket, makeUser } from '../../../../test/fixtures/factories.ts'
import { badIds, expectRefusals } from '../../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { type Caller, serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

async function setUp() {
  const world = await peopledProject(server)
  const { organization, someone } = world
  const admin = await someone([1], { admin: true })
  const ann = await someone([1])
  // In no project.
  const bob = await server.signedIn(await makeUser(server.db, organization), organization)
  const save = (who: Caller, input: object) => server.as(who, setSearch, input)
  const list = async (who: Caller) => (await server.as(who, getSearchList, {})).body
  const names = async (who: Caller) => (await list(who)).map(({ Name }) => Name)
  return { ...world, admin, ann, bob, save, list, names }
}
const forbidden = { status: 422, body: { code: 'not_permitted', needs: 'Organisation Admin' } }

test('a search is private or shared with the organization, and changed by its owner or an admin', async () => {
  const { organization, project, admin, ann, bob, foreigner, save, list, names } = await setUp()
  const own = (await save(ann, { Name: 'Mine', Query: 'assignee:me' })).body.idSearch
  const shared = (await save(ann, { Name: 'Boats', Query: 'boat sort:-updated', Scope: 'organization' })).body.idSearch
  await save(bob, { Name: 'A shared one', Query: 'ship', Scope: 'organization' })
  expect(await list(ann)).toEqual([
    { idSearch: shared, Name: 'Boats', Query: 'boat sort:-updated', Scope: 'organization', Mine: 1 },
    { idSearch: own, Name: 'Mine', Query: 'assignee:me', Scope: 'private', Mine: 1 },
    { idSearch: expect.any(Number), Name: 'A shared one', Query: 'ship', Scope: 'organization', Mine: 0 },
  ])
  expect([await names(bob), await names(admin), await names(foreigner)]).toEqual([['A shared one', 'Boats'], ['A shared one', 'Boats'], []])
  // It finds what its reader may see.
  await makeTicket(server.db, organization, project, { title: 'Red boat' })
  const found = async (who: Caller) => (await server.as(who, searchTickets, { Query: 'boat sort:-updated' })).body.Total
  expect([await found(ann), await found(bob)]).toEqual([1, 0])

  expect(await save(bob, { idSearch: shared, Name: 'Ships' })).toMatchObject(forbidden)
  expect(await server.as(bob, deleteSearches, { ids: [shared] })).toMatchObject(forbidden)
  for (const who of [bob, admin, foreigner]) {
    expect((await save(who, { idSearch: own, Name: 'Theirs' })).status).toBe(404)
    expect((await server.as(who, deleteSearches, { ids: [own] })).status).toBe(404)
  }
  expect((await save(admin, { idSearch: shared, Name: 'All boats' })).body).toEqual({ Success: 1, idSearch: shared })
  expect(await save(admin, { idSearch: shared, Scope: 'private' })).toMatchObject({ status: 422, body: { code: 'rule' } })
  // What is left out stays.
  expect(await list(bob)).toMatchObject([{}, { Name: 'All boats', Query: 'boat sort:-updated', Scope: 'organization', Mine: 0 }])
  expect((await save(ann, { idSearch: own, Query: 'assignee:none' })).status).toBe(200)
  await save(ann, { idSearch: shared, Scope: 'private' })
  expect(await names(bob)).toEqual(['A shared one'])
  expect(await server.sql`select field from change where organization_id = ${organization} and subject = 'search'`).toHaveLength(4)
})

test('a search needs a name that is free and a query that can be run', async () => {
  const { organization, admin, ann, bob, save, names } = await setUp()
  const query = 'boat'
  await save(ann, { Name: 'Boats', Query: query, Scope: 'organization' })
  for (const [input, status, code] of [
    [{ Name: 'x' }, 400, 'invalid'],
    [{ Query: query }, 400, 'invalid'],
    [{ Name: ' ', Query: query }, 400, 'invalid'],
    [{ Name: 'x', Query: ' ' }, 400, 'invalid'],
    [{ Name: 'x', Query: '(' }, 400, 'query'],
    [{ Name: 'x', Query: 'nothing:x' }, 400, 'query'],
    [{ Name: 'x', Query: query, Scope: 'project' }, 400, 'invalid'],
    [{ Name: 'BOATS', Query: query, Scope: 'organization' }, 422, 'duplicate'],
  ] as const)
    expect(await save(bob, input), JSON.stringify(input)).toMatchObject({ status, body: { code } })
  expect(await names(bob)).toEqual(['Boats'])
  // A private one may have the name of a shared one, and of another person's private one.
  for (const who of [ann, bob]) expect((await save(who, { Name: 'Boats', Query: query })).status).toBe(200)
  expect((await save(bob, { Name: 'boats', Query: query })).body).toMatchObject({ error: 'There is already a search named boats' })
  const both = await Promise.all([1, 2].map(() => save(admin, { Name: 'At once', Query: query })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  // One whose field is gone can be renamed, and sent back as it was read.
  const { idSearch } = (await save(ann, { Name: 'Large', Query: 'size:l' })).body
  await server.sql`delete from field where organization_id = ${organization} and key = 'size'`
  expect((await save(ann, { idSearch, Name: 'Larger', Query: 'size:l' })).status).toBe(200)
  expect((await save(ann, { idSearch, Query: 'size:m' })).status).toBe(400)
})

test('saving, deleting and restoring searches are refused to whoever may not', async () => {
  const { ann, bob, foreigner, save } = await setUp()
  const { idSearch } = (await save(ann, { Name: 'Boats', Query: 'boat', Scope: 'organization' })).body
  const others = { caller: ann, foreigner, unpermitted: bob }
  const bad: [unknown, string][] = [[{ idSearch, Name: 'x'.repeat(201) }, 'Name']]
  await expectRefusals(server, setSearch, { input: { idSearch, Name: 'Ships' }, ...others, bad })
  const input = { ids: [idSearch] }
  await expectRefusals(server, deleteSearches, { input, ...others, bad: badIds(input) })
  await server.as(ann, deleteSearches, input)
  await expectRefusals(server, restoreSearches, { input, ...others, bad: badIds(input) })
})

test('a deleted search is restored within a day, if its name is free', async () => {
  const { organization, ann, bob, save, names } = await setUp()
  const { idSearch } = (await save(ann, { Name: 'Boats', Query: 'boat', Scope: 'organization' })).body
  await save(bob, { Name: 'Own', Query: 'boat' })
  await server.as(ann, deleteSearches, { ids: [idSearch] })
  expect([await names(ann), await names(bob)]).toEqual([[], ['Own']])
  expect(await server.as(bob, restoreSearches, { ids: [idSearch] })).toMatchObject(forbidden)
  const other = (await save(ann, { Name: 'boats', Query: 'ship', Scope: 'organization' })).body.idSearch
  const error = 'There is already a search named Boats'
  expect(await server.as(ann, restoreSearches, { ids: [idSearch] })).toMatchObject({ status: 422, body: { code: 'duplicate', error } })
  await server.as(ann, deleteSearches, { ids: [other] })
  for (const _ of [1, 2]) expect((await server.as(ann, restoreSearches, { ids: [idSearch] })).status).toBe(200)
  expect(await names(bob)).toEqual(['Own', 'Boats'])
  await server.sql`update saved_search set deleted_at = now() - interval '25 hours' where organization_id = ${organization} and id = ${other}`
  expect((await server.as(ann, restoreSearches, { ids: [other] })).status).toBe(404)
})

test('the number of searches is limited, and one person cannot use up the shared ones', async () => {
  const { organization, admin, ann, bob, save } = await setUp()
  const fill = ({ idUser }: { idUser: number }, shared: boolean, count: number) => server.sql`
    insert into saved_search (organization_id, owner_id, name, query, shared)
    select ${organization}, ${idUser}, ${`${idUser} ${shared}`} || n, 'x', ${shared} from generate_series(1, ${count}::int) n`
  const refused = (error: string) => ({ status: 422, body: { code: 'rule', error } })
  await fill(ann, true, limits.sharedSearchesOfPerson)
  const few = `Without Organisation Admin you can share at most ${limits.sharedSearchesOfPerson} searches`
  expect(await save(ann, { Name: 'More', Query: 'x', Scope: 'organization' })).toMatchObject(refused(few))
  await fill(admin, true, limits.sharedSearches - limits.sharedSearchesOfPerson)
  for (const who of [admin, bob])
    expect(await save(who, { Name: 'More', Query: 'x', Scope: 'organization' })).toMatchObject(
      refused(`An organization has at most ${limits.sharedSearches} shared searches`),
    )
  const { idSearch } = (await save(bob, { Name: 'Own', Query: 'x' })).body
  await server.as(bob, deleteSearches, { ids: [idSearch] })
  await fill(bob, false, limits.searches)
  const many = refused(`You can have at most ${limits.searches} private searches`)
  expect(await save(bob, { Name: 'More', Query: 'x' })).toMatchObject(many)
  expect(await server.as(bob, restoreSearches, { ids: [idSearch] })).toMatchObject(many)
})

test('searches follow a renamed or merged label of the organization, and no word of a single project', async () => {
  const { idProject, admin, ann, foreigner, save, list } = await setUp()
  const set = async (input: object) => (await server.as(admin, setLabel, { idProject, ...input })).body.idLabel
  const [wide, other] = [await set({ Label: 'late', Scope: 'organization' }), await set({ Label: 'old', Scope: 'organization' })]
  await save(ann, { Name: 'a', Query: 'label:LATE or label:own' })
  await save(foreigner, { Name: 'a', Query: 'label:late' })
  await set({ idLabel: wide, Label: 'too late' })
  await set({ idLabel: await set({ Label: 'own' }), Label: 'secret' })
  const queries = async (who: Caller) => (await list(who)).map(({ Query }) => Query)
  expect([await queries(ann), await queries(foreigner)]).toEqual([['label:"too late" or label:own'], ['label:late']])
  await server.as(admin, deleteLabels, { idProject, ids: [wide], idReplacement: other })
  expect(await queries(ann)).toEqual(['label:old or label:own'])
  await server.as(admin, restoreLabels, { idProject, ids: [wide] })
  expect(await queries(ann)).toEqual(['label:"too late" or label:own'])
  // A label of any project has the former name too.
  await set({ Label: 'too late' })
  await set({ idLabel: wide, Label: 'soon' })
  expect(await queries(ann)).toEqual(['label:"too late",soon or label:own'])
})
