import { existsSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

// node told-agent.js FOLDER: an agent that prints what a test writes into FOLDER, as it is written: `stdout` and `stderr`; it ends
// with the exit code in `exit`. Interrupted it writes a result and ends well, as Claude Code does; where there is a file `stubborn` it does not.
const [folder = ''] = process.argv.slice(2)

process.on('SIGINT', () => {
  if (existsSync(join(folder, 'stubborn'))) return
  copy()
  writeSync(
    1,
    `${JSON.stringify({ type: 'result', subtype: 'error_during_execution', is_error: true, session_id: 's' })}\n`
  )
  process.exit(0)
})
const printed = { stdout: 0, stderr: 0 }
function copy() {
  for (const [name, descriptor] of [
    ['stdout', 1],
    ['stderr', 2]
  ]) {
    const all = existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : Buffer.alloc(0)
    while (printed[name] < all.length) printed[name] += writeSync(descriptor, all, printed[name])
  }
}
setInterval(() => {
  const exit = existsSync(join(folder, 'exit')) ? readFileSync(join(folder, 'exit'), 'utf8') : ''
  copy()
  if (exit !== '') process.exit(Number(exit))
}, 20)
