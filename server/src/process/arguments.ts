import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from '../operator-error.ts'
import { explain, explainUsage } from './explain.ts'

export const startHelp = `tessera start [--demo]
    Starts the product; so does tessera without a command. All settings are environment variables: docs/operations.md lists them.
    --demo  with the data of a sample organization, in ./demo-data; prints who can sign in`

/** Node's parseArgs, which lets the last of a repeated option win: one that is not `multiple` may be given once. */
export function parseArguments<T extends ParseArgsConfig>(config: T) {
  const parsed = parseArgs(config)
  const { tokens } = parseArgs({ ...config, tokens: true as const })
  const given = (tokens ?? []).flatMap(token => (token.kind === 'option' ? [token.name] : []))
  const repeated = given.find((name, place) => given.indexOf(name) < place && !config.options?.[name]?.multiple)
  if (repeated !== undefined) throw new UsageError(`Give --${repeated} once.`)
  return parsed
}

/** What each file in commands/ exports. */
interface Command {
  help: string
  run(argv: string[]): Promise<number | undefined>
}

/** Runs the operator's command of this name, or prints its help. Returns the exit code: 1 when the command failed, 2 when it was called incorrectly. */
export async function runCommand(name: string, argv: string[]): Promise<number> {
  try {
    const { help, run }: Command = await import(`../commands/${name}.ts`)
    if (!argv.includes('--help') && !argv.includes('-h')) return (await run(argv)) ?? 0
    console.log(help)
    return 0
  } catch (error) {
    const usage = explainUsage(error, name)
    console.error(usage ?? explain(error))
    return usage === null ? 1 : 2
  }
}

/** The arguments of `tessera start`. Ends the process when they only ask for help or are wrong. */
export function readStartArguments(argv: string[]) {
  try {
    const { values } = parseArguments({
      args: argv,
      options: { demo: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
    })
    if (!values.help) return values
    console.log(startHelp)
  } catch (error) {
    console.error(explainUsage(error, 'start'))
    process.exit(2)
  }
  process.exit(0)
}
