import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeUploads } from '../../../../test/fake-uploads.ts'
import { signedIn } from '../../../../test/people.ts'
import { enterSession } from '../../../lib/session/session.tsx'
import { useUploads } from './use-uploads.ts'

test('files that wait their turn are not sent after the dialog was closed', async () => {
  const sent = fakeUploads()
  enterSession(signedIn())
  const client = new QueryClient()
  const { result, unmount } = renderHook(() => useUploads(7), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  act(() => result.current.add(['1', '2', '3', '4', '5'].map(name => new File([name], name))))
  let all: Promise<void> | undefined
  act(() => {
    all = result.current.uploadAll()
  })
  await waitFor(() => expect(sent).toEqual(['1', '2', '3']))
  unmount()
  await all
  expect(sent).toEqual(['1', '2', '3'])
})
