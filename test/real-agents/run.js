// AGENTS_DIR=… node test/real-agents/run.js [WORD]: starts the real agents through Playhead, alone and in conversations, against a scripted model
// on the loopback interface, and says what was seen. They are installed as ../shared/agent-recorder/README.md says, with that folder beside the
// checkout. WORD: only the checks with it in their name. Where Linux lets it (`unshare`), they have no other network interface. Not a part of
// `npm test`: it needs 870 MB of other people's programs.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const agents = process.env.AGENTS_DIR
if (!agents || !existsSync(agents)) {
  console.error(
    'Set AGENTS_DIR to the folder with the agents (../shared/agent-recorder/README.md says how they get there).'
  )
  process.exit(2)
}
if (!existsSync(join(root, '..', 'shared', 'agent-recorder', 'fake-model-server.mjs'))) {
  console.error('The scripted model is not there: ../shared/agent-recorder beside the checkout.')
  process.exit(2)
}
const words = process.argv.slice(2).flatMap((word) => ['-t', word])
const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url))
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const command = [process.execPath, vitest, 'run', '--config', config, ...words]
// Root in a namespace of its own may set its loopback interface up.
const alone = ['unshare', '--net', '--map-root-user', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const isAlone = spawnSync(alone[0], [...alone.slice(1), 'true']).status === 0
if (!isAlone) console.error('The agents run with the network of this machine: it makes no namespace without one.')
const [program, ...args] = isAlone ? [...alone, ...command] : command
const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
