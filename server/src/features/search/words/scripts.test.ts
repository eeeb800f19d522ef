import { setLabel } from '@tessera/contract/projects/labels'
import { setTicketState } from '@tessera/contract/projects/project-config'
import { searchTickets, suggestSearch } from '@tessera/contract/tickets/search'
import { queryTickets, setTicketData } from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { searchWorld } from '../../../../test/fixtures/worlds/search-world.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

test('names in every script are found as written, in another case, and without accents unless another name has none', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const ann = await someone('all', { fullName: 'ΑΝΝΑ ΠΑΠΠΑΣ', login: 'İnci' })
  const idTicket = await makeTicket(server.db, organization, project)
  const idOther = await makeTicket(server.db, organization, project, { stateId: project.states.doing })
  const label = async (Label: string) => (await server.as(ann, setLabel, { idProject, Label, Color: '#336699' })).body.idLabel
  const labels = [await label('İSTANBUL'), await label('ΔΡΟΜΟΣ'), await label('ÉCOLE'), await label('Straße')]
  await server.as(ann, setTicketState, { idProject, idState: project.states.open, State: 'ΕΛΕΓΧΟΣ' })
  const option = { value: 'ΜΕΓΑΣ', label: 'ΜΕΓΑΣ' }
  await server.sql`
    update field set options = ${JSON.stringify([option])}::jsonb where organization_id = ${organization} and id = ${project.fields.size}`
  await server.as(ann, setTicketData, {
    idTicket,
    data: { size: option.value },
    Labels: labels.map(idLabel => ({ idLabel, Enabled: 1 as const })),
    TicketAssign: [{ idUser: ann.idUser, idRole: project.roles.assignee, Enabled: 1 }],
  })
  const found = async (Query: string) => (await server.as(ann, searchTickets, { Query })).body.Tickets.map(({ id }) => id)
  for (const Query of [
    'label:ÉCOLE',
    'label:école',
    'label:İSTANBUL',
    'label:ΔΡΟΜΟΣ',
    'label:δρόμος or label:δρομος',
    'state:ΕΛΕΓΧΟΣ',
    'state:ελεγχος',
    'size:ΜΕΓΑΣ',
    'size:μεγας',
    'assignee:"ΑΝΝΑ ΠΑΠΠΑΣ"',
    'assignee:"Αννα Παππας"',
    'assignee:İnci',
    'label:ecole',
    'label:strasse',
    'label:none,istanbul -label:none',
    'state:ἔλεγχος',
    'size:μέγας',
    'assignee:"Άννα Παππάς"',
    'assignee:inci',
  ])
    expect([Query, await found(Query)]).toEqual([Query, [idTicket]])
  const suggested = async (Query: string) =>
    (await server.as(ann, suggestSearch, { Query, Caret: Query.length })).body.map(({ Label }) => Label)
  for (const [Query, name] of [
    ['label:eco', 'ÉCOLE'],
    ['label:straß', 'Straße'],
    ['state:έλεγ', 'ΕΛΕΓΧΟΣ'],
    ['size:μέγ', 'ΜΕΓΑΣ'],
    ['assignee:παππάς', 'ΑΝΝΑ ΠΑΠΠΑΣ'],
  ] as const)
    expect([Query, (await suggested(Query))[0]]).toEqual([Query, name])
  const plain = await label('Ecole')
  await server.as(ann, setTicketData, { idTicket: idOther, Labels: [{ idLabel: plain, Enabled: 1 }] })
  expect([await found('label:ecole'), await found('label:école')]).toEqual([[idOther], [idTicket]])
})

test('titles in every script are found by words and by parts of two letters or more', async () => {
  const { project, caller, make, titles } = await searchWorld(server)
  const samples: [title: string, part: string][] = [
    ['Ошибка при оплате заказа', 'оплат'],
    ['Σφάλμα πληρωμής παραγγελίας', 'πληρωμης'],
    ['支付网关超时错误', '网关'],
    ['ログイン画面のエラー', '画面'],
    ['ข้อผิดพลาดในการชำระเงิน', 'ชำระ'],
    ['خطأ في بوابة الدفع', 'الدفع'],
    ['결제 오류가 발생', '오류'],
    ['Naïve Größe', 'grosse'],
  ]
  for (const [title] of samples) await make(title)
  for (const [title, part] of samples) expect.soft(await titles(part), part).toEqual([title])
  for (const [title] of samples) {
    for (const needle of [title.slice(2, 3), title.slice(3, 5), title.slice(1, 7)]) {
      const { body } = await server.as(caller, queryTickets, { idProject: project.projectId, Title: needle })
      expect
        .soft(
          body.Tickets.map(({ Title }) => Title),
          needle,
        )
        .toContain(title)
      for (const { Title } of body.Tickets) expect(Title.toLowerCase()).toContain(needle.toLowerCase())
    }
  }
})
