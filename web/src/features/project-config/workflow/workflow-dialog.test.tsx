import {
  getStateTransitions,
  getTicketStateList,
  getTicketTemplate,
  getTicketTemplateList,
  setStateTransitions,
} from '@tessera/contract/projects/project-config'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { TicketStateListCard } from '../states/ticket-state-list-card.tsx'

const states = [
  { id: 1, Description: 'Open', phase: 1 },
  { id: 2, Description: 'Doing', phase: 2 },
  { id: 3, Description: 'Done', phase: 3 },
] as const

test('a state that somebody deletes while the workflow is drawn takes its moves along, and the others are saved', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getTicketStateList, () => states)
  server.on(getTicketTemplateList, () => [])
  server.on(getStateTransitions, () => ({ Transitions: [{ from: 1, to: 3 }], Version: 1 }))
  server.on(setStateTransitions, () => new Refusal(404, { error: 'Not found', code: 'not_found' }))
  const { user, client } = show(<TicketStateListCard rights={{ idProject: 1, held: [1, 9], frozen: undefined }} />)
  await user.click(await screen.findByRole('button', { name: 'FLOW DIAGRAM' }))
  await user.click(await screen.findByRole('tab', { name: 'TABLE' }))
  for (const name of ['From Open to Doing', 'From Done to Open']) await user.click(await screen.findByRole('checkbox', { name }))
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText(
    'A state was deleted meanwhile, and its moves with it, or you no longer have access. Check the other moves, then save again.',
  )
  server.on(getTicketStateList, () => [states[0], states[2]])
  await act(() => client.invalidateQueries())
  expect(screen.queryByRole('checkbox', { name: 'From Open to Doing' })).toBeNull()
  server.on(setStateTransitions, () => ({ Success: 1, Version: 2 }))
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  const Transitions = [
    { from: 1, to: 3 },
    { from: 3, to: 1 },
  ]
  await waitFor(() => expect(server.sentTo(setStateTransitions).at(-1)?.input).toEqual({ idProject: 1, Transitions, Version: 1 }))
})

test('moves that are drawn stay when somebody adds a ticket type meanwhile', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getTicketStateList, () => states)
  server.on(getTicketTemplateList, () => [])
  server.on(getStateTransitions, () => ({ Transitions: [{ from: 1, to: 3 }], Version: 1 }))
  server.on(getTicketTemplate, () => new Promise<never>(() => undefined))
  const { user, client } = show(<TicketStateListCard rights={{ idProject: 1, held: [1, 9], frozen: undefined }} />)
  await user.click(await screen.findByRole('button', { name: 'FLOW DIAGRAM' }))
  await user.click(await screen.findByRole('tab', { name: 'TABLE' }))
  await user.click(await screen.findByRole('checkbox', { name: 'From Open to Doing' }))
  server.on(getTicketTemplateList, () => [{ idTicketTemplate: 7, Description: 'Bug' }])
  await act(() => client.invalidateQueries())
  await waitFor(() => expect(server.sentTo(getTicketTemplate)).toHaveLength(1))
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'From Open to Doing' }).checked).toBe(true)
  // Nor does CANCEL drop them unasked.
  await user.click(screen.getByRole('button', { name: 'CANCEL' }))
  await user.click(await screen.findByRole('button', { name: 'KEEP EDITING' }))
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'From Open to Doing' }).checked).toBe(true)
})

test('moves that are drawn while a save is under way stay after it, to be saved next', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(getTicketStateList, () => states)
  server.on(getTicketTemplateList, () => [])
  const stored = { Transitions: [{ from: 1, to: 3 }], Version: 1 }
  server.on(getStateTransitions, () => stored)
  const { promise, resolve } = Promise.withResolvers<void>()
  const saved: object[] = []
  server.on(setStateTransitions, async ({ Transitions, Version }) => {
    await promise
    saved.push({ Moves: Transitions.map(({ from, to }) => `${from}-${to}`).sort(), Version })
    Object.assign(stored, { Transitions, Version: 2 })
    return { Success: 1, Version: 2 }
  })
  const { user } = show(<TicketStateListCard rights={{ idProject: 1, held: [1, 9], frozen: undefined }} />)
  await user.click(await screen.findByRole('button', { name: 'FLOW DIAGRAM' }))
  await user.click(await screen.findByRole('tab', { name: 'TABLE' }))
  await user.click(await screen.findByRole('checkbox', { name: 'From Open to Doing' }))
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await user.click(screen.getByRole('checkbox', { name: 'From Done to Open' }))
  resolve()
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'SAVE' })
  await waitFor(() => expect(save().disabled).toBe(false))
  const ticked = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name }).checked
  expect(['From Open to Doing', 'From Done to Open'].map(ticked)).toEqual([true, true])
  expect(screen.queryByText(/Somebody else saved/)).toBeNull()
  await user.click(save())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(saved).toEqual([
    { Moves: ['1-2', '1-3'], Version: 1 },
    { Moves: ['1-2', '1-3', '3-1'], Version: 2 },
  ])
})
