import { getMentionableUsers } from '@tessera/contract/tickets/watchers'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { show } from '../../../../../test/show.tsx'
import { enterSession } from '../../../../lib/session/session.tsx'
import { Suggestions } from './suggestions.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

test('an @ typed before the tools have loaded opens suggestions until Escape, a name that was already in the text does not', async () => {
  enterSession(signedIn())
  const asked = vi.fn(() => [{ idUser: 2, Login: 'ada', Name: 'Ada Byron' }])
  fakeServer().on(getMentionableUsers, asked)
  const begin = async (text: string) => {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.focus()
    return act(async () => show(<Suggestions area={{ current: area }} idTicket={1} />))
  }
  await begin('Thank you @ada')
  cleanup()
  expect(asked).not.toHaveBeenCalled()
  const { user } = await begin('Hello @')
  expect(await screen.findByRole('option', { name: /Ada Byron/ })).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('1 suggestion')
  // Closed for this word, not for the next one.
  await user.keyboard('{Escape}a')
  expect(screen.queryByRole('listbox')).toBeNull()
  await user.keyboard(' @')
  expect(await screen.findByRole('listbox')).toBeDefined()
  // Ctrl+Enter sends a comment.
  const area = document.activeElement as HTMLTextAreaElement
  const { value } = area
  expect(fireEvent.keyDown(area, { key: 'Enter', ctrlKey: true })).toBe(true)
  expect(area.value).toBe(value)
})
