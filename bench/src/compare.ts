import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { signIn } from './browser.ts'
import { type Dataset, generate } from './data.ts'
import { type Product, startProduct } from './product.ts'
import { spread } from './spread.ts'

/** How long a page goes on working after it can be used, in milliseconds. */
const settling = 1500
/** How long Chromium loads pages of its own into a new window, in milliseconds. */
const opening = 2000

const measures = {
  'Project list, cold: usable': [] as number[],
  'Project list, warm: usable': [] as number[],
  "A ticket's link, cold: usable": [] as number[],
  "A ticket's link, warm: usable": [] as number[],
  "A ticket's link, cold: script": [] as number[],
}
type Measures = typeof measures

/**
 * Two checkouts, interleaved, each built (`npm run build -w web`): the pages of a project and of a ticket in Chromium, in milliseconds, on the same tickets.
 * The other checkout creates the data, because a database cannot be downgraded. File owners are copied too: PostgreSQL has an account of its own.
 */
export async function comparePages(folder: string, own: string, other: string, tickets: number, times: number) {
  const [before, after] = [path.join(folder, 'before'), path.join(folder, 'after')]
  const dataset = await prepare(before, other, tickets)
  if (!existsSync(after)) execFileSync('cp', ['-a', before, after])
  const versions = [
    { name: 'before', data: before, checkout: other, measured: structuredClone(measures) },
    { name: 'after', data: after, checkout: own, measured: structuredClone(measures) },
  ] as const
  const running: ((typeof versions)[number] & { product: Product })[] = []
  const executablePath = process.env.CHROME_PATH
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] })
  try {
    for (const version of versions) running.push({ ...version, product: await startProduct(version.data, {}, version.checkout) })
    // The first round warms up.
    for (let round = 0; round <= times; round++)
      for (const { name, product, measured } of running) {
        const found = await measure(browser, product.url, dataset)
        if (round > 0) for (const [what, ms] of found) measured[what].push(ms)
        console.log(round, name, ...found.map(([what, ms]) => `${what} ${Math.round(ms)} ms;`))
      }
  } finally {
    await browser.close()
    for (const { product } of running) await product.stop()
  }
  const [old, now] = versions
  const rows = (Object.keys(measures) as (keyof Measures)[]).map(what => {
    const [was, is] = [spread(old.measured[what]), spread(now.measured[what])]
    const text = ({ median, low, high }: typeof was) => `${Math.round(median)} ms (${Math.round(low)}–${Math.round(high)})`
    return `| ${what} | ${text(was)} | ${text(is)} | ${(is.median / was.median).toFixed(2)} |`
  })
  console.log(
    ['', `| ${tickets} tickets, ${times} rounds | Before | After | After ÷ before |`, '| --- | ---: | ---: | ---: |', ...rows].join('\n'),
  )
}

async function prepare(data: string, checkout: string, tickets: number): Promise<Dataset> {
  const known = path.join(data, 'dataset.json')
  if (existsSync(known)) return JSON.parse(readFileSync(known, 'utf8')) as Dataset
  mkdirSync(data, { recursive: true })
  const operator = { TESSERA_ADMIN_LOGIN: 'bench-operator', TESSERA_ADMIN_PASSWORD: 'correct horse battery staple' }
  const product = await startProduct(data, operator, checkout)
  try {
    const dataset = await generate(product.connection, tickets)
    writeFileSync(known, JSON.stringify(dataset))
    return dataset
  } finally {
    await product.stop()
  }
}

async function measure(browser: Browser, url: string, dataset: Dataset): Promise<[keyof Measures, number][]> {
  const project = `${url}/view-project/${dataset.projectId}`
  const ticket = `${url}/view-ticket/${dataset.first}`
  const isListed = () => document.querySelector('main#content tr[data-key]') !== null
  // The heading says "Ticket Detail" before the ticket is there.
  const isOpen = () =>
    [...document.querySelectorAll<HTMLInputElement>('main#content :is(input, textarea, h1)')].some(element =>
      /Ticket \d+: /.test(element.value || element.textContent || ''),
    )
  const list = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signIn(list, url, dataset)
  const listCold = await untilUsable(await list.newPage(), project, isListed)
  const listWarm = await untilUsable(await list.newPage(), project, isListed)
  await list.close()
  const link = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signIn(link, url, dataset)
  const linkCold = await untilUsable(await link.newPage(), ticket, isOpen)
  const linkWarm = await untilUsable(await link.newPage(), ticket, isOpen)
  await link.close()
  return [
    ['Project list, cold: usable', listCold.usable],
    ['Project list, warm: usable', listWarm.usable],
    ["A ticket's link, cold: usable", linkCold.usable],
    ["A ticket's link, warm: usable", linkWarm.usable],
    ["A ticket's link, cold: script", linkCold.script],
  ]
}

/** Until the frame after the one in which the page is there, and the CPU time of its scripts in all, in ms. */
async function untilUsable(page: Page, address: string, isHere: () => boolean) {
  await page.addInitScript(`
    const isHere = ${isHere}
    window.usable = new Promise(resolve => {
      const look = () => (isHere() ? requestAnimationFrame(() => resolve(performance.now())) : requestAnimationFrame(look))
      requestAnimationFrame(look)
    })`)
  const client = await page.context().newCDPSession(page)
  // CPU time of the page's main thread, which differs less from round to round than the clock's.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.waitForTimeout(opening)
  await page.goto(address)
  const usable = await page.evaluate(() => (window as unknown as { usable: Promise<number> }).usable)
  await page.waitForTimeout(settling)
  const { metrics } = await client.send('Performance.getMetrics')
  const script = (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000
  await page.close()
  return { usable, script }
}
