import { getMentionableUsers } from '@tessera/contract/tickets/watchers'
import { cleanup, screen } from '@testing-library/react'
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

test('an @ that was typed before the tools were loaded is answered too', async () => {
  enterSession(signedIn())
  fakeServer().on(getMentionableUsers, () => [{ idUser: 2, Login: 'ada', Name: 'Ada Byron' }])
  const area = document.createElement('textarea')
  area.value = 'Hello @'
  document.body.append(area)
  area.focus()
  show(<Suggestions area={{ current: area }} idTicket={1} />)
  expect(await screen.findByRole('option', { name: /Ada Byron/ })).toBeDefined()
})
