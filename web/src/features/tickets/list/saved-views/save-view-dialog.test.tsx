import { setView } from '@tessera/contract/projects/views'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeServer } from '../../../../../test/fake-server.ts'
import { signedIn } from '../../../../../test/people.ts'
import { show } from '../../../../../test/show.tsx'
import { enterSession } from '../../../../lib/session/session.tsx'
import { SaveViewDialog } from './save-view-dialog.tsx'

test('a default view that is shared says whether it is to be the default of all: the server does not keep it so by itself', async () => {
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: [1, 13] }] }))
  const server = fakeServer()
  server.on(setView, () => ({ Success: 1, idView: 4 }))
  const content = { Query: '', Columns: [], Sort: [], Group: '', Layout: 'list' as const }
  const saved = { ...content, idView: 4, Name: 'Old', Scope: 'private' as const, Mine: 1 as const, Default: 1 as const }
  const { user } = show(<SaveViewDialog idProject={1} saved={saved} onClose={() => undefined} />)
  await user.click(await screen.findByText('Everyone in the project'))
  expect(screen.getByRole('checkbox')).toHaveProperty('checked', true)
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  const sent = { idProject: 1, idView: 4, Scope: 'project', Default: 1 }
  await waitFor(() => expect(server.sentTo(setView).map(({ input }) => input)).toEqual([sent]))
})
