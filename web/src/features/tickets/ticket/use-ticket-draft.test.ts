import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { plainTicket } from '../../../../test/ticket.ts'
import { noteSeen } from '../../../lib/session/activity.ts'
import { carriedLabels, labelChanges, saveRequest, type Ticket, withSaved } from '../ticket.ts'
import { assignedPairs, useTicketDraft } from './use-ticket-draft.ts'

const ticket: Ticket = {
  ...plainTicket,
  Assignees: [{ idUser: 3, idRole: 1, Name: 'Dana', Role: 'Responsible' }],
  OutputStates: [{ id: 2, Description: 'Doing' }],
  Fields: [
    { Key: 'note', Label: 'Note', Value: 'first', Renderer: 'TEXTMULTILINE', FieldProps: [] },
    { Key: 'size', Label: 'Size', Value: 's', Renderer: 'SELECT', FieldProps: [] },
  ],
  Permissions: [1, 3],
}
function changedField(now: Ticket, Key: string, Value: string, Version: number): Ticket {
  return { ...now, Version, Fields: now.Fields.map(field => (field.Key === Key ? { ...field, Value } : field)) }
}
function open() {
  return renderHook((props: Ticket) => useTicketDraft(props), { initialProps: ticket })
}

test('after a save the ticket has the new version, unless somebody else saved in between whose values are not here yet', () => {
  const request = { idTicket: 7, Title: 'Mine', Version: 4 }
  expect(withSaved(ticket, request, { Success: 1, Version: 5 }, []).Version).toBe(5)
  expect(withSaved(ticket, request, { Success: 1, Version: 4 }, []).Version).toBe(4)
  expect(withSaved(ticket, request, { Success: 1, Version: 6 }, [])).toMatchObject({ Title: 'Mine', Version: 4 })
})

test('a ticket that was read after somebody else’s later save stays when the answer to the own save comes last', () => {
  const later = { ...ticket, Title: 'Theirs', Version: 6 }
  expect(withSaved(later, { idTicket: 7, Title: 'Mine', Version: 4 }, { Success: 1, Version: 5 }, [])).toEqual(later)
})

test('only what differs is changed, and going back is no change [5.23]', () => {
  const { result } = open()
  act(() => result.current.set('data.note', 'second'))
  act(() => result.current.set('State', 2))
  expect(result.current.changed).toEqual({ 'data.note': 'second', State: 2 })
  expect(saveRequest(7, result.current.changed, 4)).toEqual({
    idTicket: 7,
    data: { note: 'second' },
    State: 2,
    Version: 4,
  })
  act(() => result.current.set('data.note', 'first'))
  act(() => result.current.set('State', 1))
  expect(result.current.isDirty).toBe(false)
})

test('what was typed is kept for its ticket alone, and without the state', () => {
  noteSeen()
  const { result, unmount } = open()
  act(() => result.current.set('data.note', 'second'))
  act(() => result.current.set('State', 2))
  unmount()
  const { result: other } = renderHook(() => useTicketDraft({ ...ticket, idTicket: 8 }))
  expect(other.current.changed).toEqual({})
  expect(open().result.current.changed).toEqual({ 'data.note': 'second' })
  localStorage.clear()
})

test('an unedited field follows the server; an edited one stays as typed and conflicts', () => {
  const { result, rerender } = open()
  act(() => result.current.set('data.note', 'mine'))
  rerender(changedField(changedField(ticket, 'size', 'l', 5), 'note', 'theirs', 6))
  expect(result.current.draft['data.size']).toBe('l')
  expect(result.current.draft['data.note']).toBe('mine')
  expect(result.current.clashes).toEqual([{ field: 'data.note', theirs: 'theirs' }])
})

test('assignees, labels and a field that the ticket has no longer clash with nothing', () => {
  const { result, rerender } = open()
  act(() => result.current.set('TicketAssign', [{ idUser: 3, idRole: 1, Enabled: 0 }]))
  act(() => result.current.set('Labels', [{ idLabel: 4, Enabled: 1 }]))
  act(() => result.current.set('data.note', 'mine'))
  rerender({ ...ticket, Version: 5, Fields: ticket.Fields.slice(1) })
  expect(result.current.clashes).toEqual([])
  expect(Object.keys(result.current.changed)).toEqual(['TicketAssign', 'Labels', 'data.note'])
})

test('keeping mine overwrites theirs; taking theirs discards mine', () => {
  const { result, rerender } = open()
  act(() => result.current.set('data.note', 'mine'))
  rerender(changedField(ticket, 'note', 'theirs', 5))
  act(() => result.current.keepMine('data.note'))
  expect(result.current.clashes).toEqual([])
  expect(result.current.changed).toEqual({ 'data.note': 'mine' })
  rerender(changedField(ticket, 'note', 'theirs again', 6))
  expect(result.current.clashes).toHaveLength(1)
  act(() => result.current.takeTheirs('data.note'))
  expect(result.current.isDirty).toBe(false)
  expect(result.current.draft['data.note']).toBe('theirs again')
})

test('the same change by two people is no conflict', () => {
  const { result, rerender } = open()
  act(() => result.current.set('data.note', 'same'))
  rerender(changedField(ticket, 'note', 'same', 5))
  expect(result.current.clashes).toEqual([])
  expect(result.current.isDirty).toBe(false)
})

test('text typed during a save is kept and does not conflict with it', () => {
  const { result, rerender } = open()
  act(() => result.current.set('data.note', 'sent'))
  const sent = result.current.changed
  const request = saveRequest(7, sent, 4)
  act(() => result.current.set('data.note', 'sent and more'))
  const stored = withSaved(ticket, request, { Success: 1, Version: 5 }, [])
  act(() => result.current.saved(sent))
  rerender(stored)
  expect(result.current.clashes).toEqual([])
  expect(result.current.changed).toEqual({ 'data.note': 'sent and more' })
  rerender(changedField(stored, 'note', 'theirs', 6))
  expect(result.current.clashes).toEqual([{ field: 'data.note', theirs: 'theirs' }])
})

test('an edit that begins after a save and before its values are loaded does not conflict with it', () => {
  const { result, rerender } = open()
  act(() => result.current.set('data.note', 'sent'))
  const sent = result.current.changed
  act(() => result.current.saved(sent))
  act(() => result.current.set('data.note', 'sent and more'))
  rerender(changedField(ticket, 'note', 'sent', 5))
  expect(result.current.clashes).toEqual([])
  expect(result.current.changed).toEqual({ 'data.note': 'sent and more' })
})

test('a title is stored without its trailing space, and typing goes on without a conflict', () => {
  const { result, rerender } = open()
  act(() => result.current.set('Title', 'Sent '))
  const sent = result.current.changed
  const request = saveRequest(7, sent, 4)
  act(() => result.current.set('Title', 'Sent and more'))
  act(() => result.current.saved(sent))
  rerender(withSaved(ticket, request, { Success: 1, Version: 5 }, []))
  expect(result.current.clashes).toEqual([])
  expect(result.current.changed).toEqual({ Title: 'Sent and more' })
})

test('a saved field that somebody changes later is theirs, not a change of mine', () => {
  const { result, rerender } = open()
  act(() => result.current.set('data.note', 'mine'))
  const request = saveRequest(7, result.current.changed, 4)
  act(() => result.current.saved(result.current.changed))
  const stored = withSaved(ticket, request, { Success: 1, Version: 5 }, [])
  rerender(stored)
  rerender(changedField(stored, 'note', 'theirs', 6))
  expect(result.current.isDirty).toBe(false)
  expect(result.current.draft['data.note']).toBe('theirs')
})

test('a saved state brings the new choice of states [4.7]', () => {
  const next = withSaved(
    ticket,
    { idTicket: 7, State: 2 },
    { Success: 1, Version: 5, States: [{ id: 3, Description: 'Done' }] },
    ticket.OutputStates,
  )
  expect(next).toMatchObject({ idState: 2, State: 'Doing', Version: 5, OutputStates: [{ id: 3, Description: 'Done' }] })
})

test('changed assignments are applied on top of the stored ones: others that were made meanwhile stay', () => {
  const changes = [
    { idUser: 3, idRole: 1, Enabled: 0 as const },
    { idUser: 5, idRole: 2, Enabled: 1 as const },
  ]
  const later = { ...ticket, Assignees: [...ticket.Assignees, { idUser: 9, idRole: 1, Name: 'Sam', Role: 'Responsible' }] }
  expect(assignedPairs(later, changes)).toEqual([
    { idUser: 9, idRole: 1 },
    { idUser: 5, idRole: 2 },
  ])
})

test('a field whose key is the name of an object’s member keeps its value when another one is saved', () => {
  const keys = Object.getOwnPropertyNames(Object.prototype)
  const Fields = ['note', ...keys].map(Key => ({ Key, Label: Key, Value: 'before', Renderer: 'TEXT', FieldProps: [] }))
  const odd = { ...ticket, Fields }
  const stored = withSaved(odd, { idTicket: odd.idTicket, data: { note: 'after' } }, { Success: 1, Version: 5 }, [])
  expect(stored.Fields.map(({ Value }) => Value)).toEqual(['after', ...keys.map(() => 'before')])
})

test('label changes are applied on top of the ticket’s labels, sorted by name; choosing a label and removing it again is no change', () => {
  const label = (idLabel: number, Label: string) => ({ idLabel, Label, Color: '#000000' })
  const [bug, docs, urgent] = [label(1, 'Bug'), label(2, 'docs'), label(3, 'Urgent')]
  const changes = labelChanges([bug, urgent], [3, 2])
  expect(changes).toEqual([
    { idLabel: 1, Enabled: 0 },
    { idLabel: 2, Enabled: 1 },
  ])
  expect(labelChanges([bug, urgent], [3, 1])).toEqual([])
  expect(carriedLabels([urgent, bug], changes, [bug, docs, urgent])).toEqual([docs, urgent])
  const stored = withSaved({ ...ticket, Labels: [bug] }, { idTicket: 7, Labels: changes }, { Success: 1, Version: 5 }, [], [docs])
  expect(stored.Labels).toEqual([docs])
})
