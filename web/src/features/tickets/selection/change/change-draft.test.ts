import { expect, test } from 'vitest'
import { changeOf, emptyDraft, isOpen } from './change-draft.ts'

const members = [1, 2, 3]
const known = { members, labels: [10, 11, 12] }

test('a draft without a part, or with a part that has no value, is no change', () => {
  expect(changeOf(emptyDraft, known)).toBeUndefined()
  for (const part of ['Type', 'State', 'Parent', 'AddLabels', 'RemoveLabels', 'role.7'] as const)
    expect(changeOf({ ...emptyDraft, parts: [part] }, known)).toBeUndefined()
})

test('the key of a field may be the name of an object’s member', () => {
  expect(Object.entries(changeOf({ ...emptyDraft, parts: ['data.toString'] }, known)?.data ?? {})).toEqual([['toString', '']])
})

test('each part of a draft becomes a request; an emptied field and a role without a person are values', () => {
  const draft = {
    ...emptyDraft,
    parts: ['Type', 'State', 'Parent', 'AddLabels', 'RemoveLabels', 'Watch', 'data.note', 'data.size'] as const,
    Type: 2,
    State: 4,
    Parent: { id: 0, text: 'top', Title: 'top' },
    AddLabels: [10],
    RemoveLabels: [11],
    Watch: 0 as const,
    data: { size: 'l' },
  }
  expect(changeOf(draft, known)).toEqual({
    idTemplate: 2,
    State: 4,
    idParent: null,
    Labels: [
      { idLabel: 10, Enabled: 1 },
      { idLabel: 11, Enabled: 0 },
    ],
    Watch: 0,
    data: { note: '', size: 'l' },
  })
})

test('people are added to a role, removed from it, or replace all others', () => {
  const assign = (how: 'add' | 'remove' | 'replace', people: number[]) =>
    changeOf({ ...emptyDraft, parts: ['role.7'], roles: { 7: { how, people } } }, known)?.TicketAssign
  expect(assign('add', [2])).toEqual([{ idUser: 2, idRole: 7, Enabled: 1 }])
  expect(assign('remove', [2])).toEqual([{ idUser: 2, idRole: 7, Enabled: 0 }])
  expect(assign('replace', [2])).toEqual([
    { idUser: 2, idRole: 7, Enabled: 1 },
    { idUser: 1, idRole: 7, Enabled: 0 },
    { idUser: 3, idRole: 7, Enabled: 0 },
  ])
  expect(assign('replace', [])).toEqual(members.map(idUser => ({ idUser, idRole: 7, Enabled: 0 })))
})

test('labels can be replaced or cleared once all are known, but not together with labels that are added or removed', () => {
  const draft = (...SetLabels: number[]) => ({ ...emptyDraft, parts: ['SetLabels'] as const, SetLabels })
  expect(changeOf(draft(11), known)).toEqual({
    Labels: [
      { idLabel: 11, Enabled: 1 },
      { idLabel: 10, Enabled: 0 },
      { idLabel: 12, Enabled: 0 },
    ],
  })
  expect(changeOf(draft(), known)).toEqual({ Labels: [10, 11, 12].map(idLabel => ({ idLabel, Enabled: 0 })) })
  expect(changeOf(draft(11), { members, labels: undefined })).toBeUndefined()
  // A project without labels has nothing to take off.
  expect(changeOf(draft(), { members, labels: [] })).toBeUndefined()
  expect(isOpen('SetLabels', ['State'])).toBe(true)
  expect(isOpen('SetLabels', ['AddLabels'])).toBe(false)
  expect(isOpen('RemoveLabels', ['SetLabels'])).toBe(false)
  expect(isOpen('RemoveLabels', ['AddLabels'])).toBe(true)
  expect(isOpen('State', ['State'])).toBe(false)
})
