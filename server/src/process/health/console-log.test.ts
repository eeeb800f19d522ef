import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isLinux } from '../../../test/postgres/embedded.ts'
import { temporaryDirectory } from '../../../test/servers/process.ts'

const source = new URL('console-log.ts', import.meta.url).href
const lines = Array.from({ length: 5000 }, (_, number) => `line ${number} ${'x'.repeat(90)}\n`)
const ending = 'the last line\n'

/** A process that writes half a megabyte of lines, or another number of them, then a last one, and exits with 3. */
function startWriter(output: number | 'pipe', count = lines.length) {
  const script = `
    import { consoleLog, writeOutLog } from ${JSON.stringify(source)}
    console.log('begun')
    for (let n = 0; n < ${count}; n++) consoleLog.write('line ' + n + ' ' + 'x'.repeat(90) + '\\n')
    consoleLog.write(${JSON.stringify(ending)})
    await Promise.race([writeOutLog(), new Promise(done => setTimeout(done, 1000))])
    process.exit(3)`
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', output, 'inherit'] })
  return { child, code: new Promise(resolve => child.on('exit', resolve)) }
}

test('the log has all lines in their order, also the last before the exit', async () => {
  using place = temporaryDirectory()
  const file = path.join(place.folder, 'log')
  // With 50, the last line comes while the ones before it are being written.
  for (const count of [lines.length, 50]) {
    expect(await startWriter(openSync(file, 'w'), count).code).toBe(3)
    expect(readFileSync(file, 'utf8')).toBe(`begun\n${lines.slice(0, count).join('')}${ending}`)
  }

  const piped = startWriter('pipe')
  let output = ''
  piped.child.stdout?.setEncoding('utf8').on('data', text => (output += text))
  await new Promise(resolve => piped.child.on('close', resolve))
  expect(output).toBe(`begun\n${lines.join('')}${ending}`)
})

test.skipIf(!isLinux).each([
  ['a full disk', () => startWriter(openSync('/dev/full', 'w'))],
  ['a reader that has stopped', () => startWriter('pipe')],
  [
    'a reader that is gone',
    () => {
      const writer = startWriter('pipe')
      writer.child.stdout?.destroy()
      return writer
    },
  ],
])('%s costs the log, and neither ends the process nor holds up its exit', async (_, start) => {
  expect(await start().code).toBe(3)
})
