import { expect, test } from 'vitest'
import { tessera } from '../../test/servers/command.ts'
import { addressOf } from '../../test/servers/process.ts'
import { startServer } from '../../test/servers/server.ts'

test('the doctor asks for PUBLIC_URL where others can reach the server, not on a loopback address', async () => {
  await using server = await startServer()
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data }
  const addressLines = async (HOST: string) => (await tessera({ ...settings, HOST }, 'doctor')).output.match(/^\w+ +address .*$/gm)
  for (const host of ['127.0.0.1', 'localhost', '::1']) expect(await addressLines(host)).toEqual([expect.stringMatching(/^ok /)])
  for (const host of ['0.0.0.0', '::', '192.0.2.1'])
    expect(await addressLines(host)).toContainEqual(expect.stringMatching(/^look .* set PUBLIC_URL\.$/))
})
