import { createServer } from 'node:net'
import { type Config, readConfig } from '../config.ts'
import { OperatorError } from '../operator-error.ts'

/** Refuses a port in use before anything is started, and chooses one if any will do. */
export async function withPort(config: Config): Promise<Config> {
  const server = createServer()
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.once('error', reject)
  server.listen({ port: config.port, host: config.host }, () => resolve((server.address() as { port: number }).port))
  try {
    const port = await promise
    await new Promise(done => server.close(done))
    return config.port === 0 ? readConfig({ ...process.env, PORT: String(port), TESSERA_DATA: config.data }) : config
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new OperatorError(`PORT: ${config.port} is in use by another program: stop that one, or set PORT to another number.`)
    if (code === 'EACCES')
      throw new OperatorError(
        `PORT: this user may not listen on ${config.port}: set PORT to 1024 or more and put a reverse proxy in front.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new OperatorError(`HOST: '${config.host}' is not an address of this machine: give 127.0.0.1, 0.0.0.0 or one of its own.`)
    throw new OperatorError(`HOST and PORT: cannot listen on ${config.host}:${config.port} (${message}).`)
  }
}
