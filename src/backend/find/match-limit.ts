import { Script } from 'node:vm'
import { MatchGuard, type RunWithin } from '#queries/find/match-guard.ts'

/** Where the script finds what it runs. */
const name = Symbol.for('playhead.limited-work')
const script = new Script("globalThis[Symbol.for('playhead.limited-work')]()")

/** Node ends a script after a time, also inside an expression. */
const runWithin: RunWithin = (ms, work) => {
  Object.defineProperty(globalThis, name, { value: work, configurable: true })
  try {
    script.runInThisContext({ timeout: Math.max(1, Math.ceil(ms)) })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  } finally {
    Reflect.deleteProperty(globalThis, name)
  }
}

/** The guard of a thread. */
export function matchGuard(): MatchGuard {
  return new MatchGuard(runWithin, async () => (await import('#core/query/linear-regex.ts')).linearExpression)
}
