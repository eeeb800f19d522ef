import { createServer } from 'node:net'

/** A port on which nothing is listening at the moment. */
export function freePort() {
  return new Promise<number>((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })
}
