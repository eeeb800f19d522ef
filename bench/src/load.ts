import { authenticate, connstate } from '@tessera/contract/people/session'
import autocannon from 'autocannon'
import { type Dataset, password } from './data.ts'
import { draw, type Scenario } from './scenarios.ts'

export interface Measured {
  requests: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  /** Answers other than 200, broken connections, time-outs. */
  errors: number
}

/** The headers of a browser, with the session of `login` or without one. */
export async function browserHeaders(url: string, login?: string): Promise<Record<string, string>> {
  const jar = new Map<string, string>()
  const keep = (answer: Response) => {
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
  }
  const headers = () => ({
    'content-type': 'application/json',
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': decodeURIComponent(jar.get('XSRF-TOKEN') ?? ''),
  })
  keep(await fetch(`${url}${connstate.path}`))
  if (login !== undefined) {
    const answer = await fetch(`${url}${authenticate.path}`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ user: login, pass: password }),
    })
    keep(answer)
    if (((await answer.json()) as { auth: number }).auth !== 1) throw new Error(`${login} cannot sign in`)
  }
  return headers()
}

/** As many requests as `connections` connections get answered in `seconds`. */
export async function load(
  url: string,
  dataset: Dataset,
  { call, input }: Scenario,
  headers: Record<string, string>,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Measured> {
  const times: number[] = []
  let errors = 0
  const body = () => JSON.stringify(input(dataset, draw(dataset)))
  const result = await new Promise<{ duration: number; errors: number }>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: seconds,
        timeout: 30,
        requests: [{ method: 'POST', path: call.path, headers, body: body(), setupRequest: request => ({ ...request, body: body() }) }],
      },
      (error, answer) => (error ? reject(error) : resolve(answer)),
    )
    instance.on('response', (_client, status, _bytes, milliseconds) => {
      if (status === 200) times.push(milliseconds)
      else errors++
    })
  })
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return {
    requests: times.length,
    perSecond: times.length / result.duration,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    errors: errors + result.errors,
  }
}
