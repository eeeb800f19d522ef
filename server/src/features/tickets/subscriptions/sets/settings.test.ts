import { deleteTicketStates, restoreTicketStates } from '@tessera/contract/projects/project-config'
import {
  deleteProjectRoles,
  getProjectMembers,
  removeProjectMember,
  restoreProjectMember,
  restoreProjectRoles,
} from '@tessera/contract/projects/projects'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { mailWorld, textTo } from '../../../../../test/fixtures/worlds/mail-world.ts'
import { inTransaction } from '../../../../lib/transaction.ts'

test('what a deleted state or role or a member who leaves does to tickets is one mail for each person; undone before it leaves, none', async () => {
  await using w = await mailWorld()
  const { server, smtp, organization, project, ids, ann, bob, cid, assign } = w
  const { projectId: idProject, states, roles } = project
  await assign(bob.idUser, ids)
  await assign(cid.idUser, ids.slice(0, 3))
  await w.change({ State: states.doing })
  await w.settled()
  smtp.mails.length = 0
  const [member] = (await server.as(ann, getProjectMembers, { idProject })).body.filter(({ idUser }) => idUser === cid.idUser)
  const state = { idProject, ids: [states.doing] }
  const role = { idProject, ids: [roles.assignee] }
  const settings = [
    {
      change: () => server.as(ann, deleteTicketStates, { ...state, idReplacement: states.open }),
      undo: () => server.as(ann, restoreTicketStates, state),
      told: {
        bob: ['ann changed 30 tickets that you watch:', 'State: Doing (deleted) → Open'],
        cid: ['ann changed 3 tickets that you watch:'],
      },
    },
    {
      change: () => server.as(ann, deleteProjectRoles, { ...role, idReplacement: roles.reviewer }),
      undo: () => server.as(ann, restoreProjectRoles, role),
      told: { bob: ['ann changed 30 tickets that you watch:', 'Reviewer'], cid: ['ann changed 3 tickets that you watch:'] },
    },
    {
      change: () => server.as(ann, removeProjectMember, { idProject, idProjectMember: member?.idProjectMember }),
      undo: () => server.as(ann, restoreProjectMember, { idProject, idUser: cid.idUser }),
      told: { bob: ['ann changed 3 tickets that you watch:', 'cid'] },
    },
  ]
  for (const { change, undo, told } of settings) {
    const expectMails = () => {
      expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(Object.keys(told).map(login => `${login}@example.com`))
      for (const [login, words] of Object.entries(told)) for (const word of words) expect(textTo(smtp, login)).toContain(word)
      smtp.mails.length = 0
    }
    expect((await change()).status).toBe(200)
    await w.settled()
    expectMails()
    expect((await undo()).status).toBe(200)
    await w.settled()
    expect(smtp.mails.length).toBeGreaterThan(0)
    smtp.mails.length = 0

    Object.assign(server.system.config, { notificationSeconds: 600 })
    await change()
    await undo()
    const left = await server.sql`
      select 1 from change_set_notice where organization_id = ${organization} union all select 1 from ticket_notice where organization_id = ${organization}`
    expect(left).toEqual([])
    Object.assign(server.system.config, { notificationSeconds: 0 })
  }
  await w.settled()
  expect(smtp.mails).toEqual([])
})

test('a restored state is mailed unless all that it undoes was still to be mailed', async () => {
  await using w = await mailWorld()
  const { server, smtp, organization, project, ids, ann, bob, assign } = w
  const { projectId: idProject, states } = project
  const [moved, ...others] = ids.slice(0, 3) as [number, number, number]
  await assign(bob.idUser, ids.slice(0, 3))
  await w.change({ State: states.doing }, [moved])
  await w.change({ State: states.done }, others)
  await w.settled()
  smtp.mails.length = 0
  const remove = (id: number, idReplacement: number) => server.as(ann, deleteTicketStates, { idProject, ids: [id], idReplacement })
  const restore = (...deleted: number[]) => server.as(ann, restoreTicketStates, { idProject, ids: deleted })
  const wait = (notificationSeconds: number) => Object.assign(server.system.config, { notificationSeconds })
  const told = async () => {
    wait(0)
    await w.settled()
    return smtp.mails
      .splice(0)
      .map(({ text }) => [...text.matchAll(/BUG-(\d+) .*?: (State: .*)/g)].map(([, id, change]) => `${id} ${change}`))
  }

  // The first deletion was mailed, the second was not.
  await remove(states.doing, states.done)
  expect(await told()).toEqual([[`${moved} State: Doing (deleted) → Done`]])
  wait(600)
  await remove(states.done, states.open)
  await restore(states.doing, states.done)
  expect((await told()).flat()).toContain(`${moved} State: Open → Done; State: Done → Doing`)

  // Neither was mailed, and only the first is restored: the ticket is no longer where the second moved it.
  wait(600)
  await remove(states.doing, states.done)
  await remove(states.done, states.open)
  await restore(states.doing)
  expect((await told()).flat()).toContain(`${moved} State: Open → Doing`)
  await restore(states.done)
  await told()

  // Neither was mailed, and both are restored.
  wait(600)
  await remove(states.doing, states.done)
  await remove(states.done, states.open)
  await restore(states.doing, states.done)
  expect(await told()).toEqual([])

  // The mail about the deletion is being written.
  wait(600)
  await remove(states.doing, states.done)
  await inTransaction(server.db, async db => {
    await sql`select 1 from change_set_notice where organization_id = ${organization} for update`.execute(db)
    expect((await restore(states.doing)).status).toBe(200)
  })
  expect((await told()).flat()).toContain(`${moved} State: Done → Doing`)
})

test('a ticket that is moved by hand and then by the deletion of its state: each mail has the move of its author', async () => {
  await using w = await mailWorld(600)
  const { server, smtp, project, ids, ann, bob, cid, assign } = w
  const { projectId: idProject, states } = project
  await assign(bob.idUser, ids.slice(0, 1))
  await server.as(cid, setTicketData, { idTicket: ids[0], State: states.doing })
  await server.as(ann, deleteTicketStates, { idProject, ids: [states.doing], idReplacement: states.done })
  Object.assign(server.system.config, { notificationSeconds: 0 })
  await w.settled()
  const told = smtp.mails
    .filter(({ to }) => to[0] === 'bob@example.com')
    .map(({ text }) => /(ann|cid) changed|State: .*/g[Symbol.match](text))
  expect(told.toSorted()).toEqual([
    ['ann changed', 'State: Doing (deleted) → Done'],
    ['cid changed', 'State: Open → Doing (deleted)'],
  ])
})
