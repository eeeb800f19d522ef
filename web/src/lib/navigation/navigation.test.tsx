import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { showPages } from '../../../test/show.tsx'
import { PageHeading } from '../../components/page-content/page-heading.tsx'
import { matchPath, navigate, type Route } from './navigation.ts'
import { PageLink } from './page-link.tsx'
import { useGuard, useIsLoadingPage, useLocation, useParams } from './use-navigation.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const plain = (path: string, text: string): Route => ({ path, Component: () => <h1>{text}</h1> })
const page = (path: string, text: string, rest: Partial<Route> = {}): Route => ({
  path,
  load: async () => ({ Component: () => <h1>{text}</h1> }),
  ...rest,
})
const go = (...to: Parameters<typeof navigate>) => act(() => navigate(...to))
const address = () => window.location.pathname + window.location.search

test.each([
  ['/view-ticket/:id', '/view-ticket/7', { id: '7' }],
  ['/view-ticket/:id', '/view-ticket/7/', { id: '7' }],
  ['/view-ticket/:id', '/view-ticket/', undefined],
  ['/view-ticket/:id', '/view-ticket/7/8', undefined],
  ['/set-up/:token', '/set-up/a%20b', { token: 'a b' }],
  ['/set-up/:token', '/set-up/%', { token: '%' }],
  ['/home', '/', undefined],
  ['/', '/', {}],
  // Another host's address, to the browser.
  ['/view-ticket/:id', '//view-ticket/7', undefined],
  ['*', '/anything/at/all', {}],
])('%s at %s', (pattern, pathname, params) => {
  expect(matchPath(pattern, pathname)).toEqual(params)
})

test('a link shows another page, and back and forward lead there again', async () => {
  const Ticket = () => <h1>Ticket {useParams().id}</h1>
  const { user } = showPages(
    [
      { path: '/list', Component: () => <PageLink to="/ticket/7">7</PageLink> },
      { path: '/ticket/:id', Component: Ticket },
    ],
    '/list',
  )
  await user.click(screen.getByRole('link', { name: '7' }))
  expect(screen.getByRole('heading').textContent).toBe('Ticket 7')
  expect(address()).toBe('/ticket/7')
  window.history.back()
  await screen.findByRole('link', { name: '7' })
  window.history.forward()
  await screen.findByText('Ticket 7')
})

test('enter may redirect, and is not called again between pages that share it', async () => {
  let asked = 0
  const enter = () => {
    asked++
    return isIn ? undefined : '/door'
  }
  let isIn = false
  const pages = [plain('/door', 'door'), page('/one', 'one', { enter }), page('/two', 'two', { enter })]
  showPages(pages, '/one')
  await screen.findByText('door')
  expect(address()).toBe('/door')
  isIn = true
  await go('/one')
  isIn = false
  await go('/two')
  expect(screen.getByText('two')).toBeTruthy()
  expect(asked).toBe(2)
})

test('a frame stays mounted between the pages that share it', async () => {
  function Frame({ children }: { children: React.ReactNode }) {
    const [times, count] = useState(0)
    return (
      <>
        <button type="button" onClick={() => count(times + 1)}>
          {times}
        </button>
        {children}
      </>
    )
  }
  const { user } = showPages([page('/one', 'one', { Frame }), page('/two', 'two', { Frame })], '/one')
  await user.click(await screen.findByRole('button', { name: '0' }))
  await go('/two')
  expect(screen.getByText('two')).toBeTruthy()
  expect(screen.getByRole('button').textContent).toBe('1')
})

test('of two navigations the later one wins, whichever page loads first', async () => {
  const slow = Promise.withResolvers<{ Component: () => string }>()
  const Start = () => (useIsLoadingPage() ? 'loading' : 'still')
  showPages([{ path: '/', Component: Start }, { path: '/slow', load: () => slow.promise }, page('/quick', 'quick')])
  act(() => void navigate('/slow'))
  expect(screen.getByText('loading')).toBeTruthy()
  await go('/quick')
  await act(async () => slow.resolve({ Component: () => 'slow' }))
  expect(screen.getByText('quick')).toBeTruthy()
  expect(address()).toBe('/quick')
})

test('another search of the same page loads nothing and is there at once', async () => {
  let loaded = 0
  const Search = () => <h1>{useLocation().search}</h1>
  const load = async () => {
    loaded++
    return { Component: Search }
  }
  showPages([{ path: '/list', load }], '/list?a=1')
  await screen.findByText('?a=1')
  const { length } = window.history
  act(() => void navigate('?a=2', { replace: true }))
  expect(screen.getByRole('heading').textContent).toBe('?a=2')
  expect(address()).toBe('/list?a=2')
  expect(window.history.length).toBe(length)
  expect(loaded).toBe(1)
})

test('the heading of a page that a link leads to has the focus, that of the page that the browser opens does not', async () => {
  const headed = (path: string) => ({ path, Component: () => <PageHeading>{path}</PageHeading> })
  showPages([headed('/one'), headed('/two')], '/one')
  await screen.findByRole('heading', { name: '/one' })
  expect(document.activeElement).toBe(document.body)
  await act(() => navigate('/two'))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: '/two' }))
})

test('a page that cannot be loaded says so, until another one is shown', async () => {
  showPages([plain('/', 'start'), { path: '/broken', load: () => Promise.reject(new Error('gone')) }])
  await go('/broken')
  await screen.findByText('gone')
  expect(address()).toBe('/broken')
  await go('/')
  expect(screen.getByText('start')).toBeTruthy()
})

test('a page that fails while it is drawn says so, until another one is shown', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Broken = () => {
    throw new Error('defect')
  }
  showPages([plain('/', 'start'), { path: '/broken', Component: Broken }])
  await go('/broken')
  await screen.findByText('defect')
  await go('/')
  expect(screen.getByText('start')).toBeTruthy()
})

test('a guarded page asks before a link and before the back button, and stays or goes', async () => {
  function Form() {
    const { isAsking, leave, stay } = useGuard(to => to.pathname !== '/form')
    return (
      <>
        {isAsking && (
          <>
            <button type="button" onClick={leave}>
              LEAVE
            </button>
            <button type="button" onClick={stay}>
              STAY
            </button>
          </>
        )}
        <PageLink to="/other">other</PageLink>
      </>
    )
  }
  const { user } = showPages([plain('/', 'start'), { path: '/form', Component: Form }, plain('/other', 'other page')])
  await go('/form')
  await go('?filter=1')
  expect(screen.queryByRole('button')).toBeNull()

  await user.click(screen.getByRole('link'))
  await user.click(screen.getByRole('button', { name: 'STAY' }))
  expect(screen.queryByRole('button')).toBeNull()
  expect(address()).toBe('/form?filter=1')

  window.history.go(-2)
  await user.click(await screen.findByRole('button', { name: 'STAY' }))
  await waitFor(() => expect(address()).toBe('/form?filter=1'))

  window.history.go(-2)
  await user.click(await screen.findByRole('button', { name: 'LEAVE' }))
  await screen.findByText('start')
  expect(address()).toBe('/')
  // The entries ahead are still there.
  window.history.go(2)
  await screen.findByRole('link')
  expect(address()).toBe('/form?filter=1')

  await user.click(screen.getByRole('link'))
  await user.click(screen.getByRole('button', { name: 'LEAVE' }))
  expect(screen.getByText('other page')).toBeTruthy()
  expect(address()).toBe('/other')
})

test('a click with a key held down, or for another tab, is left to the browser', async () => {
  const { user } = showPages([
    {
      path: '/',
      Component: () => (
        <>
          <PageLink to="/other">here</PageLink>
          <PageLink to="/other" target="_blank">
            there
          </PageLink>
        </>
      ),
    },
    plain('/other', 'other'),
  ])
  const isTaken: boolean[] = []
  const ended = new AbortController()
  const note = (event: Event) => {
    isTaken.push(event.defaultPrevented)
    event.preventDefault()
  }
  window.addEventListener('click', note, { signal: ended.signal })
  await user.keyboard('{Control>}')
  await user.click(screen.getByRole('link', { name: 'here' }))
  await user.keyboard('{/Control}')
  await user.click(screen.getByRole('link', { name: 'there' }))
  expect(address()).toBe('/')
  await user.click(screen.getByRole('link', { name: 'here' }))
  expect(address()).toBe('/other')
  expect(isTaken).toEqual([false, false, true])
  ended.abort()
})
