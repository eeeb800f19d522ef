import { explain, UsageError } from './operator-error.ts'

/** Each command is a file of its name in commands/, which exports `run(argv)`. */
const commands: Record<string, string> = {
  user: 'create a user, or make a link with which one sets a new password',
  sessions: "end a person's sessions, or everybody's",
  import: "read a project's tickets from Jira's CSV export",
  backup: 'write the database and the attachments to one file, while the server runs',
  restore: 'read a backup into an empty installation, or prove that one can be read',
  doctor: 'check this installation and say what to do',
  storage: "say whether the storage of attachments is this database's, claim it, or clean it up",
  distribute: 'spread an external database over the servers of a Citus cluster, by organization',
  migrate: 'bring the database to the schema of this program',
}

const [name, ...argv] = process.argv.slice(2)
try {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    console.log(usage())
  } else if (!Object.hasOwn(commands, name)) {
    throw new UsageError(`There is no command "${name}": tessera --help lists them.`)
  } else {
    const { run } = (await import(`./commands/${name}.ts`)) as { run: (argv: string[]) => Promise<number | undefined> }
    process.exitCode = (await run(argv)) ?? 0
  }
} catch (error) {
  console.error(isUnknownOption(error) ? `${(error as Error).message.split('\n')[0]} (tessera ${name} --help)` : explain(error))
  process.exitCode = error instanceof UsageError || isUnknownOption(error) ? 2 : 1
}

function usage() {
  const width = Math.max(...Object.keys(commands).map(command => command.length))
  return [
    'tessera <command> …   (tessera <command> --help says more)',
    '',
    ...Object.entries(commands).map(([command, purpose]) => `  ${command.padEnd(width)}  ${purpose}`),
    '',
    'The settings are those of the server: TESSERA_DATA, DATABASE_URL and the others of docs/operations.md.',
  ].join('\n')
}

function isUnknownOption(error: unknown) {
  return String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
}
