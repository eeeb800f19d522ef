import { gzipSync } from 'node:zlib'
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { authenticate, connstate } from '@tessera/contract/people/session'
import { type Dataset, password } from './data.ts'
import { type Spread, spread } from './spread.ts'

export interface BrowserMeasured {
  /** From the navigation to the first row in the page: with an empty cache, and with a full one. */
  coldMs: Spread
  warmMs: Spread
  /** Until the application has rendered the rows and reacts. */
  coldReadyMs: Spread
  warmReadyMs: Spread
  /** From the press on a row to the ticket's title; the pointer rests on the row briefly before, as a hand does. */
  openMs: Spread
  /** Until the rows are shown. */
  scripts: number
  scriptBytes: number
  /** And what is loaded afterwards without any input. */
  scriptsInAll: number
  scriptBytesInAll: number
  longTasks: number
  longTaskMs: number
  throttle: number
  scrolledRows: number
  /** All of them in five seconds, hundreds of screens: new rows in every frame. */
  jumping: Scrolling
  /** As fast as a wheel turns. */
  wheeling: Scrolling
  heapBytes: number
}
interface Scrolling {
  pixelsPerSecond: number
  frames: number
  dropped: number
  slowestFrameMs: number
  /** Busy time of the main thread per frame, with the CPU slowed down. */
  busyMsPerFrame: number
}

const rows = 'main#content tr[data-key]'
const anyRow = 'tr[data-key]'
const throttle = 4
/** Everything deferred on the project's page has loaded within this time, in milliseconds. */
const deferredLoadTime = 5000
/** Between reaching a row and pressing on it, in milliseconds: hands take longer. */
const rest = 150
/** How often each load is measured. */
const times = 5

/** The project page in Chromium (CHROME_PATH, or Playwright's own), against a server on the same machine. */
export async function measureBrowser(url: string, dataset: Dataset): Promise<BrowserMeasured> {
  const executablePath = process.env.CHROME_PATH
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--enable-precise-memory-info'],
  })
  const project = `${url}/view-project/${dataset.projectId}`
  try {
    const cold: Loaded[] = []
    const warm: Loaded[] = []
    const opened: number[] = []
    let loading = { scripts: 0, scriptBytes: 0, scriptsInAll: 0, scriptBytesInAll: 0, longTasks: 0, longTaskMs: 0 }
    for (let time = 0; time < times; time++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      await signIn(context, url, dataset)
      const page = await context.newPage()
      const scripts = countScripts(page)
      await observe(page)
      cold.push(await untilRows(page, project))
      const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
      const first = await scripts()
      if (time === times - 1) await page.waitForTimeout(deferredLoadTime)
      const all = await scripts()
      loading = {
        scripts: first.count,
        scriptBytes: first.bytes,
        scriptsInAll: all.count,
        scriptBytesInAll: all.bytes,
        longTasks: tasks.length,
        longTaskMs: tasks.reduce((sum, each) => sum + each, 0),
      }
      warm.push(await untilRows(page, project))
      opened.push(await untilOpen(page))
      await context.close()
    }
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await signIn(context, url, dataset)
    const scrolled = await scroll(await context.newPage(), project, Math.min(10_000, dataset.tickets))
    return {
      coldMs: spread(cold.map(({ seen }) => seen)),
      warmMs: spread(warm.map(({ seen }) => seen)),
      coldReadyMs: spread(cold.map(({ ready }) => ready)),
      warmReadyMs: spread(warm.map(({ ready }) => ready)),
      openMs: spread(opened),
      ...loading,
      throttle,
      ...scrolled,
    }
  } finally {
    await browser.close()
  }
}

export async function signIn(context: BrowserContext, url: string, { login }: Dataset) {
  await context.request.get(`${url}${connstate.path}`)
  const token = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const answer = await context.request.post(`${url}${authenticate.path}`, {
    data: { user: login, pass: password },
    headers: { 'x-xsrf-token': decodeURIComponent(token), origin: url },
  })
  if (((await answer.json()) as { auth: number }).auth !== 1) throw new Error(`${login} cannot sign in`)
}

interface Loaded {
  seen: number
  ready: number
}

/** Recorded by every page of the context: when the first row was shown, when the application's own first row was, and long tasks. */
async function observe(page: Page) {
  await page.addInitScript(
    selectors => {
      const noted = window as unknown as { loaded?: Loaded; longTasks: number[] }
      let seen: number | undefined
      noted.longTasks = []
      new PerformanceObserver(list => noted.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
        buffered: true,
      })
      const look = () => {
        if (document.querySelector(selectors.any)) seen ??= performance.now()
        if (seen !== undefined && document.querySelector(selectors.ready)) noted.loaded = { seen, ready: performance.now() }
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    },
    { any: anyRow, ready: rows },
  )
}

async function untilRows(page: Page, address: string) {
  await page.goto(address)
  await page.waitForFunction(() => (window as unknown as { loaded?: Loaded }).loaded !== undefined)
  return page.evaluate(() => (window as unknown as { loaded: Loaded }).loaded)
}

async function untilOpen(page: Page) {
  const cell = page.locator(rows).nth(3).locator('td.title')
  const wanted = (await cell.textContent()) ?? ''
  await cell.hover()
  await page.waitForTimeout(rest)
  const opened = page.evaluateHandle(title => {
    let pressed = 0
    addEventListener('pointerdown', ({ timeStamp }) => (pressed = timeStamp), { capture: true, once: true })
    return {
      time: new Promise<number>(resolve => {
        const look = () => {
          const isOpen =
            location.pathname.startsWith('/view-ticket/') &&
            [...document.querySelectorAll<HTMLInputElement>('input, textarea, h1, h2')].some(
              element => (element.value ?? element.textContent) === title || element.textContent?.includes(title),
            )
          if (isOpen) requestAnimationFrame(() => resolve(performance.now() - pressed))
          else requestAnimationFrame(look)
        }
        look()
      }),
    }
  }, wanted)
  const time = await opened
  await page.mouse.down()
  await page.mouse.up()
  return time.evaluate(({ time }) => time)
}

function countScripts(page: Page) {
  const bodies: Promise<number>[] = []
  page.on('response', response => {
    if (response.request().resourceType() === 'script' && response.ok())
      bodies.push(
        response.body().then(
          body => gzipSync(body, { level: 9 }).length,
          () => 0,
        ),
      )
  })
  return async () => {
    const sizes = (await Promise.all(bodies)).filter(size => size > 0)
    return { count: sizes.length, bytes: sizes.reduce((sum, each) => sum + each, 0) }
  }
}

/** Opens the rows that can be opened, loads the list to `count` rows, goes back to the top and scrolls through them with a slow processor. */
async function scroll(page: Page, address: string, count: number) {
  await page.goto(address)
  await page.waitForSelector(rows)
  const length = () => page.evaluate(() => document.documentElement.scrollHeight)
  // Rows are loaded where they are visible: scrolling to the end loads page after page.
  const height = await page
    .locator(rows)
    .nth(2)
    .evaluate(row => row.getBoundingClientRect().height)
  for (let last = 0, still = 0; (await length()) < count * height && still < 40; ) {
    const now = await length()
    still = now === last ? still + 1 : 0
    last = now
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await page.waitForTimeout(50)
  }
  for (const closed of (await page.locator(`${rows}[aria-expanded=false] .chevron`).all()).slice(0, 20))
    await closed.click({ timeout: 1000 }).catch(() => undefined)
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.waitForTimeout(500)
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable')
  await client.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  const whole = await length()
  const jumping = await measureScrolling(page, client, whole / seconds)
  const wheeling = await measureScrolling(page, client, wheel)
  await client.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const heapBytes = await page.evaluate(() => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize)
  return { scrolledRows: Math.round(whole / height), jumping, wheeling, heapBytes }
}

const seconds = 5
/** A wheel that is turned fast, in pixels a second. */
const wheel = 4000

/** Scrolls down from the top for some seconds; the distance per frame follows from the time since the last one. */
async function measureScrolling(page: Page, client: CDPSession, pixelsPerSecond: number): Promise<Scrolling> {
  const busy = async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.waitForTimeout(500)
  const before = await busy()
  const frames = await page.evaluate(
    ([pace, milliseconds]) =>
      new Promise<number[]>(resolve => {
        const times: number[] = []
        const began = performance.now()
        let last = began
        const frame = (now: number) => {
          times.push(now - last)
          last = now
          window.scrollTo(0, ((now - began) / 1000) * pace)
          if (now - began < milliseconds) requestAnimationFrame(frame)
          else resolve(times.slice(2))
        }
        requestAnimationFrame(frame)
      }),
    [pixelsPerSecond, seconds * 1000] as const,
  )
  const busyMs = (await busy()) - before
  const due = 1000 / 60
  return {
    pixelsPerSecond: Math.round(pixelsPerSecond),
    frames: frames.length,
    dropped: frames.reduce((sum, time) => sum + Math.max(0, Math.round(time / due) - 1), 0),
    slowestFrameMs: Math.max(...frames),
    busyMsPerFrame: busyMs / Math.max(1, frames.length),
  }
}
