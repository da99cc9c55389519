import { say } from './environment.ts'
import { takeHook } from './take-hook.ts'

/**
 * `playhead hook` as agents start it, built to `out/main/hook.js`: a program of its own, since each tool call of a session waits for it. It ends
 * with 0 whatever happens: Claude Code shows its model what a hook that ends with 2 has said.
 */
function report(error: unknown): void {
  say(process, error instanceof Error ? error.message : String(error))
}

process.on('uncaughtException', report)
process.stderr.on('error', () => {})
const { stdin, env: variables, platform } = process
await takeHook({ stdin, variables, platform, now: Date.now }).catch(report)
process.exitCode = 0
