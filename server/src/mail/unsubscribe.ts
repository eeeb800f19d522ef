import type { KeyObject } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { System } from '../process/system.ts'
import { escapeHtml } from './mail.ts'
import { readSignedToken, signedToken } from './signed-link.ts'

// The one-click link of notifications (RFC 8058). It is not a call of the contract: mail programs post a form without cookie or token.

interface Subscriber {
  organizationId: number
  ticketId: number
  userId: number
}

/** The address that stops the mails about one ticket to one person. It allows nothing else and does not expire. */
export function unsubscribeAddress({ publicUrl }: Config, secret: KeyObject, { organizationId, ticketId, userId }: Subscriber) {
  return `${publicUrl}/unsubscribe/${signedToken(secret, 'unsubscribe', organizationId, ticketId, userId)}`
}

function readToken(secret: KeyObject, token: string): Subscriber | undefined {
  const [organizationId, ticketId, userId] = readSignedToken(secret, 'unsubscribe', token) ?? []
  return organizationId && ticketId && userId ? { organizationId, ticketId, userId } : undefined
}

/** Opening the link only asks, because mail scanners open links; a POST, by the button or by the mail program, stops the mails. */
export async function serveUnsubscribe(app: FastifyInstance, { db, secret }: System) {
  await app.register(async scope => {
    for (const type of ['application/x-www-form-urlencoded', /^multipart\/form-data/]) {
      scope.addContentTypeParser(type, { bodyLimit: 10_000 }, (_request, payload, done) => {
        payload.resume()
        payload.on('end', () => done(null))
      })
    }
    const routes = { schema: { hide: true } }
    scope.get<{ Params: { token: string } }>('/unsubscribe/:token', routes, (request, reply) =>
      readToken(secret, request.params.token)
        ? page(reply, 200, 'Stop the mails about this ticket?', '<form method="post"><button type="submit">Unsubscribe</button></form>')
        : page(reply, 404, 'This link is not valid', ''),
    )
    scope.post<{ Params: { token: string } }>('/unsubscribe/:token', routes, async (request, reply) => {
      const subscriber = readToken(secret, request.params.token)
      if (!subscriber) return page(reply, 404, 'This link is not valid', '')
      const { organizationId, ticketId, userId } = subscriber
      await sql`
        insert into subscription (organization_id, ticket_id, user_id, enabled)
        select ${organizationId}, t.id, u.id, false from ticket t, user_account u
        where t.organization_id = ${organizationId} and t.id = ${ticketId} and u.id = ${userId}
        on conflict (organization_id, ticket_id, user_id) do update set enabled = false, own = true`.execute(db)
      return page(reply, 200, 'You get no more mails about this ticket', '<p>The switch on the ticket turns them on again.</p>')
    })
  })
}

function page(reply: FastifyReply, status: number, title: string, body: string) {
  const style =
    'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}button{font:inherit;padding:.5rem 1rem}'
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Tessera</title><style nonce="${reply.cspNonce.style}">${style}</style><main><h1>${escapeHtml(title)}</h1>${body}</main></html>`,
    )
}
