import { createConnection, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../../src/db/embedded/connection.ts'

/** `cut` breaks every connection and refuses new ones; in a `hole` nothing arrives in either direction. */
type Mode = 'pass' | 'cut' | 'hole'

/** A network that can be interrupted: a TCP proxy in front of a PostgreSQL, which listens on a socket or on TCP. */
export async function tcpProxy({ host = '', port = 5432 }: Connection) {
  let mode: Mode = 'pass'
  let delay = 0
  let opened = Promise.withResolvers<void>()
  opened.resolve()
  const sockets = new Set<Socket>()
  let isHeld = false
  /** What clients sent while held, piece by piece; a piece of PostgreSQL's protocol is a statement. */
  const held: (() => void)[] = []
  let answered = () => {}

  function relay(from: Socket, to: Socket, isClient: boolean) {
    let before: Promise<unknown> = Promise.resolve()
    const inOrder = (deliver: () => void) => {
      before = before.then(async () => {
        if (delay > 0) await sleep(delay)
        await opened.promise
        deliver()
      })
    }
    sockets.add(from)
    from.on('data', chunk => {
      const deliver = () => inOrder(() => to.write(chunk))
      if (isClient && isHeld) return held.push(deliver)
      deliver()
      if (!isClient) answered()
    })
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      inOrder(() => to.destroy())
    })
  }

  const server = createServer(client => {
    if (mode === 'cut') return client.resetAndDestroy()
    const upstream = createConnection(host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port })
    relay(client, upstream, true)
    relay(upstream, client, false)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    port: (server.address() as { port: number }).port,
    set(wanted: Mode, milliseconds = 0) {
      if (mode === 'hole') opened.resolve()
      if (wanted === 'hole') opened = Promise.withResolvers<void>()
      if (wanted === 'cut') for (const socket of sockets) socket.destroy()
      mode = wanted
      delay = milliseconds
    },
    /** From now on, client data waits for `step`. */
    hold() {
      isHeld = true
    },
    held: () => held.length,
    /** Lets one piece through and waits for its answer, or for so long that it must be waiting for a lock: false. */
    async step(timeout: number) {
      const { promise, resolve } = Promise.withResolvers<void>()
      answered = resolve
      held.shift()?.()
      return Promise.race([promise.then(() => true), sleep(timeout, false)])
    },
    release() {
      isHeld = false
      for (const deliver of held.splice(0)) deliver()
    },
    async [Symbol.asyncDispose]() {
      opened.resolve()
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
