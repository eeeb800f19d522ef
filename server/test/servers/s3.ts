import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
// @ts-expect-error The package has no types.
import S3rver from 's3rver'

interface Server {
  run(): Promise<{ port: number }>
  close(): Promise<void>
}

const bucket = 'attachments'

/** A real S3 server on loopback with one bucket; `setting` is its TESSERA_STORAGE. */
export async function startS3() {
  const directory = mkdtempSync(path.join(tmpdir(), 'tessera-test-s3-'))
  const server: Server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] })
  const { port } = await server.run()
  return {
    setting: `s3://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}?region=us-east-1&tls=0`,
    /** The folder of its objects. */
    directory,
    stop: () => server.close(),
    async [Symbol.asyncDispose]() {
      await server.close().catch(() => undefined)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
