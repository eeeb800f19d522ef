import { vi } from 'vitest'
import { runCommand } from '../../src/process/arguments.ts'
import { type Environment, environment, type Finished } from './process.ts'

/**
 * The operator's command in this process, as `cli.ts` runs it: a process of its own takes half a second of processor time more. One at a time,
 * because the settings are this process's meanwhile.
 */
export async function tessera(settings: Environment, ...args: string[]): Promise<Pick<Finished, 'code' | 'output'>> {
  const [name = '', ...argv] = args
  let output = ''
  const print = (line: string) => {
    output += `${line}\n`
  }
  const printing = [vi.spyOn(console, 'log').mockImplementation(print), vi.spyOn(console, 'error').mockImplementation(print)]
  const { env } = process
  const handlers = signals.map(signal => process.listeners(signal))
  process.env = environment(settings)
  try {
    return { code: await runCommand(name, argv), output }
  } finally {
    process.env = env
    for (const each of printing) each.mockRestore()
    for (const [index, signal] of signals.entries())
      for (const handler of process.listeners(signal)) if (!handlers[index]?.includes(handler)) process.off(signal, handler)
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const
