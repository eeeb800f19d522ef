import { gzipSync } from 'node:zlib'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { authenticate, connstate } from '@tessera/contract/session'
import { type Dataset, password } from './data.ts'
import { type Spread, spread } from './report.ts'

export interface BrowserMeasured {
  /** From the navigation to the first row in the page: with an empty cache, and with a full one. */
  coldMs: Spread
  warmMs: Spread
  /** From the click on a row to the ticket's title in its field. */
  openMs: Spread
  scripts: number
  scriptBytes: number
  longTasks: number
  longTaskMs: number
  throttle: number
  scrolledRows: number
  frames: number
  dropped: number
  slowestFrameMs: number
  heapBytes: number
}

const rows = 'tr[data-key]'
const throttle = 4

/** The project page in Chromium (CHROME_PATH, or Playwright's own), against a server on the same machine. */
export async function measureBrowser(url: string, dataset: Dataset, times = 5): Promise<BrowserMeasured> {
  const executablePath = process.env.CHROME_PATH
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--enable-precise-memory-info'],
  })
  const project = `${url}/view-project/${dataset.projectId}`
  try {
    const cold: number[] = []
    const warm: number[] = []
    const opened: number[] = []
    let loading = { scripts: 0, scriptBytes: 0, longTasks: 0, longTaskMs: 0 }
    for (let time = 0; time < times; time++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      await signIn(context, url, dataset)
      const page = await context.newPage()
      const scripts = countScripts(page)
      await observe(page)
      cold.push(await untilRows(page, project))
      const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
      loading = { ...(await scripts()), longTasks: tasks.length, longTaskMs: tasks.reduce((sum, each) => sum + each, 0) }
      warm.push(await untilRows(page, project))
      opened.push(await untilOpen(page))
      await context.close()
    }
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await signIn(context, url, dataset)
    const scrolled = await scroll(await context.newPage(), project, Math.min(10_000, dataset.tickets))
    return { coldMs: spread(cold), warmMs: spread(warm), openMs: spread(opened), ...loading, throttle, ...scrolled }
  } finally {
    await browser.close()
  }
}

async function signIn(context: BrowserContext, url: string, { login }: Dataset) {
  await context.request.get(`${url}${connstate.path}`)
  const token = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  await context.request.post(`${url}${authenticate.path}`, {
    data: { user: login, pass: password },
    headers: { 'x-xsrf-token': decodeURIComponent(token), origin: url },
  })
}

/** What every page of the context notes about itself: when the first row stood there, and long tasks. */
async function observe(page: Page) {
  await page.addInitScript(selector => {
    const noted = window as unknown as { rowsAt: number; longTasks: number[] }
    noted.longTasks = []
    new PerformanceObserver(list => noted.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
      buffered: true,
    })
    const look = () => {
      if (document.querySelector(selector)) noted.rowsAt = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, rows)
}

async function untilRows(page: Page, address: string) {
  await page.goto(address)
  await page.waitForFunction(() => (window as unknown as { rowsAt?: number }).rowsAt !== undefined)
  return page.evaluate(() => (window as unknown as { rowsAt: number }).rowsAt)
}

async function untilOpen(page: Page) {
  await page.locator(rows).nth(3).hover()
  return page.evaluate(selector => {
    const row = document.querySelectorAll<HTMLElement>(selector)[3]
    const title = row?.querySelector('td.title')?.textContent ?? ''
    const link = row?.querySelector<HTMLElement>('td.id a')
    const began = performance.now()
    link?.click()
    return new Promise<number>(resolve => {
      const look = () => {
        const isOpen =
          location.pathname.startsWith('/view-ticket/') &&
          [...document.querySelectorAll<HTMLInputElement>('input, textarea, h1, h2')].some(
            element => (element.value ?? element.textContent) === title || element.textContent?.includes(title),
          )
        if (isOpen) requestAnimationFrame(() => resolve(performance.now() - began))
        else requestAnimationFrame(look)
      }
      look()
    })
  }, rows)
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
    return { scripts: sizes.length, scriptBytes: sizes.reduce((sum, each) => sum + each, 0) }
  }
}

/** Opens the rows that can be opened, loads the list to `count` rows, goes back to the top and scrolls through them with a slow processor. */
async function scroll(page: Page, address: string, count: number) {
  await page.goto(address)
  await page.waitForSelector(rows)
  const length = () => page.evaluate(() => document.documentElement.scrollHeight)
  // Rows are loaded where the window is: going to the end loads page after page.
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
  await client.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  const frames = await page.evaluate(
    seconds =>
      new Promise<number[]>(resolve => {
        const times: number[] = []
        const step = document.documentElement.scrollHeight / (seconds * 60)
        const began = performance.now()
        let before = began
        const frame = (now: number) => {
          times.push(now - before)
          before = now
          window.scrollBy(0, step)
          if (now - began < seconds * 1000) requestAnimationFrame(frame)
          else resolve(times.slice(2))
        }
        requestAnimationFrame(frame)
      }),
    5,
  )
  await client.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const scrolledRows = Math.round((await length()) / height)
  const heapBytes = await page.evaluate(() => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize)
  const due = 1000 / 60
  return {
    scrolledRows,
    frames: frames.length,
    dropped: frames.reduce((sum, time) => sum + Math.max(0, Math.round(time / due) - 1), 0),
    slowestFrameMs: Math.max(...frames),
    heapBytes,
  }
}
