import { expect, test } from 'vitest'
import { startProcess, temporaryDirectory, tessera } from '../test/process.ts'

test('the commands work beside a running server, and alone', async () => {
  using place = temporaryDirectory()
  const settings = { TESSERA_DATA: place.folder, TESSERA_ADMIN_LOGIN: 'root', TESSERA_ADMIN_PASSWORD: 'correct horse battery' }
  {
    await using server = startProcess(settings)
    const address = await server.ready()
    const made = await tessera({ ...settings, PUBLIC_URL: address }, 'user', 'create', 'ann', '--email', 'ann@example.com', '--admin')
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Made the user "ann" in "My organization".') })
    expect(made.output).toMatch(/\/reset-password-verify\/[\w-]{43}\n/)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect(await tessera(settings, 'user', 'create', 'ANN')).toMatchObject({
      code: 1,
      output: 'The login "ANN" is taken: choose another.\n',
    })
    expect(await tessera(settings, 'sessions', 'revoke', '--all')).toMatchObject({ code: 0, output: 'Ended 0 sessions.\n' })
  }
  const alone = await tessera(settings, 'user', 'reset-link', 'Ann')
  expect(alone).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^"ann" sets a password here, once, within 15 minutes:\n {2}http:\S+\n$/),
  })
  expect(await tessera(settings, 'migrate')).toMatchObject({ code: 0, output: 'The database is up to date.\n' })
})

test('every mistake is one line with an exit code', async () => {
  const cases = [
    [['nonsense'], 1, 'There is no command "nonsense": tessera --help lists them.'],
    [['user'], 1, 'Say tessera user create LOGIN'],
    [['user', 'create', 'a b'], 1, 'The login "a b" must be 1 to 100 characters without blanks.'],
    [['user', 'create', 'ann', '--email', 'x'], 1, '--email: "x" is not an e-mail address.'],
    [['user', '--colour', 'red'], 2, "Unknown option '--colour'"],
    [['sessions', 'revoke'], 1, 'Say tessera sessions revoke --user LOGIN'],
    [['migrate'], 1, 'DATABASE_URL: nothing answers at 127.0.0.1:1'],
  ] as const
  for (const [args, code, line] of cases) {
    const end = await tessera({ DATABASE_URL: 'postgres://a@127.0.0.1:1/b' }, ...args)
    expect(end.output.trim().split('\n')).toEqual([expect.stringContaining(line)])
    expect(end.code).toBe(code)
  }
  expect(await tessera({}, '--help')).toMatchObject({ code: 0, output: expect.stringContaining('sessions') })
})
