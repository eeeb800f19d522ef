import type { Response } from '@tessera/contract/call'
import { copyProjectSetUp } from '@tessera/contract/projects/project-set-up'
import { getProjectList } from '@tessera/contract/projects/projects'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, Refusal } from '../../../../test/fake-server.ts'
import { show } from '../../../../test/show.tsx'
import { Toaster } from '../../../components/toaster/toaster.tsx'
import { CopySetUpDialog } from './copy-set-up-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const here = { idProject: 1, Title: 'New', ShortCode: 'NEW' }
const others = [
  { idProject: 2, Title: 'Titanium', ShortCode: 'TIM' },
  { idProject: 3, Title: 'Alloy', ShortCode: 'ALOY', Archived: 1 as const },
]

function open(projects: Response<typeof getProjectList> = [here, ...others]) {
  const server = fakeServer()
  server.on(getProjectList, () => projects)
  const onClose = vi.fn()
  const { user } = show(
    <>
      <CopySetUpDialog idProject={1} onClose={onClose} />
      <Toaster />
    </>,
  )
  return { server, user, onClose }
}
const field = () => screen.findByRole('combobox', { name: 'Project' })
const button = () => screen.getByRole('button', { name: 'COPY' })

test('a project is found by typing, copied once by a double click, and the toast counts what came', async () => {
  const { server, user, onClose } = open()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  server.on(copyProjectSetUp, async () => {
    await held
    return { Success: 1, States: 3, Transitions: 4, Fields: 1, Templates: 2, Roles: 4, Labels: 0 }
  })
  await user.click(await field())
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Titanium [TIM]', 'Alloy [ALOY] · archived'])
  await user.click(button())
  await screen.findByText('Choose a project first')
  expect(document.activeElement).toBe(await field())
  await user.type(await field(), 'aloy{Enter}')
  expect(screen.queryByText('Choose a project first')).toBeNull()
  await user.dblClick(button())
  release()
  await screen.findByText('3 states, 1 field, 2 templates, and 4 roles copied from Alloy')
  expect(server.sentTo(copyProjectSetUp).map(({ input }) => input)).toEqual([{ idProject: 1, idFrom: 3 }])
  expect(onClose).toHaveBeenCalledOnce()
})

test('a refusal stays in the dialog, one about the chosen project at its field', async () => {
  const { server, user, onClose } = open()
  server.on(copyProjectSetUp, ({ idFrom }) =>
    idFrom === 2 ? new Refusal(404, { error: 'Not found', code: 'not_found' }) : new Refusal(422, { error: 'Not empty', code: 'rule' }),
  )
  await user.type(await field(), 'tit{Enter}')
  await user.click(button())
  await waitFor(async () => expect((await field()).getAttribute('aria-invalid')).toBe('true'))
  screen.getByText('You cannot see this project anymore: choose another one')
  await user.clear(await field())
  await user.type(await field(), 'alloy{Enter}')
  expect((await field()).getAttribute('aria-invalid')).toBeNull()
  await user.click(button())
  expect((await screen.findByRole('alert')).textContent).toContain('Not empty')
  expect(onClose).not.toHaveBeenCalled()
})

test('who sees no other project reads why the list is empty', async () => {
  const { server } = open([here])
  await screen.findByText('You see no other project in this organization, so there is none to copy from.')
  expect(button()).toHaveProperty('disabled', true)
  expect(server.sentTo(copyProjectSetUp)).toEqual([])
})
