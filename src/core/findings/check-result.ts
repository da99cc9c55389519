import type { CallEnd } from './rule.ts'

/** Characters searched at the end of an output: that is where runners sum up. */
const tailLength = 20_000

/** What only a failed check prints. */
const failedText =
  /test result: FAILED|error TS\d{1,6}:|error\[E\d{1,6}\]|^Tests?:? {1,10}(?:\d{1,9} \w{1,10}, )*\d{1,9} failed|^BUILD FAILED|^FAILED \S|^={2,40} .{0,200}\d{1,9} (?:failed|errors?)\b.{0,100}={2,40}$|^--- FAIL: |^FAIL\t|^# fail [1-9]|npm ERR! code ELIFECYCLE|^\d{1,9} failing$|✖ \d{1,9} problems? \([1-9]|^Found [1-9]\d{0,8} errors?\b|^make(?:\[\d{1,4}\])?: \*\*\* /m
/** What only a check that passed prints. */
const passedText =
  /test result: ok|^Tests?:? {1,10}\d{1,9} passed|^BUILD SUCCESS|^={2,40} \d{1,9} passed\b(?!.{0,100}(?:failed|error)).{0,100}={2,40}$|^ok  \t|^# fail 0$|^\d{1,9} passing\b|^All checks passed!|^Success: no issues found|^Found 0 (?:warnings and 0 )?errors/m

/** Whether the check of a call failed or passed; null: it has none, or the log does not tell. */
export function checkResult({ call, counts, outcome, running }: CallEnd): 'failed' | 'passed' | null {
  if (call.check === null || running || counts === 'neither' || outcome.refused !== null || outcome.interrupted)
    return null
  if (!call.check.masked) return counts === 'failed' ? 'failed' : 'passed'
  const tail = outcome.text.slice(-tailLength)
  if (failedText.test(tail)) return 'failed'
  return counts === 'done' && passedText.test(tail) ? 'passed' : null
}
