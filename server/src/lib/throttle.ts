import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import { type Db, queryRows } from '../db/db.ts'
import { float8 } from '../db/shape.ts'
import { Failure } from './failure.ts'

/** A count of failures that all processes share. */
export interface Bucket {
  readonly name: string
  /** Failures allowed within the window; the next attempt has to wait. */
  readonly limit: number
  readonly minutes: number
  /** Each further full window without a success doubles the wait, up to an hour. */
  readonly doubles?: true
}

function hashed(...parts: string[]) {
  return hash('sha256', parts.join('\n')).slice(0, 40)
}

/** An account from a browser its owner has used before. */
export function knownDeviceBucket(login: string, device: string): Bucket {
  return { name: `device:${hashed(login, device)}`, limit: 10, minutes: 15 }
}
/** An account from all other browsers, counted per network and in total: failed attempts from one network do not block people elsewhere. */
export function unknownDevicesBuckets(login: string, address: string): Bucket[] {
  return [
    { name: `near:${hashed(login, networkOf(address) ?? 'loopback')}`, limit: 10, minutes: 15, doubles: true },
    { name: `unknown:${hashed(login)}`, limit: 50, minutes: 15, doubles: true },
  ]
}
/** The failures of an address, over all calls. */
export function addressBuckets(address: string, purpose = 'sign-in'): Bucket[] {
  const network = networkOf(address)
  return network === undefined ? [] : [{ name: `address:${purpose}:${network}`, limit: 50, minutes: 15 }]
}
/**
 * The address, without the port that some proxies add to it; for IPv6 the /64, which belongs to one customer. Undefined for loopback: behind a
 * proxy that TRUST_PROXY does not count, all clients share it, and one attacker would lock out everybody.
 */
export function networkOf(address: string): string | undefined {
  const plain = address.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  const ipv4 = plain.replace(/^::ffff:(?=[\d.]+$)/, '')
  if (plain === '::1' || ipv4.startsWith('127.')) return undefined
  return isIPv6(ipv4) ? expanded(ipv4).slice(0, 4).join(':') : ipv4
}
export function bucket(purpose: string, key: string | number, limit: number, minutes: number): Bucket {
  return { name: `${purpose}:${hashed(String(key))}`, limit, minutes }
}

function expanded(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  return tail === undefined ? left : [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
}

/** Throws 429 while one of the buckets is exhausted. */
export async function requireNotThrottled(db: Db, buckets: readonly Bucket[]) {
  const rows = await queryRows(db, { seconds: float8 })`
    select extract(epoch from max(blocked_until) - now())::float8 as seconds from throttle
    where bucket = any(${buckets.map(({ name }) => name)}) and blocked_until > now() having count(*) > 0`
  if (rows[0]) throw throttled(rows[0].seconds)
}

function throttled(seconds: number) {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return new Failure('throttled', `Too many attempts: try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`, {
    retryAfterSeconds: Math.max(1, seconds),
  })
}

/** Counts a failure. Throws 429 when a bucket was exhausted meanwhile, so that parallel attempts learn no more than sequential ones. */
export async function countFailure(db: Db, buckets: readonly Bucket[]) {
  let closed = false
  for (const { name, limit, minutes, doubles = false } of buckets) {
    const { rows } = await sql`
      insert into throttle as t (bucket, failures, consecutive, blocked_until)
      values (${name}, 1, 1, case when ${limit}::int <= 1 then now() + make_interval(mins => ${minutes}::int) end)
      on conflict (bucket) do update set
        failures = case when t.window_started_at <= now() - make_interval(mins => ${minutes}::int) then 1 else t.failures + 1 end,
        consecutive = t.consecutive + 1,
        window_started_at = case when t.window_started_at <= now() - make_interval(mins => ${minutes}::int) then now() else t.window_started_at end,
        blocked_until = case
          when t.window_started_at <= now() - make_interval(mins => ${minutes}::int) or t.failures + 1 < ${limit}::int then null
          when not ${doubles}::boolean then now() + make_interval(mins => ${minutes}::int)
          else now() + least(make_interval(mins => (${minutes}::int * power(2, least((t.consecutive + 1) / ${limit}::int - 1, 10)))::int), interval '1 hour')
        end
      where t.blocked_until is null or t.blocked_until <= now()
      returning 1`.execute(db)
    closed ||= rows.length === 0
  }
  if (closed) await requireNotThrottled(db, buckets)
}

/** Counts an event that is not a failure; false once the limit is reached. */
export async function isWithin(db: Db, budget: Bucket) {
  try {
    await countFailure(db, [budget])
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** Resets the failures after a successful proof. */
export async function clearFailures(db: Db, buckets: readonly Bucket[]) {
  await sql`delete from throttle where bucket = any(${buckets.map(({ name }) => name)})`.execute(db)
}
