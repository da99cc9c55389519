import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery } from '../query/parse-query.ts'
import { RowQuery } from '../query/row-query.ts'
import { yes } from '../query/row-term.ts'
import {
  answer,
  bash,
  call,
  edit,
  eventsOf,
  findingsOf,
  indexOf,
  prompt,
  type Step,
  turnDone
} from '../../../test/findings-of.ts'
import { findingRules, ruleNames } from './finding.ts'

const told = (...steps: readonly (Step | readonly Step[])[]): [string, readonly number[]][] =>
  findingsOf(steps.flat()).map(({ rule, events }) => [rule, events])
const rulesIn = (...steps: readonly (Step | readonly Step[])[]): string[] => told(...steps).map(([rule]) => rule)

const fail = 'Exit code 1\nerror: it broke'
const todos = (...statuses: readonly ('pending' | 'in_progress' | 'completed')[]): Step => ({
  type: 'todo_list',
  todoId: 'todo',
  items: statuses.map((status, i) => ({ text: `item ${i}`, status }))
})
const times = (count: number, step: readonly Step[]): Step[] => Array.from({ length: count }, () => step).flat()

test('every rule has two sentences', () => {
  for (const name of ruleNames) expect(findingRules[name].why.match(/[.?](?: |$)/g), name).toHaveLength(2)
})

describe('repeated-failure', () => {
  test('the same call with the same error', () => {
    expect(told(prompt, bash('npm run build', fail), bash('npm run build', fail))).toEqual([
      ['repeated-failure', [1, 3]]
    ])
  })

  test.each([
    ['a prompt between', [prompt]],
    ['an edit between', edit('a.ts')],
    ['a subagent between', call('Task', { prompt: 'x' })],
    ['an install between', bash('npm install')],
    ['a success between', bash('npm run build')],
    ['another error between', bash('npm run build', 'Exit code 2\nerror: other')]
  ])('not with %s', (_what, between) => {
    expect(rulesIn(prompt, bash('npm run build', fail), between, bash('npm run build', fail))).not.toContain(
      'repeated-failure'
    )
  })

  test('times and durations of the results may differ', () => {
    const at = (time: string): string => `Exit code 1\n[${time}] error: it broke in 1${time.at(-1)} ms`
    expect(rulesIn(bash('npm test', at('10:00:01')), bash('ls'), bash('npm test', at('10:00:02')))).toContain(
      'repeated-failure'
    )
  })

  test('a search that finds nothing did not fail', () => {
    expect(told(times(3, bash('grep -r x .', 'Exit code 1')))).toEqual([])
  })

  test('another agent between does not matter', () => {
    const other = call('Edit', { file_path: 'a' }, null, 'ok', 'sub')
    expect(rulesIn(bash('make', fail), other, bash('make', fail))).toEqual(['repeated-failure'])
  })
})

test('failure-series: three failed calls in a row, whatever they are', () => {
  expect(told(bash('a', fail), bash('b', fail), bash('c', fail))).toEqual([['failure-series', [0, 2, 4]]])
  expect(told(bash('a', fail), bash('b', fail), bash('ls'), bash('c', fail))).toEqual([])
  const sibling = '<tool_use_error>Sibling tool call errored</tool_use_error>'
  expect(told(bash('a', fail), bash('b', sibling), bash('c', sibling), bash('d', sibling))).toEqual([])
})

test('refused: one finding, which says by whom', () => {
  const byUser = "The user doesn't want to proceed with this tool use."
  const found = findingsOf([
    ...bash('a', byUser),
    ...bash('b', 'This command requires approval'),
    ...call('ExitPlanMode', {}, byUser)
  ])
  expect(found).toMatchObject([{ rule: 'refused', events: [0, 2], facts: { calls: 2, byUser: 1, byRules: 1 } }])
})

test.each([
  [
    'This Bash command contains multiple operations. The following parts require approval: node --test, rm a',
    { byRules: 1 }
  ],
  ['This Bash command contains multiple operations. The following part requires approval: rm a', { byRules: 1 }],
  ['declined', { byUser: 1 }],
  ['User denied access outside working directory', { byUser: 1 }]
])('refused: %s', (error, facts) => {
  expect(findingsOf(bash('ls', error))).toMatchObject([{ rule: 'refused', facts }])
})

test('refused: the sentence is true of a command that a signal stopped, which reads like one that a person refused', () => {
  const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected."
  expect(findingsOf(bash('sleep 47', rejected))).toMatchObject([
    { text: '1 call refused or stopped (1 by the user), the first: Bash: sleep 47' }
  ])
  expect(findingsOf(bash('b', 'This command requires approval'))).toMatchObject([
    { text: '1 call refused (1 by rules), the first: Bash: b' }
  ])
})

test('refused: not a call that ran and was stopped, though its result begins with the same words', () => {
  // Claude Code 2.1.330, interactive, interrupted while `node` ran.
  const stopped = `The user doesn't want to proceed with this tool use. The tool use was rejected. Correction to the text above: this call was stopped while running, not refused before it ran.`
  expect(rulesIn(bash('node', stopped))).toEqual([])
  const agent = call('Task', { prompt: 'look' }, stopped)
  expect(findingsOf(agent)).toMatchObject([{ rule: 'subagent-failed', facts: { interrupted: true, refused: null } }])
})

describe('checks', () => {
  const round = [...edit('a.ts'), ...bash('npm test', fail)]

  test('edit-check-fail: three rounds in one prompt', () => {
    const found = findingsOf([prompt, ...times(3, round), ...edit('a.ts'), ...bash('npm test')])
    expect(found.filter(({ rule }) => rule === 'edit-check-fail')).toMatchObject([
      { events: [3, 7, 11], facts: { rounds: 3, passed: true } }
    ])
    expect(rulesIn(prompt, times(2, round), prompt, round)).not.toContain('edit-check-fail')
    expect(rulesIn(prompt, times(2, round), edit('a'), bash('npm test'), round)).not.toContain('edit-check-fail')
  })

  test('edit-check-fail: an output that sums up tells what a pipe hides', () => {
    const masked = (output: string): Step[] => [...edit('a.ts'), ...bash('npm test 2>&1 | tail -5', null, output)]
    expect(rulesIn(prompt, times(3, masked('Tests: 3 failed, 1 passed')))).toContain('edit-check-fail')
    expect(rulesIn(prompt, times(3, masked('…')))).toEqual([])
  })

  test('last-test-failed: nothing after it may have tested', () => {
    expect(told(bash('npm test', fail), bash('git status'), answer)).toEqual([['last-test-failed', [0]]])
    expect(rulesIn(bash('npm test', fail), bash('./check.sh'))).toEqual([])
    expect(rulesIn(bash('npm test', fail), bash('npm test'))).toEqual([])
    expect(rulesIn(bash('npm test', fail), call('Task', { prompt: 'x' }))).toEqual([])
    expect(rulesIn(bash('./gradlew build -x test', fail))).toEqual([])
  })
})

describe('todos', () => {
  test('open at the end: only after a turn that ended normally', () => {
    expect(told(todos('completed', 'pending'), turnDone)).toEqual([['todo-open-at-end', [0]]])
    expect(told(todos('completed', 'pending'))).toEqual([])
    expect(told(todos('completed', 'pending'), { type: 'turn.completed', finishReason: 'cancelled' })).toEqual([])
    expect(told(todos('completed'), turnDone)).toEqual([])
  })

  test('forgotten after 50 calls', () => {
    expect(told(todos('pending'), times(50, bash('ls')))).toEqual([['todo-forgotten', [0]]])
    expect(told(todos('pending'), times(49, bash('ls')))).toEqual([])
  })

  test('completed without a call, and several in progress', () => {
    expect(rulesIn(todos('in_progress'), todos('completed'))).toEqual(['todo-completed-idle'])
    expect(rulesIn(todos('in_progress'), bash('ls'), todos('completed'))).toEqual([])
    expect(rulesIn(todos('in_progress', 'in_progress'), bash('ls'), todos('in_progress', 'in_progress'))).toEqual([
      'todo-two-in-progress'
    ])
  })
})

test('subagent-failed: its call failed, or its caller went on without a result', () => {
  expect(told(call('Task', { prompt: 'x' }, 'it broke'))).toEqual([['subagent-failed', [0, 1]]])
  const open: Step = { type: 'tool.started', toolName: 'Task', toolId: 'open', input: { prompt: 'x' } }
  expect(told(prompt, open, prompt, answer)).toEqual([['subagent-failed', [1]]])
  expect(told(prompt, open)).toEqual([])
  expect(told(prompt, open, bash('ls'))).toEqual([])
})

test('turn-failed: with the error before it', () => {
  const found = findingsOf([
    { type: 'error', error: 'Reached maximum number of turns (3)', code: 'error_max_turns' },
    { type: 'turn.completed', finishReason: 'error' }
  ])
  expect(found).toMatchObject([{ rule: 'turn-failed', events: [1], facts: { limit: true, code: 'error_max_turns' } }])
})

test('turn-ends-on-failure and call-without-result are information', () => {
  expect(rulesIn(prompt, bash('ls x', fail), answer, turnDone)).toEqual(['turn-ends-on-failure'])
  const open: Step = { type: 'tool.started', toolName: 'Read', toolId: 'open', input: { file_path: 'x' } }
  expect(rulesIn(prompt, open, prompt, answer)).toEqual(['call-without-result'])
})

test('destructive: with what became of it', () => {
  const outcomes = findingsOf([
    ...bash('rm -rf src'),
    ...bash('rm -rf src', fail),
    ...bash('rm -rf /tmp/x'),
    { type: 'tool.started', toolName: 'Bash', toolId: 'o', input: { command: 'git push -f' } }
  ])
  expect(outcomes.map(({ rule, facts }) => [rule, facts['outcome']])).toEqual([
    ['destructive', 'ran'],
    ['destructive', 'failed'],
    ['destructive-temporary', 'ran'],
    ['destructive', 'no result']
  ])
})

test('write-sensitive: an edit that did not fail', () => {
  expect(
    rulesIn(edit('/home/me/.ssh/config'), edit('~/.zshrc'), edit('/etc/hosts'), edit('a/.git/hooks/pre-commit'))
  ).toHaveLength(4)
  const ofWindows = [
    ...[String.raw`c:\Users\Ada\.ssh\config`, 'C:/users/Ada/.aws/credentials', String.raw`\\?\C:\Users\Ada\.npmrc`],
    ...['/c/Users/Ada/.ssh/config', '/mnt/c/Users/Ada/.gitconfig', String.raw`~\.zshrc`],
    ...[String.raw`\\wsl$\Ubuntu\home\ada\.ssh\config`, String.raw`C:\Windows\System32\drivers\etc\hosts`],
    String.raw`C:\w\.git\hooks\pre-commit`
  ]
  expect(rulesIn(...ofWindows.map((path) => edit(path)))).toHaveLength(ofWindows.length)
  expect(rulesIn(edit(String.raw`C:\w\x\.ssh\config`), edit(String.raw`/w/a\.git\hooks\x`))).toEqual([])
  expect(rulesIn(edit('/home/me/.ssh/config', 'no'), edit('src/etc/hosts'), edit('/home/me/x/.zshrc'))).toEqual([])
})

test('large-result: counted in bytes', () => {
  expect(rulesIn(bash('cat a', null, 'ä'.repeat(26_000)))).toEqual(['large-result'])
  expect(rulesIn(bash('cat a', null, 'a'.repeat(51_200)))).toEqual([])
})

test('idle: a gap within a turn, told by what was open', () => {
  const at = (minute: number): { at: number } => ({ at: minute * 60_000 })
  const [started, completed] = bash('make')
  if (started === undefined || completed === undefined) throw new Error('no call')
  const found = findingsOf([
    { ...prompt, ...at(0) },
    { ...started, ...at(1) },
    { ...completed, ...at(8) },
    { ...answer, ...at(9) },
    { ...turnDone, ...at(9) },
    { ...prompt, ...at(60) }
  ])
  expect(found).toMatchObject([{ rule: 'idle', text: 'No event for 7 min while Bash was open', events: [1, 2] }])
})

test('queries ask for the rows of findings, and of information only by its rule', () => {
  const index = indexOf(eventsOf([prompt, ...bash('make', fail), ...bash('make', fail), ...bash('rm -rf /tmp/x')]))
  const rowsOf = (text: string): number[] => {
    const truths = new Uint8Array(index.rows.rows)
    new RowQuery(parseQuery(text, 'rows').query, { index, format: 'normalized' }).fill(0, truths)
    return [...truths.keys()].filter((row) => truths[row] === yes)
  }
  expect(rowsOf('has:finding')).toEqual([1, 3])
  expect(rowsOf('finding:repeated-failure')).toEqual([1, 3])
  expect(rowsOf('finding:(idle OR destructive-temporary)')).toEqual([5])
  expect(rowsOf('-has:finding')).toEqual([0, 2, 4, 5, 6])
})

describe('properties', () => {
  const steps = fc
    .array(
      fc.constantFrom<() => Step[]>(
        () => bash('npm test', fail),
        () => bash('npm test'),
        () => bash('make', fail),
        () => bash('rm -rf src'),
        () => bash('grep x y', 'Exit code 1'),
        () => edit('a.ts'),
        () => call('Task', { prompt: 'x' }, fail),
        () => [todos('in_progress', 'pending')],
        () => [todos('completed', 'completed')],
        () => [prompt],
        () => [answer],
        () => [turnDone]
      ),
      { maxLength: 30 }
    )
    .map((parts) => parts.flatMap((part) => part()))

  test('other ids tell the same', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const renamed = list.map((step) => ('toolId' in step ? { ...step, toolId: `other-${step.toolId}` } : step))
        expect(findingsOf(renamed)).toEqual(findingsOf(list))
      }),
      { numRuns: 50 }
    )
  })

  const ofTheEnd = new Set([
    'last-test-failed',
    'todo-open-at-end',
    'todo-forgotten',
    'subagent-failed',
    'call-without-result',
    'destructive'
  ])

  test('a part of the log tells the same up to there, but for what speaks of its end', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (list, cut) => {
        const length = cut % (list.length + 1)
        const whole = findingsOf(list).filter(({ rule }) => !ofTheEnd.has(rule))
        for (const { rule, events } of findingsOf(list.slice(0, length))) {
          if (ofTheEnd.has(rule)) continue
          // A finding may go on after the cut.
          expect(whole.some((one) => one.rule === rule && events.every((seq) => one.events.includes(seq)))).toBe(true)
        }
      }),
      { numRuns: 100 }
    )
  })

  test('two equal failures with an edit between are never a repetition', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(bash('ls'), [answer]), { maxLength: 4 }), (between) => {
        expect(rulesIn(bash('make', fail), between.flat(), edit('a'), bash('make', fail))).not.toContain(
          'repeated-failure'
        )
      })
    )
  })
})

describe('hostile', () => {
  test('ten thousand equal failures are one finding of each rule, with 200 events', () => {
    const found = findingsOf(times(10_000, bash('make', fail)))
    expect(found.map(({ rule, events, more }) => [rule, events.length, more])).toEqual([
      ['repeated-failure', 200, 9800],
      ['failure-series', 200, 9800]
    ])
  })

  test('more than a thousand findings are counted', () => {
    expect(findingsOf(times(1500, bash('rm -rf src')))).toHaveLength(1000)
  })

  test('a command of 50 MB', () => {
    expect(rulesIn(bash(`echo ${'"rm -rf x" '.repeat(4_600_000)}`))).toEqual([])
  })

  test('ten thousand commands in a line, and quotes that are never closed', () => {
    expect(rulesIn(bash(`${'true; '.repeat(10_000)}git reset --hard`))).toEqual(['destructive'])
    expect(rulesIn(bash(`echo "${'rm -rf src; '.repeat(10_000)}`))).toEqual([])
    expect(rulesIn(bash(`cat <<'END'\n${'rm -rf src\n'.repeat(10_000)}`))).toEqual([])
  })
})
