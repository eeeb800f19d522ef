import { allPermissions, permission } from '@tessera/contract/permissions'
import { afterEach, expect, test } from 'vitest'
import type { Board } from '../data/board-data.ts'
import { keepBoard, keptBoard } from '../data/kept-board.ts'
import { changeOf, needsRole } from './board-change.ts'
import { type Lifted, laneRefusalOf, refusalsOf } from './refusals.ts'

afterEach(() => localStorage.clear())

function about(ticket: object, more: Partial<Lifted> = {}): Lifted {
  const plain = {
    idState: 1,
    State: 'Open',
    Phase: 1,
    Type: 'Bug',
    Blocked: 0,
    Permissions: allPermissions,
    OutputStates: [],
    Fields: [],
    Assignees: [],
  }
  return { ticket: { ...plain, ...ticket } as unknown as Lifted['ticket'], project: { BlockersHold: 0 }, links: [], ...more }
}
function columns(...keys: [key: string, phase?: 1 | 2 | 3][]): Board {
  return {
    lanes: undefined,
    columns: keys.map(([key, Phase]) => ({ key, Value: key, Label: key, ...(Phase && { Phase }), Total: 0, cards: [], cursor: null })),
  }
}
const way = (group: string, from: string, to: string) => ({
  group,
  lanesBy: undefined,
  from: { column: from, lane: '' },
  to: { column: to, lane: '' },
})
const without = (...ids: number[]) => ({ Permissions: allPermissions.filter(id => !ids.includes(id)) })

test('a column says why it does not take a ticket', () => {
  const states = columns(['1', 1], ['2', 2], ['3', 3])
  const to = (ids: number[]) => ({ OutputStates: ids.map(id => ({ id, Description: '' })) })
  const reasons = (of: Lifted, on = states, group = 'State', from = '1') => Object.fromEntries(refusalsOf(on, group, from, of))
  expect(reasons(about(to([2, 3])))).toEqual({})
  expect(reasons(about(to([2])))).toEqual({ 3: 'Not allowed from Open' })
  const inTrash = 'This ticket is in the trash and takes no changes'
  expect(reasons(about({ ...to([2, 3]), Trashed: 1 }))).toEqual({ 1: inTrash, 2: inTrash, 3: inTrash })
  expect(reasons(about({ ...to([2, 3]), ...without(permission.changeState, permission.editTickets) }))).toEqual({
    1: 'Needs the permission Edit tickets',
    2: 'Needs the permission Change state',
    3: 'Needs the permission Change state',
  })
  const full = { ...states, columns: states.columns.map(one => ({ ...one, Limit: 5, Total: Number(one.key) + 2 })) }
  expect(reasons(about(to([2, 3])), full)).toEqual({})
  const holding = { ...full, columns: full.columns.map(one => ({ ...one, LimitHolds: 1 as const })) }
  expect(reasons(about(to([2, 3])), holding)).toEqual({ 3: 'It has reached its limit of 5' })
  const blocker = (Ticket: object | null, Kind = 'blocked-by') => ({ idLink: 1, Kind, Ticket }) as Lifted['links'][number]
  const links = [
    blocker({ id: 9, pcode: 'OPS', Phase: 2 }),
    blocker(null),
    blocker({ id: 8, pcode: 'OPS', Phase: 3 }),
    blocker({ id: 6, pcode: 'OPS', Phase: 1, Trashed: 1 }),
    blocker({ id: 7, pcode: 'OPS', Phase: 1 }, 'blocks'),
  ]
  const blocked = { ...to([2, 3]), Blocked: 1 }
  expect(reasons(about(blocked, { links, project: { BlockersHold: 1 } }))).toEqual({ 3: 'Blocked by OPS-9 and a ticket you cannot see' })
  expect(reasons(about(blocked, { links }))).toEqual({})

  const sizes = columns([''], ['s'], ['xl'])
  const size = { Fields: [{ Key: 'size', Value: 's', FieldProps: [{ value: 's', label: 'Small' }] }] }
  expect(reasons(about(size), sizes, 'size', 's')).toEqual({ xl: 'This is no longer an option' })
  expect(reasons(about({}), sizes, 'size', '')).toEqual({
    s: 'Bug tickets do not have this field',
    xl: 'Bug tickets do not have this field',
  })
  expect(reasons(about(without(permission.assignPeople)), columns([''], ['5']), 'Assignee', '')).toEqual({
    5: 'Needs the permission Assign people',
  })
})

test('a move between people takes the roles along; on nobody it takes all of them away', () => {
  const held = (...pairs: [idUser: number, idRole: number][]) => about({ Assignees: pairs.map(([idUser, idRole]) => ({ idUser, idRole })) })
  const assign = (idUser: number, idRole: number, Enabled: 0 | 1) => ({ idUser, idRole, Enabled })
  const both = held([5, 1], [5, 2], [6, 1])
  expect(changeOf(both, way('Assignee', '5', '6'))).toEqual({
    change: { TicketAssign: [assign(5, 1, 0), assign(5, 2, 0), assign(6, 2, 1)] },
    back: { TicketAssign: [assign(6, 2, 0), assign(5, 1, 1), assign(5, 2, 1)] },
  })
  expect(changeOf(both, way('Assignee', '5', '')).change).toEqual({
    TicketAssign: [assign(5, 1, 0), assign(5, 2, 0), assign(6, 1, 0)],
  })
  expect([
    needsRole(both, way('Assignee', '5', '6')),
    needsRole(held(), way('Assignee', '', '6')),
    needsRole(held(), way('State', '1', '2')),
  ]).toEqual([false, true, false])
  expect(changeOf(held(), way('Assignee', '', '6'), 3)).toEqual({
    change: { TicketAssign: [assign(6, 3, 1)] },
    back: { TicketAssign: [assign(6, 3, 0)] },
  })
  expect(changeOf(about({}), way('State', '1', '2'))).toEqual({ change: { State: 2 }, back: { State: 1 } })
  expect(changeOf(about({ Fields: [{ Key: 'size', Value: 's' }] }), way('size', 's', ''))).toEqual({
    change: { data: { size: '' } },
    back: { data: { size: 's' } },
  })
  expect(changeOf(about({}), way('State', '1', '1'))).toEqual({ change: {}, back: {} })
})

test('a move to the lane of another person or label changes people or labels as well as the column', () => {
  const to = (lanesBy: 'Assignee' | 'Label', from: string, lane: string, column = '1') => ({
    group: 'State',
    lanesBy,
    from: { column: '1', lane: from },
    to: { column, lane },
  })
  const held = about({ Assignees: [{ idUser: 5, idRole: 1 }], Labels: [{ idLabel: 7 }, { idLabel: 8 }] })
  const pair = (idUser: number, Enabled: 0 | 1) => ({ idUser, idRole: 1, Enabled })
  expect(changeOf(held, to('Assignee', '5', '6', '2'))).toEqual({
    change: { State: 2, TicketAssign: [pair(5, 0), pair(6, 1)] },
    back: { State: 1, TicketAssign: [pair(6, 0), pair(5, 1)] },
  })
  expect(changeOf(held, to('Assignee', '5', 'none')).change).toEqual({ TicketAssign: [pair(5, 0)] })
  expect([
    needsRole(held, to('Assignee', '5', '6')),
    needsRole(about({}), to('Assignee', 'none', '6')),
    needsRole(held, to('Label', '7', '9')),
  ]).toEqual([false, true, false])
  const label = (idLabel: number, Enabled: 0 | 1) => ({ idLabel, Enabled })
  expect(changeOf(held, to('Label', '7', '9'))).toEqual({
    change: { Labels: [label(7, 0), label(9, 1)] },
    back: { Labels: [label(9, 0), label(7, 1)] },
  })
  // It has the other label already; on "no label" it loses all; from there it gets one.
  expect(changeOf(held, to('Label', '7', '8'))).toEqual({ change: { Labels: [label(7, 0)] }, back: { Labels: [label(7, 1)] } })
  expect(changeOf(held, to('Label', '7', 'none')).change).toEqual({ Labels: [label(7, 0), label(8, 0)] })
  expect(changeOf(about({ Labels: [] }), to('Label', 'none', '9')).change).toEqual({ Labels: [label(9, 1)] })

  expect(laneRefusalOf('Parent', held)).toBe('It stays in its lane')
  expect(laneRefusalOf('Assignee', about(without(permission.assignPeople)))).toBe('Needs the permission Assign people')
  expect(laneRefusalOf('Label', about(without(permission.editTickets)))).toBe('Needs the permission Edit tickets')
  expect(laneRefusalOf('Label', about({ Trashed: 1 }))).toBe('This ticket is in the trash and takes no changes')
  expect(laneRefusalOf('Label', held)).toBe(undefined)
})

test('what is folded is kept for the person, the project and the grouping', () => {
  const folded = {
    lanesBy: 'Label' as const,
    columns: new Set(['7']),
    lanes: new Set(['none', 'Label none']),
    whole: new Set(['Label 7 2']),
  }
  keepBoard(1, 2, 'State', folded)
  expect(keptBoard(2, 'State', 1)).toEqual(folded)
  const plain = { lanesBy: 0, columns: new Set(), lanes: new Set(), whole: new Set() }
  expect([keptBoard(2, 'Assignee', 1), keptBoard(3, 'State', 1), keptBoard(2, 'State', 9)]).toEqual([plain, plain, plain])
  expect([keptBoard(2, 'State'), keptBoard(3, 'State')]).toEqual([folded, plain])
  // As it was stored when lanes were by parent only.
  localStorage.setItem('tessera.board.1.2.State', '{"lanes":true,"closedColumns":[],"closedLanes":["7"]}')
  expect(keptBoard(2, 'State', 1)).toEqual({ lanesBy: 1, columns: new Set(), lanes: new Set(['7']), whole: new Set() })
  localStorage.setItem('tessera.board.1.2.State', '{"closedColumns":3')
  expect(keptBoard(2, 'State', 1)).toEqual(plain)
})
