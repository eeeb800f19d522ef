import type { ComponentType, ReactNode } from 'react'
import { createListeners } from '../state/listeners.ts'
import { decoded, type Location } from './location.ts'
import { keepScroll } from './scroll.ts'

export interface Visit {
  params: Record<string, string>
  search: string
}

interface Page {
  Component: ComponentType
  /** Awaited before the page is drawn. */
  prepare?: (visit: Visit) => Promise<unknown>
}

export interface Route {
  /** `/view-ticket/:id`; `*` stands for every other address. */
  path: string
  /** Returns another address to go to instead. Not called again between pages that share it. */
  enter?: (to: Location) => string | undefined | Promise<string | undefined>
  /** Loads the page while `enter` runs. */
  load?: () => Promise<Page>
  /** A page that needs no loading. */
  Component?: ComponentType
  /** Drawn around the page; pages that share it keep it mounted. */
  Frame?: ComponentType<{ children: ReactNode }>
}

type How = 'push' | 'replace' | 'pop'

interface Shown {
  location: Location
  params: Record<string, string>
  route?: Route
  Component?: ComponentType | undefined
  /** Why there is no page. */
  problem?: unknown
  keepsScroll: boolean
  /** How it was reached: opened by the browser, by a link, in place of another page, or by going back or forward. */
  how: 'opened' | How
}

interface NavigateOptions {
  replace?: boolean
  state?: unknown
  /** Does not scroll to the top. */
  keepsScroll?: boolean
}

interface Guard {
  /** Whether leaving for this location must be confirmed. */
  holds: (to: Location) => boolean
  ask: (leave: () => void) => void
}

let routes: Route[] = []
let shown: Shown = { location: here(), params: {}, keepsScroll: false, how: 'opened' }
let isLoading = false
let latest = 0
/** The last that holds asks: a dialog's before the one of the page under it. */
const guards = new Set<Guard>()

export const currentPage = () => shown
export const isLoadingPage = () => isLoading
const { subscribe, notify } = createListeners()

export { subscribe }

/** Asks `guard` before another page is shown, until the returned function is called. */
export function guardPage(guard: Guard) {
  guards.add(guard)
  return () => void guards.delete(guard)
}

const newKey = () => Math.random().toString(36).slice(2)
const pathOf = ({ pathname, search, hash }: Location) => pathname + search + hash

function here(): Location {
  const { key = '', index = 0, state = null } = (history.state ?? {}) as Partial<Location>
  const { pathname, search, hash } = location
  return { pathname, search, hash, key, index, state }
}

function locationOf(to: string, index: number, state: unknown = null): Location {
  const { pathname, search, hash } = new URL(to, location.origin + pathOf(shown.location))
  return { pathname, search, hash, key: newKey(), index, state }
}

/** The values in the path for the pattern's `:names`; undefined if they do not match. */
export function matchPath(pattern: string, pathname: string): Record<string, string> | undefined {
  if (pattern === '*') return {}
  const given = partsOf(pathname)
  const wanted = partsOf(pattern)
  const params: Record<string, string> = {}
  const isMatch = wanted.every((part, at) => {
    const value = given[at]
    if (!part.startsWith(':')) return part === value
    if (!value) return false
    params[part.slice(1)] = decoded(value)
    return true
  })
  return isMatch && wanted.length === given.length ? params : undefined
}
const partsOf = (path: string) => path.replace(/\/+$/, '').split('/')

function find(pathname: string) {
  for (const route of routes) {
    const params = matchPath(route.path, pathname)
    if (params) return { route, params }
  }
  throw new Error(`No route for ${pathname}`)
}

function show(next: Omit<Shown, 'keepsScroll' | 'how'>, how: How, keepsScroll: boolean) {
  isLoading = false
  const { location: to } = next
  // Nobody returns to an entry that is replaced: typing into a filter would add a position with each letter.
  const isReplaced = how === 'replace' && to.index === shown.location.index
  if (shown.route && !isReplaced) keepScroll(shown.location.key)
  const entry = { key: to.key, index: to.index, state: to.state }
  if (how === 'push') history.pushState(entry, '', pathOf(to))
  if (how === 'replace') history.replaceState(entry, '', pathOf(to))
  shown = { ...next, keepsScroll, how: shown.route ? how : 'opened' }
  notify()
}

async function open(to: Location, how: How, keepsScroll = false): Promise<void> {
  const mine = ++latest
  // Only the search or the hash changes.
  if (shown.Component && to.pathname === shown.location.pathname) return show({ ...shown, location: to }, how, keepsScroll)
  const { route, params } = find(to.pathname)
  const { enter, load, Component } = route
  if (!enter && Component) return show({ location: to, route, params, Component }, how, keepsScroll)
  isLoading = true
  notify()
  try {
    const loading = load?.().then(async page => {
      await page.prepare?.({ params, search: to.search })
      return page
    })
    // `enter` decides first; if it leads elsewhere, the page is not awaited.
    loading?.catch(() => undefined)
    const elsewhere = enter === shown.route?.enter ? undefined : await enter?.(to)
    if (mine !== latest) return
    if (elsewhere !== undefined) return open(locationOf(elsewhere, to.index), how === 'pop' ? 'replace' : how, keepsScroll)
    const page = await loading
    if (mine === latest) show({ location: to, route, params, Component: page?.Component ?? Component }, how, keepsScroll)
  } catch (problem) {
    if (mine === latest) show({ location: to, route, params, problem }, how, keepsScroll)
  }
}

/** Goes to an address, unless something unsaved holds the page and the person stays. */
export async function navigate(to: string, { replace = false, state, keepsScroll }: NavigateOptions = {}) {
  const from = shown.location
  const target = locationOf(to, from.index, state)
  const isSame = pathOf(target) === pathOf(from)
  const how = replace || isSame ? 'replace' : 'push'
  if (how === 'push') target.index++
  const leave = () => open(target, how, keepsScroll)
  const guard = [...guards].findLast(({ holds }) => holds(target))
  if (guard) guard.ask(() => void leave())
  else await leave()
}

let isReturning = false
let isConfirmed = false
/** The browser has already changed the address: if the page is held, the old address is restored. */
function onPopState() {
  if (isReturning) {
    isReturning = false
    return
  }
  const to = here()
  const steps = to.index - shown.location.index
  const guard = isConfirmed || steps === 0 ? undefined : [...guards].findLast(({ holds }) => holds(to))
  isConfirmed = false
  if (!guard) return void open(to, 'pop')
  isReturning = true
  history.go(-steps)
  guard.ask(() => {
    isConfirmed = true
    history.go(steps)
  })
}

/** Shows the page at the browser's address; resolves once it is loaded. */
export function startNavigation(all: Route[]) {
  routes = all
  shown = { location: here(), params: {}, keepsScroll: false, how: 'opened' }
  removeEventListener('popstate', onPopState)
  addEventListener('popstate', onPopState)
  const { key } = shown.location
  return open({ ...shown.location, key: key || newKey() }, 'replace')
}
