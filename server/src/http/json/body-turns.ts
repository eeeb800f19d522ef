import type { FastifyReply } from 'fastify'
import { Failure } from '../../lib/failure.ts'
import { limitPerKey } from '../../lib/turns.ts'

const atOncePerPerson = 2
const mostWaiting = 200
/** In milliseconds. A body that comes more slowly keeps nobody busy, and others may come meanwhile: its connection may be dead. */
const longestTurn = 3000

/**
 * Large bodies of a person take turns within a process until they are read and checked: one of 4 MB keeps the process busy for up to a tenth of a
 * second, whatever its sender may do. A body that waits stays with the client.
 */
export function bodyTurns(longest = longestTurn) {
  const inTurn = limitPerKey(
    atOncePerPerson,
    mostWaiting,
    `Too many of your large requests are waiting: at most ${atOncePerPerson} are read at once`,
  )
  /** Resolves when the body may be read, with what ends the turn; so does the end of the request, or of the longest turn. */
  return (userId: number, reply: FastifyReply) =>
    new Promise<() => void>((resolve, reject) => {
      const gone = new AbortController()
      const over = untilOver(reply)
      void over.then(() => gone.abort(new Failure('throttled', 'The client has not waited')))
      const { promise: read, resolve: end } = Promise.withResolvers<void>()
      const work = () => {
        resolve(end)
        const timer = setTimeout(end, longest)
        return Promise.race([read, over]).finally(() => clearTimeout(timer))
      }
      inTurn(userId, work, gone.signal).catch(reject)
    })
}

/** Resolves when the request is answered, or its connection closed: of a request that came behind another one on the same connection, only that tells. */
function untilOver({ raw, request }: FastifyReply) {
  const { socket } = request.raw
  return new Promise<void>(resolve => {
    const end = () => {
      socket.off('close', end)
      resolve()
    }
    raw.once('finish', end)
    raw.once('close', end)
    socket.once('close', end)
    if (socket.destroyed) end()
  })
}
