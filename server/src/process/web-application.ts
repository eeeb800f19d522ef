import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { shapeOf } from '@tessera/contract/shapes'
import { getTicketByKey } from '@tessera/contract/tickets/tickets'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ticketByKey } from '../features/tickets/get-ticket-by-key.ts'
import { refreshCsrf } from '../http/csrf.ts'
import { sendFailure } from '../http/failures.ts'
import { accept } from '../http/schemas/accept.ts'
import { cookiesOf, credentialsOf } from '../http/session-cookie.ts'
import { authorizeSession } from '../lib/authorize.ts'
import { Failure, notFound } from '../lib/failure.ts'
import type { System } from './system.ts'

const dist = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** What the build knows of its files (first-needs.json): for each page, the scripts it needs beyond the common ones; and the script that sends the first calls. */
interface FirstNeeds {
  firstCalls: string
  pages: Record<string, string[]>
}
const publicPages = ['login', 'reset-password', 'reset-password-verify', 'set-up', 'confirm-email', 'invitation']

/** Tags for the beginning of the head and for its end, after the common scripts: scripts and data load in parallel, in one round trip after the page. */
function firstTags({ firstCalls, pages }: FirstNeeds, url: string, hasSession: boolean): [string, string] {
  const asked = /^\/([a-z-]*)/.exec(url)?.[1] ?? ''
  const isPublic = publicPages.includes(asked)
  const name = asked === 'edit' ? 'edit-project' : asked
  const known = Object.hasOwn(pages, name) ? name : 'home'
  const scripts = pages[hasSession || isPublic ? known : 'login'] ?? []
  return [
    hasSession && !isPublic ? `<script id="first-calls" type="module" async fetchpriority="high" src="/${firstCalls}"></script>` : '',
    scripts.map(file => `<link rel="modulepreload" crossorigin href="/${file}">`).join(''),
  ]
}

/** The ticket that the caller may see under this key; null without a session. */
async function ticketOf({ db, config }: System, request: FastifyRequest, key: string) {
  // An address may contain what no text of the database can, such as %00.
  if (!accept(shapeOf(getTicketByKey).request, { Key: key })) return null
  try {
    const scope = await authorizeSession(db, credentialsOf(config, request), config.session)
    return await ticketByKey(db, scope, key)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/**
 * Serves the built web application: hashed files forever, the page itself for every other address, with a nonce and a CSRF token. Tests that need
 * no files leave them out: each application would look for them again.
 */
export async function serveWebApplication(app: FastifyInstance, system: System, withFiles: boolean) {
  const built = withFiles && existsSync(`${dist}index.html`)
  const template = built ? readFileSync(`${dist}index.html`, 'utf8') : '<!doctype html><title>Tessera</title><p>Not built: npm run build'
  const firstNeeds: FirstNeeds = built ? JSON.parse(readFileSync(`${dist}first-needs.json`, 'utf8')) : { firstCalls: '', pages: {} }
  if (built) {
    await app.register(fastifyStatic, {
      root: dist,
      prefix: '/',
      wildcard: false,
      index: false,
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
      globIgnore: ['index.html', 'first-needs.json'],
    } as Parameters<typeof app.register>[1])
  }
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    if ((request.method !== 'GET' && request.method !== 'HEAD') || request.url.startsWith('/api/') || /^\/assets\//.test(request.url)) {
      return sendFailure(notFound(), request, reply)
    }
    if (!cookiesOf(request)['XSRF-TOKEN']) refreshCsrf(system, request, reply)
    const [first, last] = firstTags(firstNeeds, request.url, credentialsOf(system.config, request) !== null)
    const { script, style } = reply.cspNonce
    const html = template.replaceAll('__NONCE__', style).replaceAll('__SCRIPT_NONCE__', script)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(html.replace('</title>', `$&${first}`).replace('</head>', `${last}$&`))
  }
  app.get('/', page)
  // Commits and mails name tickets by their keys. Without the right to see the ticket, one gets the same page as at any other address. So does
  // anybody who is signed out: the page leads to the login and looks the ticket up afterwards.
  app.get<{ Params: { key: string } }>('/browse/:key', { schema: { hide: true } }, async (request, reply) => {
    const idTicket = await ticketOf(system, request, request.params.key)
    return idTicket === null ? page(request, reply) : reply.header('cache-control', 'no-store').redirect(`/view-ticket/${idTicket}`, 302)
  })
  app.setNotFoundHandler(page)
}
