import * as contract from '@tessera/contract/projects/live'
import { implement } from '../../http/implement.ts'
import { credentialsOf } from '../../http/session-cookie.ts'
import type { Credentials } from '../../lib/authorize.ts'

export const events = implement(contract.events, async ({ scope, system, input, request, reply }) => {
  // The session has just been proved with these credentials.
  const credentials = credentialsOf(system.config, request) as Credentials
  const stream = await system.live.subscribe(credentials, scope.userId, Number(input.behind ?? 0))
  request.raw.once('close', () => stream.destroy())
  reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store').header('x-accel-buffering', 'no')
  return stream
})
