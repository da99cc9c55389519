import { fstatSync, readFileSync } from 'node:fs'

/** What each agent needs to print its JSON lines without a person, as it was seen (probed with the real ones). */
const needs = {
  claude(args, env) {
    if (!has(args, '-p', '--print')) return refuse(1, 'Error: it would wait for a person: -p is missing')
    if (valueOf(args, '--output-format') !== 'stream-json') return refuse(1, 'Error: no stream-json was asked for')
    if (!has(args, '--verbose')) {
      return refuse(1, 'Error: When using --print, --output-format=stream-json requires --verbose')
    }
    if (has(args, '--dangerously-skip-permissions') && process.getuid?.() === 0 && env.IS_SANDBOX !== '1') {
      return refuse(1, '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons')
    }
    return null
  },
  codex(args) {
    if (args[0] !== 'exec') return refuse(1, 'Error: stdin is not a terminal')
    if (!has(args, '--json')) return refuse(2, 'no --json')
    // A folder that is no repository is refused, and any folder may be asked for.
    if (!has(args, '--skip-git-repo-check')) {
      return refuse(1, 'Not inside a trusted directory and --skip-git-repo-check was not specified.')
    }
    // The real one waits for ever for a pipe to end.
    const stdin = fstatSync(0)
    if (stdin.isFIFO() || stdin.isSocket()) return refuse(99, 'stdin is an open pipe, on which Codex hangs')
    return null
  },
  gemini(args, env) {
    if (valueOf(args, '--output-format', '-o') !== 'stream-json') return refuse(1, 'no stream-json was asked for')
    // It would start a second process, to which signals do not come through.
    if (env.GEMINI_CLI_NO_RELAUNCH !== 'true') return refuse(99, 'GEMINI_CLI_NO_RELAUNCH is not set')
    return null
  }
}

/** How each says that it does not have a session, as it was seen. */
const unknownSession = {
  claude: (id) => refuse(1, `No conversation found with session ID: ${id}`),
  codex: (id) =>
    refuse(1, `Error: thread/resume: thread/resume failed: no rollout found for thread id ${id} (code -32600)`),
  gemini: (id) => refuse(42, `Error resuming session: Invalid session identifier "${id}".`)
}

/** Why an agent whose only session is `session` would not work with these arguments; null: it does. */
export function refusal(agent, args, env, session) {
  const refused = needs[agent](args, env)
  const resumed = resumedBy(agent, args)
  if (refused !== null || resumed === null || resumed === session) return refused
  return unknownSession[agent](resumed)
}

/** The session that it is to go on with; null: a new one. */
function resumedBy(agent, args) {
  if (agent !== 'codex') return valueOf(args, '--resume') ?? null
  // What stands behind "resume" are its own arguments.
  return args.includes('resume') ? (args[args.indexOf('resume') + 1] ?? '') : null
}

/** The prompt, from standard input. Without one, an agent has nothing to do. */
export function prompt(agent) {
  const text = readFileSync(0, 'utf8')
  if (text !== '') return text
  process.stderr.write(`${agent}: Input must be provided through stdin\n`)
  process.exit(1)
}

function refuse(exitCode, said) {
  return { exitCode, said }
}

function has(args, ...names) {
  return names.some((name) => args.includes(name))
}

function valueOf(args, ...names) {
  for (const name of names) {
    const joined = args.find((arg) => arg.startsWith(`${name}=`))
    if (joined !== undefined) return joined.slice(name.length + 1)
    if (args.includes(name)) return args[args.indexOf(name) + 1]
  }
  return undefined
}
