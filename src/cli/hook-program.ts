import { messageOf } from '#contract/host-error.ts'
import { say } from './environment.ts'
import { receiveHook } from './receive-hook.ts'

/**
 * `playhead hook`, built to `out/main/hook.js`: small, since each tool call of a session waits for it. Always ends with
 * 0: the agent shows its model the output of a hook that ends with 2.
 */
function report(error: unknown): void {
  say(process, messageOf(error))
}

process.on('uncaughtException', report)
process.stderr.on('error', () => {})
const { stdin, env: variables, platform } = process
await receiveHook({ stdin, variables, platform, now: Date.now }).catch(report)
process.exitCode = 0
