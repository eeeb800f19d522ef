import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refreshCsrf } from './csrf.ts'
import { notFound } from './failure.ts'
import { sendFailure } from './rpc.ts'
import type { System } from './system.ts'

const dist = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** Serves the built web application: hashed files for ever, the page itself for every other address, with a nonce and a CSRF token. */
export async function serveWebApplication(app: FastifyInstance, system: System) {
  const built = existsSync(`${dist}index.html`)
  const [head = '', ...rest] = (
    built ? readFileSync(`${dist}index.html`, 'utf8') : '<!doctype html><title>Tessera</title><p>Not built: npm run build'
  ).split('__NONCE__')
  if (built) {
    await app.register(fastifyStatic, {
      root: dist,
      prefix: '/',
      wildcard: false,
      index: false,
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
      globIgnore: ['index.html'],
    } as Parameters<typeof app.register>[1])
  }
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    if ((request.method !== 'GET' && request.method !== 'HEAD') || request.url.startsWith('/api/') || /^\/assets\//.test(request.url)) {
      return sendFailure(notFound(), request, reply)
    }
    if (!request.cookies['XSRF-TOKEN']) refreshCsrf(system, request, reply)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(rest.reduce((html, part) => html + reply.cspNonce.style + part, head))
  }
  app.get('/', page)
  app.setNotFoundHandler(page)
}
