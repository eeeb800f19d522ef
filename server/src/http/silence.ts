import { Socket } from 'node:net'

/**
 * Runs `work`, which answers a request. Meanwhile the connection may be silent for as long as that takes, because it is the client who waits.
 * `seconds` is the limit that applies again afterwards, 0 for none.
 */
export async function withoutSilenceLimit<T>(socket: Socket, seconds: number, work: () => Promise<T>): Promise<T> {
  // An injected request, without a network, has no real socket.
  if (!(socket instanceof Socket)) return work()
  socket.setTimeout(0)
  try {
    return await work()
  } finally {
    socket.setTimeout(seconds * 1000)
  }
}
