import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { navigate, startNavigation } from './navigation.ts'
import { useSearch } from './use-search.ts'

afterEach(cleanup)

test('a page that was left cannot change the address of the next one', async () => {
  let change: ReturnType<typeof useSearch>[1] = () => undefined
  function Page() {
    change = useSearch()[1]
    return null
  }
  history.replaceState(null, '', '/one')
  await startNavigation([
    { path: '/one', Component: Page },
    { path: '/two', Component: () => null },
  ])
  render(<Page />)
  const set = (now: URLSearchParams) => {
    now.set('open', '5')
    return now
  }
  change(set)
  expect(location.pathname + location.search).toBe('/one?open=5')
  const late = change
  cleanup()
  await navigate('/two')
  late(set)
  expect(location.pathname + location.search).toBe('/two')
})
