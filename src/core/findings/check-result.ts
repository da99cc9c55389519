import { toolOutput } from '../index/tool-output.ts'
import type { CallEnd } from './seen-event.ts'

/** Characters searched at the end of an output, and of a line: that is where runners sum up. */
const tailLength = 20_000
const maxLine = 1000
/** Longer outputs are not searched for whether their command still runs. */
const longOutput = 100_000

/** Lines that tell how a check went, and what stands in each of them, which is fast to find. */
interface Telling {
  readonly part: RegExp
  readonly line: RegExp
}

/** What only a failed check prints. */
const failedLines: Telling = {
  part: /fail|FAIL|error|ELIFE|problem|\*\*\*/g,
  line: /test result: FAILED|error TS\d{1,6}:|error\[E\d{1,6}\]|^Tests?:? {1,10}(?:\d{1,9} \w{1,10}, )*\d{1,9} failed|^BUILD FAILED|^FAILED \S|^={2,40} .{0,200}\d{1,9} (?:failed|errors?)\b.{0,100}={2,40}$|^--- FAIL: |^FAIL\t|^# fail [1-9]|npm ERR! code ELIFECYCLE|^\d{1,9} failing$|✖ \d{1,9} problems? \([1-9]|^Found [1-9]\d{0,8} errors?\b|^make(?:\[\d{1,4}\])?: \*\*\* /
}
/** What only a check that passed prints. */
const passedLines: Telling = {
  part: /ok|pass|SUCCESS|Success|fail 0|Found 0/g,
  line: /test result: ok|^Tests?:? {1,10}\d{1,9} passed|^BUILD SUCCESS|^={2,40} \d{1,9} passed\b(?!.{0,100}(?:failed|error)).{0,100}={2,40}$|^ok  \t|^# fail 0$|^\d{1,9} passing\b|^All checks passed!|^Success: no issues found|^Found 0 (?:warnings and 0 )?errors/
}

/** Whether the check of a call failed or passed; null: it has none, or the log does not tell. */
export function checkResult({ call, counts, outcome, mayHideFailure }: CallEnd): 'failed' | 'passed' | null {
  if (counts === 'neither' || outcome.refused !== null || outcome.interrupted) return null
  const { check } = call
  if (check === null || (outcome.text.length < longOutput && toolOutput(outcome.text).running)) return null
  if (!check.masked) return counts === 'failed' ? 'failed' : 'passed'
  if (mayHideFailure || saysFailed(outcome.text)) return 'failed'
  return counts === 'done' && tells(passedLines, outcome.text.slice(-tailLength)) ? 'passed' : null
}

/** Whether an output reads like that of a failed check. */
export function saysFailed(output: string): boolean {
  return tells(failedLines, output.length > tailLength ? output.slice(-tailLength) : output)
}

function tells({ part, line }: Telling, text: string): boolean {
  part.lastIndex = 0
  for (let found = part.exec(text); found !== null; found = part.exec(text)) {
    const begin = text.lastIndexOf('\n', found.index) + 1
    const next = text.indexOf('\n', found.index)
    const end = next < 0 ? text.length : next
    if (line.test(text.slice(begin, Math.min(end, begin + maxLine)))) return true
    part.lastIndex = end
  }
  return false
}
