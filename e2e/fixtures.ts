import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { authenticate, connstate } from '@tessera/contract/people/session'
import { events } from '@tessera/contract/projects/live'
import { buildApp } from '@tessera/server/app'
import { readConfig } from '@tessera/server/config'
import { connect } from '@tessera/server/db/connections/connect'
import type { Db } from '@tessera/server/db/db'
import { migrate } from '@tessera/server/db/schema/migrate'
import { hashPassword } from '@tessera/server/lib/passwords/passwords'
import { closeSystem, createSystem } from '@tessera/server/process/system'
import type { Storage } from '@tessera/server/storage/storage'
import { startTasks } from '@tessera/server/tasks'
import { makeOrganization, makeUser } from '@tessera/server/test/fixtures/factories'
import { throwAwayCluster } from '@tessera/server/test/postgres/database-cluster'
import type axeCore from 'axe-core'
import { callBeside } from './call.ts'
import { makeTitanium } from './titanium.ts'

export const password = 'correct horse battery'

export interface Person {
  idUser: number
  login: string
  idOrganization: number
}

/** The product on a database of its own, one for each worker; tests make their own organizations in it. */
export interface Product {
  url: string
  db: Db
  /** Where attachments are: an import writes some. */
  storage: Storage
  /** The data directory; mails are files in `mail/` below it. */
  data: string
  /** May do everything; administrator of the organization "Tessera Test". */
  superUser: Person
  /** Creates a person who signs in with `password`; in the super user's organization by default. */
  person: (options?: { login?: string; fullName?: string; admin?: boolean; manager?: boolean; idOrganization?: number }) => Promise<Person>
}

async function startProduct() {
  const directory = await mkdtemp(path.join(tmpdir(), 'tessera-e2e-'))
  const cluster = await throwAwayCluster()
  const db = connect(cluster.connection)
  await migrate(db)
  const config = readConfig({ LOG_LEVEL: 'silent', NODE_ENV: 'test', TESSERA_DATA: directory })
  const system = await createSystem(config, db)
  const app = await buildApp(system)
  const tasks = await startTasks(system, error => console.error(error))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const passwordHash = await hashPassword(password)
  let people = 0

  const person = async (options: Parameters<Product['person']>[0] & { super?: boolean } = {}) => {
    people += 1
    const login = options.login ?? `person-${people}`
    const home = options.idOrganization ?? idOrganization
    return { idUser: await makeUser(db, home, { ...options, login, passwordHash }), login, idOrganization: home }
  }
  const idOrganization = await makeOrganization(db, 'Tessera Test')
  const superUser = await person({ login: 'super', fullName: 'Sam Ortiz', super: true, admin: true })
  const product: Product = { url: `http://127.0.0.1:${port}`, db, storage: system.storage, data: directory, superUser, person }
  const stop = async () => {
    app.server.closeAllConnections()
    await app.close()
    await tasks.stop()
    closeSystem(system)
    await db.destroy()
    await cluster.stop()
    await rm(directory, { recursive: true, force: true })
  }
  return { product, stop }
}

/** Signs in without the login page: the browser's context gets the session's cookies. */
async function signIn(page: Page, { login, idOrganization }: Person) {
  await page.request.get(connstate.path)
  expect(await callBeside(page, authenticate, { user: login, pass: password, orgid: idOrganization })).toMatchObject({ auth: 1 })
}

/** Until the page shows the color scheme that it should, and no transition runs. */
async function settled(page: Page) {
  const isSettled = () => {
    const chosen = localStorage.getItem('color-scheme')
    const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
    const isRunning = ({ effect, playState }: Animation) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
    return !document.documentElement.hasAttribute(isDark ? 'data-light' : 'data-dark') && !document.getAnimations().some(isRunning)
  }
  await expect.poll(() => page.evaluate(isSettled), { intervals: [20] }).toBe(true)
}

/** For `test.use`: animations, as most people's browsers show them. Without it dialogs, toasts and rows appear and disappear at once. */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const

/** The rules of axe about colors; all others give the same result in both schemes. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** The rules of axe that may fail on a narrow page only: a list there is no table, and some words and columns are left out. */
const narrowRules = [
  ...['target-size', 'scrollable-region-focusable', 'aria-hidden-focus', 'button-name', 'link-name', 'label'],
  ...['aria-required-children', 'aria-required-parent', 'list', 'listitem', 'heading-order', 'region'],
]
const narrowDarkRules = [...narrowRules, ...colorRules]

/** `axeCore.source` is not minified: the page would compile twice as much. */
const axeSource = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Expects no finding of axe on the current page, by all rules or the given ones. */
async function axe(page: Page, rules?: string[]) {
  // The page applies a changed scheme a moment later; until then it has colors of both.
  await settled(page)
  // The script stays in the page from one check to the next: it is larger than the application.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const found = await page.evaluate(async runOnly => {
    const { axe } = window as unknown as { axe: typeof axeCore }
    // The page behind a dialog is inert, and checked where no dialog is open.
    const { violations } = await axe.run({ exclude: 'body > [inert]' }, { resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }))
  }, rules)
  expect(found).toEqual([])
}

const screenshots = process.env.SCREENSHOTS

/**
 * Checks the page in its present state, 1440 and 390 px wide, with axe and for sideways scrolling. The narrow page is checked by the rules that
 * depend on the width. Colors are the same at both widths: the dark ones are checked on the narrow page of the first look of a test, with `all` on
 * the wide page. With SCREENSHOTS set to a folder it saves four pictures there and checks each by all rules.
 */
async function shoot(page: Page, name: string, { isFirst, all }: { isFirst: boolean; all: boolean }) {
  const before = page.viewportSize()
  const wasStill = await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)
  const looks = [
    { width: 1440, colorScheme: 'light', rules: undefined },
    ...(all || screenshots ? [{ width: 1440, colorScheme: 'dark', rules: colorRules } as const] : []),
    isFirst && !all && !screenshots
      ? ({ width: 390, colorScheme: 'dark', rules: narrowDarkRules } as const)
      : ({ width: 390, colorScheme: 'light', rules: narrowRules } as const),
    ...(screenshots ? [{ width: 390, colorScheme: 'dark', rules: undefined } as const] : []),
  ] as const
  for (const { width, colorScheme, rules } of looks) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await axe(page, screenshots ? undefined : rules)
    if (screenshots) await page.screenshot({ path: `${screenshots}/${name}-${colorScheme}-${width}.png` })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0)
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: wasStill ? 'reduce' : null })
  if (before) await page.setViewportSize(before)
}

/**
 * Call this before the first page of a test that answers some requests itself: Chromium takes a page's first route into account with a delay,
 * and a request right behind it may still reach the server.
 */
export const prepareRoutes = (page: Page) =>
  page.route(
    () => false,
    route => route.fallback(),
  )

/** Goes there and waits until the page receives live updates. */
export async function listenAt(page: Page, url: string) {
  const stream = page.waitForResponse(answer => new URL(answer.url()).pathname === events.path)
  await page.goto(url)
  await stream
}

/**
 * Returns to the page's tab, which then checks its session, until the page shows `sign`. If a check is already in flight
 * when the tab becomes visible, no other one follows, so one return may not be enough.
 */
export async function returnToTab(page: Page, sign: Locator) {
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(sign).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
}

/** Presses the button after `end`. A click would wait forever if the dialog that `end` causes has covered the page by then. */
export async function pressAfter(end: () => Promise<unknown>, button: Locator) {
  const element = await button.elementHandle()
  await end()
  await element?.evaluate((node: HTMLElement) => {
    node.focus()
    node.click()
  })
}

/** Where the element is in the window. */
export async function box(element: Locator) {
  const found = await element.boundingBox()
  if (!found) throw new Error('not on the screen')
  return found
}

/** The text of each line of the element, as rendered. */
export function lines(element: Locator) {
  return element.evaluate(node => {
    const range = document.createRange()
    const texts: string[] = []
    let bottom = Number.NEGATIVE_INFINITY
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      for (let index = 0; index < (text.textContent ?? '').length; index++) {
        range.setStart(text, index)
        range.setEnd(text, index + 1)
        const box = range.getBoundingClientRect()
        if (box.height === 0) continue
        if (box.top >= bottom - 1) texts.push('')
        bottom = Math.max(bottom, box.bottom)
        texts[texts.length - 1] += range.toString()
      }
    }
    return texts
  })
}

export interface Fixtures {
  signIn: (page: Page, person: Person) => Promise<void>
  /** Signs in a member of *Titanium Mobile*, Dana Kim by default; returns what `makeTitanium` created. */
  titanium: (
    person?: Parameters<Product['person']>[0],
    permissions?: readonly number[] | 'all',
  ) => Promise<Awaited<ReturnType<typeof makeTitanium>> & { person: Person }>
  /** All rules, or the given ones. */
  axe: (page: Page, rules?: string[]) => Promise<void>
  shoot: (page: Page, name: string, options?: { all: boolean }) => Promise<void>
  /** What browsers complained about; the test fails at its end unless this is empty. */
  complaints: string[]
}

export const test = base.extend<Fixtures, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      const { product, stop } = await startProduct()
      await use(product)
      await stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ product }, use) => use(product.url),
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = []
      context.on('console', message => {
        // A refusal of the API is an answer, not a fault of the page.
        const isRefusal = message.text().startsWith('Failed to load resource') && message.location().url.includes('/api/')
        if (message.type() === 'error' && !isRefusal) complaints.push(message.text())
      })
      context.on('weberror', problem => complaints.push(String(problem.error())))
      await context.addInitScript(() =>
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
          console.error(`Content security policy: ${violatedDirective} ${blockedURI} ${sourceFile}`),
        ),
      )
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  signIn: ({}, use) => use(signIn),
  titanium: ({ page, product }, use) =>
    use(async (options, permissions) => {
      const person = await product.person({ fullName: 'Dana Kim', ...options })
      const made = await makeTitanium(product, person, permissions)
      await signIn(page, person)
      return { ...made, person }
    }),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  axe: ({}, use) => use(axe),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  shoot: ({}, use) => {
    let isFirst = true
    return use(async (page, name, { all } = { all: false }) => {
      await shoot(page, name, { isFirst, all })
      isFirst = false
    })
  },
})
export { expect }
