import process from 'node:process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from '../../bin/prepare.js'

/**
 * A process that runs `playhead serve` for one test after the other: to load its code takes longer than all that most tests ask of it.
 * A message gives the arguments and the environment; the address is printed as ever. "stop" is answered when all have ended.
 */
const script = join(root, 'bin/playhead.js')
const program = pathToFileURL(join(root, 'out/main/cli.js')).href
const built = prepare()
// Each server adds its listeners to what all share.
for (const shared of [process, process.stdout, process.stderr]) shared.setMaxListeners(0)
let starts = 0
let running = []

process.on('message', (message) => {
  if (message === 'stop') {
    process.emit('SIGTERM', 'SIGTERM')
    void Promise.all(running).then(() => process.send('stopped'))
    running = []
    return
  }
  const { args, env } = message
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, script, ...args]
  // The command line runs when it is imported; what it imports stays.
  running.push(built.then(() => import(`${program}?${++starts}`)))
})
process.once('disconnect', () => process.exit())
