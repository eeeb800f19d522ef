import { permission } from '@tessera/contract/permissions'
import { getLabelList, setLabel } from '@tessera/contract/projects/labels'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../../../test/fake-server.ts'
import { signedIn } from '../../../../test/people.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { enterSession } from '../../../lib/session/session.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { LabelListCard } from './label-list-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('many labels are shown in parts; labels of two searches can be merged', async () => {
  const rights = { idProject: 1, held: [permission.manageFields], frozen: undefined }
  enterSession(signedIn({ projperms: [{ idProject: 1, Permissions: rights.held }] }))
  fakeServer().on(getLabelList, () =>
    Array.from({ length: 120 }, (_, index) => ({
      idLabel: index + 1,
      Label: `label${index + 1}`,
      Color: '#112233',
      Scope: 'project' as const,
      Tickets: 0,
    })),
  )
  const { user } = show(<LabelListCard rights={rights} />)
  await screen.findByText('label1')
  const rows = () => screen.queryAllByRole('rowheader').map(row => row.textContent)
  expect(rows()).toHaveLength(20)
  await user.click(screen.getByRole('button', { name: 'SHOW MORE (100)' }))
  expect(rows()).toHaveLength(120)

  const search = screen.getByRole('searchbox', { name: 'Search labels' })
  const every = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select every label' })
  await user.type(search, 'LABEL120')
  expect(rows()).toEqual(['label120'])
  await user.click(every())
  await user.clear(search)
  expect([every().checked, every().indeterminate]).toEqual([false, true])
  await user.type(search, 'label119')
  expect([every().checked, every().indeterminate]).toEqual([false, false])
  await user.click(screen.getByRole('checkbox', { name: 'Select label119' }))
  screen.getByRole('button', { name: 'MERGE 2 LABELS' })
  await user.clear(search)
  await user.type(search, 'nothing')
  screen.getByText('No label matches')
})

test('a renamed label is renamed back by UNDO, also after its dialog has closed', async () => {
  enterSession(signedIn())
  const server = fakeServer()
  server.on(setLabel, () => ({ Success: 1, idLabel: 3 }))
  const label = { idLabel: 3, Label: 'crash', Color: '#112233', Scope: 'project' as const, Tickets: 2 }
  const { user } = show(
    <>
      <LabelDialog idProject={1} label={label} onClose={() => undefined} />
      <Toaster />
    </>,
  )
  const name = await screen.findByRole('textbox', { name: 'Label' })
  await user.clear(name)
  await user.type(name, 'defect')
  await user.click(screen.getByRole('button', { name: 'SAVE' }))
  await screen.findByText('The label was changed')
  await user.click(screen.getByText('UNDO'))
  await screen.findByText('The label is as before')
  await waitFor(() =>
    expect(server.sentTo(setLabel).map(({ input }) => input)).toEqual([
      { idProject: 1, idLabel: 3, Label: 'defect' },
      { idProject: 1, idLabel: 3, Label: 'crash', Before: { Label: 'defect' } },
    ]),
  )
})
