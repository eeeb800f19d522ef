import { version } from './lib/version.ts'
import { runCommand, startHelp } from './process/arguments.ts'

/** Each command is a file of its name in commands/. */
const commands: Record<string, string> = {
  user: 'create a user, or a link to set a new password',
  sessions: "end a person's sessions, or everybody's",
  import: "import a project's tickets from Jira's CSV export",
  backup: 'write the database and the attachments to one file, while the server runs',
  restore: 'restore a backup into an empty installation, or prove that it can be restored',
  doctor: 'check this installation and say what to do',
  storage: 'check whether the storage of attachments belongs to this database, claim it, or clean it up',
  distribute: 'distribute an external database over the servers of a Citus cluster, by organization',
  migrate: 'migrate the database to the schema of this program',
}

// The command completes its work even if its output cannot be written, and then ends with 1, unless only the reader, such as `head`, has exited.
// A pipe reports errors by an event; a file throws them, and the console ignores that.
let unwritten: NodeJS.ErrnoException | undefined
const noteUnwritten = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error
}
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
  stream.on('error', noteUnwritten)
  stream.write = (...given: unknown[]) => {
    try {
      return write(...given)
    } catch (error) {
      noteUnwritten(error as NodeJS.ErrnoException)
      return true
    }
  }
}
process.on('exit', () => {
  if (!unwritten) return
  console.error(`The output of this command could not be written (${unwritten.message}).`)
  process.exitCode ||= 1
})

const [first, ...rest] = process.argv.slice(2)
// `tessera help import` is `tessera import --help`.
const [name, argv] = first === 'help' && rest[0] !== undefined ? [rest[0], ['--help']] : [first, rest]
if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
  console.log(usage())
} else if (name === '--version') {
  console.log(version)
} else if (name === 'start') {
  console.log(startHelp)
} else if (Object.hasOwn(commands, name)) {
  process.exitCode = await runCommand(name, argv)
} else {
  console.error(`There is no command "${name}": tessera --help lists them.`)
  process.exitCode = 2
}

function usage() {
  const listed = Object.entries({ 'start [--demo]': 'start the product, with the data of a sample organization if you like', ...commands })
  const width = Math.max(...listed.map(([command]) => command.length))
  return [
    'tessera <command> …   (tessera <command> --help says more, tessera --version which release this is)',
    '',
    ...listed.map(([command, purpose]) => `  ${command.padEnd(width)}  ${purpose}`),
    '',
    'The settings are those of the server: TESSERA_DATA, DATABASE_URL and the others of docs/operations.md.',
  ].join('\n')
}
