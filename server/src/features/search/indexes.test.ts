import { queryTickets } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeUser } from '../../../test/fixtures/factories.ts'
import { startServer } from '../../../test/servers/server.ts'
import { explain, type PlanNode, rowsRead } from '../../../test/statements/explain.ts'
import { recordStatements } from '../../../test/statements/record-statements.ts'
import { buildApp } from '../../app.ts'
import { connect, poolOf } from '../../db/connections/connect.ts'
import { closeSystem, createSystem } from '../../process/system.ts'

/** Letters of each script; titles are made of words of them. */
const scripts = {
  Cyrillic: 'абвгдежзийклмнопрстуфхцчшщыьэюя',
  Greek: 'αβγδεζηθικλμνξοπρστυφχψω',
  Han: '支付网关超时错误登录页面订单数据库连接失败用户密码重置邮件发送服务器响应缓慢文件上传大小限制',
  Kana: 'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん',
  Thai: 'กขคงจฉชซญดตถทธนบปผพฟภมยรลวศสหอ',
  Arabic: 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
}

test('the filters Title, Id, Subordinates and Mine use an index in every script and read few rows that do not match', async () => {
  await using server = await startServer()
  const { db } = server
  const organization = await makeOrganization(db)
  const project = await makeProject(db, organization, { shortCode: 'OPS' })
  const user = await makeUser(db, organization)
  await makeMember(db, organization, project.projectId, user, 'all')
  const caller = await server.signedIn(user, organization)

  let seed = 7
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return (seed >>> 8) % below
  }
  const titles: string[] = []
  for (const alphabet of Object.values(scripts)) {
    const letters = [...alphabet]
    const word = () => Array.from({ length: 2 + random(5) }, () => letters[random(letters.length)]).join('')
    const words = Array.from({ length: 300 }, word)
    for (let count = 0; count < 1000; count++) titles.push(Array.from({ length: 4 }, () => words[random(words.length)]).join(' '))
  }
  const { host, port, user: role, database } = poolOf(db).options
  const filler = connect({ host, port, user: role, database }, { poolSize: 1, noTimeLimits: true })
  await sql`
    insert into ticket (organization_id, id, project_id, template_id, state_id, parent_id, title)
    select ${organization}, 100000 + n, ${project.projectId}, ${project.templates.bug}, ${project.states.open}, case when n % 50 = 2 then 100000 + n - 1 end, title
    from unnest(${titles}::text[]) with ordinality as made (title, n)`.execute(filler)
  await sql`
    insert into ticket_subordinate (organization_id, ticket_id, proposed) select organization_id, parent_id, count(*) from ticket
    where organization_id = ${organization} and parent_id is not null group by 1, 2`.execute(filler)
  // Much that is none of it: children that are done, other people's tickets.
  await sql`
    insert into ticket_subordinate (organization_id, ticket_id, inactive) select organization_id, id, 1 from ticket
    where organization_id = ${organization} on conflict do nothing`.execute(filler)
  const other = await makeUser(db, organization)
  await makeMember(db, organization, project.projectId, other, 'all')
  await sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select organization_id, project_id, id, ${other}, ${project.roles.assignee} from ticket where organization_id = ${organization}`.execute(
    filler,
  )
  await sql`
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select organization_id, project_id, id, ${user}, ${project.roles.assignee} from ticket where organization_id = ${organization} and id % 100 = 0`.execute(
    filler,
  )
  await sql`vacuum analyze`.execute(filler)
  await filler.destroy()

  const watched = connect(poolOf(db).options, { poolSize: 1 })
  const recorder = recordStatements(watched)
  const system = await createSystem(server.system.config, watched)
  const app = await buildApp(system)
  try {
    const measure = async (filter: object) => {
      recorder.start()
      const { status, body } = await server.as(
        caller,
        queryTickets,
        { idProject: project.projectId, Phases: [1, 2, 3], ...filter },
        {},
        app,
      )
      expect([filter, status]).toEqual([filter, 200])
      const reads: PlanNode[] = []
      for (const sent of recorder.stop()) if (sent.text.includes('ticket t')) reads.push(...(await explain(db, sent)))
      const whole = reads.filter(
        node =>
          node['Node Type'] === 'Seq Scan' && /^(ticket|ticket_search|ticket_subordinate|assignment)$/.test(node['Relation Name'] ?? ''),
      )
      const found = reads.filter(node => /^(ticket|ticket_search)$/.test(node['Relation Name'] ?? '') && /Scan$/.test(node['Node Type']))
      const read = found.reduce((sum, node) => sum + rowsRead(node), 0)
      const kept = found.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)
      return { total: body.Total, whole: whole.map(node => node['Relation Name']), inVain: (read - kept) / Math.max(1, read) }
    }

    for (const [position, script] of Object.keys(scripts).entries()) {
      const title = titles[position * 1000 + 5] as string
      for (const Title of [title.slice(0, 3), title.slice(1, 6), title.slice(0, 2), title]) {
        const { total, whole, inVain } = await measure({ Title })
        expect.soft([script, Title, total]).toEqual([script, Title, titles.filter(each => each.includes(Title)).length])
        expect.soft([script, Title, whole]).toEqual([script, Title, []])
        expect.soft(inVain, `${script} ${Title}`).toBeLessThan(0.1)
      }
    }
    for (const [filter, total] of [
      [{ Id: '100321' }, 1],
      [{ Id: 'OPS-10432' }, 10],
      [{ Subordinates: [1] }, 120],
      [{ Mine: 1 }, 60],
      [{ Mine: 1, Title: (titles[99] as string).slice(0, 4) }, 1],
    ] as const) {
      const read = await measure(filter)
      expect.soft([filter, read.total]).toEqual([filter, expect.any(Number)])
      expect.soft([filter, read.total >= 1 && (total === 1 || read.total === total)]).toEqual([filter, true])
      expect.soft([filter, read.whole]).toEqual([filter, []])
    }
  } finally {
    await app.close()
    closeSystem(system)
    await watched.destroy()
  }
})
