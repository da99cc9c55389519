import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent, EventBody } from '../events/agent-event.ts'
import { compareSessions, type ComparedSession, type Comparison } from './compare-sessions.ts'
import { SessionSteps } from './session-steps.ts'

/** A session as a list of events; `trackId` of a subagent's. */
function session(...bodies: readonly (EventBody & { readonly trackId?: string })[]): ComparedSession {
  const steps = new SessionSteps()
  for (const [seq, body] of bodies.entries()) {
    const base = { eventId: `${seq}`, agentId: 'a', agentType: 'x', timestamp: 0, teamMetadata: {} }
    steps.add({ ...base, ...body } as AgentEvent, seq)
  }
  return steps.session(() => null)
}

const prompt = (text: string): EventBody => ({ type: 'text', role: 'user', category: 'user-message', text })
const says = (text: string): EventBody => ({ type: 'text', role: 'assistant', category: 'assistant-message', text })
const call = (id: string, toolName: string, input: Record<string, string>): EventBody => ({
  type: 'tool.started',
  toolId: id,
  toolName,
  input
})
const result = (id: string, output = 'fine'): EventBody => ({ type: 'tool.completed', toolId: id, output })
const failure = (id: string): EventBody => ({ type: 'tool.completed', toolId: id, error: 'no such file' })
const ended: EventBody = { type: 'turn.completed', finishReason: 'done' }

/** Each row as "class a b": event numbers, `.` for none. */
const rowsOf = ({ sections }: Comparison): string[] =>
  sections.flatMap(({ rows }) => rows.map(({ a, b, class: found }) => `${found} ${a?.seq ?? '.'} ${b?.seq ?? '.'}`))
const resultsOf = ({ sections }: Comparison) =>
  sections.flatMap(({ rows }) => rows.flatMap(({ result: of }) => of ?? []))

describe('two sessions', () => {
  test('one with itself is the same throughout', () => {
    const one = session(prompt('go'), call('1', 'Bash', { command: 'ls' }), result('1'), says('done'), ended)
    const { firstDifference, counts } = compareSessions(one, one)
    expect(firstDifference).toBeNull()
    expect(counts).toEqual({ same: 4, changed: 0, 'only-a': 0, 'only-b': 0, moved: 0 })
  })

  test('an empty one has nothing, the other one is all alone', () => {
    expect(rowsOf(compareSessions(session(), session()))).toEqual([])
    expect(rowsOf(compareSessions(session(), session(prompt('go'))))).toEqual(['only-b . 0'])
  })

  test('one with its own beginning, as a live run has it, differs where it was cut', () => {
    const events = [
      prompt('go'),
      call('1', 'Bash', { command: 'ls' }),
      result('1'),
      call('2', 'Bash', { command: 'make' })
    ]
    const whole = session(...events, result('2'), ended)
    expect(rowsOf(compareSessions(session(...events), whole))).toEqual([
      'same 0 0',
      'same 1 1',
      'same 3 3',
      'only-b . 5'
    ])
    expect(resultsOf(compareSessions(session(...events), whole))).toEqual(['same', 'unknown'])
  })

  test('agents with other tools and other names of inputs do the same', () => {
    const claude = session(
      prompt('go'),
      call('1', 'Bash', { command: 'npm test', description: 'Run tests' }),
      result('1')
    )
    const codex = session(prompt('go'), call('c', 'exec_command', { cmd: 'npm test', workdir: '/w' }), result('c'))
    expect(rowsOf(compareSessions(claude, codex))).toEqual(['same 0 0', 'same 1 1'])
  })

  test('the same files in other folders are the same', () => {
    const inFolder = (cwd: string): ComparedSession =>
      session({ type: 'session.started', cwd }, call('1', 'Read', { file_path: `${cwd}/src/a.ts` }), result('1'))
    const comparison = compareSessions(inFolder('/home/ada/app'), inFolder('C:\\Users\\bob\\app'))
    expect(rowsOf(comparison)).toEqual(['same 1 1'])
  })

  test('the result of a pair is a matter of its own', () => {
    const run = (...answer: readonly EventBody[]): ComparedSession =>
      session(call('1', 'Bash', { command: 'make' }), ...answer)
    const compared = (a: EventBody, b: EventBody) => resultsOf(compareSessions(run(a), run(b)))
    expect(compared(result('1'), result('1'))).toEqual(['same'])
    expect(compared(result('1', 'took 3 s'), result('1', 'took 4 s'))).toEqual(['differs'])
    expect(compared(failure('1'), result('1'))).toEqual(['a-failed'])
    expect(compared(result('1'), failure('1'))).toEqual(['b-failed'])
    expect(compared(failure('1'), failure('1'))).toEqual(['both-failed'])
    expect(compareSessions(run(failure('1')), run(result('1'))).firstDifference).toBeNull()
  })

  test('other words of the agent are shown, and are no difference of the path', () => {
    const comparison = compareSessions(
      session(prompt('go'), says('One.'), ended),
      session(prompt('go'), says('Zwei!'), ended)
    )
    expect(rowsOf(comparison).toSorted()).toEqual(['only-a 1 .', 'only-b . 1', 'same 0 0', 'same 2 2'])
    expect(comparison.firstDifference).toBeNull()
  })

  test('parallel calls have no order of their own', () => {
    const [ls, make] = [call('1', 'Bash', { command: 'ls' }), call('2', 'Bash', { command: 'make' })]
    const a = session(prompt('go'), ls, make, result('1'), result('2'))
    const b = session(prompt('go'), make, ls, result('2'), result('1'))
    expect(compareSessions(a, b).firstDifference).toBeNull()
    // One after the other they do.
    const inTurn = session(prompt('go'), make, result('2'), ls, result('1'))
    const inOtherTurn = session(prompt('go'), ls, result('1'), make, result('2'))
    expect(compareSessions(inTurn, inOtherTurn).counts.moved).toBe(2)
  })

  test('a patch of three files is three steps', () => {
    const patch = '*** Begin Patch\n*** Delete File: a.ts\n*** Delete File: b.ts\n*** Add File: c.ts\n+x\n*** End Patch'
    const [section] = compareSessions(session(call('1', 'apply_patch', { input: patch })), session()).sections
    expect(section?.rows.map(({ a }) => `${a?.tool} ${a?.target}`).toSorted()).toEqual([
      'delete a.ts',
      'delete b.ts',
      'write c.ts'
    ])
  })

  test('retry loops of different length, with a compaction in one, meet again after them', () => {
    const tries = (count: number): EventBody[] =>
      Array.from({ length: count }, (_, i) => [call(`t${i}`, 'Bash', { command: 'make' }), failure(`t${i}`)]).flat()
    const a = session(prompt('go'), ...tries(3), call('z', 'Bash', { command: 'git commit' }), result('z'))
    const b = session(
      prompt('go'),
      ...tries(7),
      { type: 'text', role: 'system', category: 'status', text: 'compacted' },
      call('z', 'Bash', { command: 'git commit' }),
      result('z')
    )
    expect(compareSessions(a, b).counts).toEqual({ same: 5, changed: 0, 'only-a': 0, 'only-b': 4, moved: 0 })
  })

  test('a list that was emptied is a change of the list', () => {
    const list = (...texts: string[]): EventBody => ({
      type: 'todo_list',
      todoId: 't',
      items: texts.map((text) => ({ text, status: 'pending' }))
    })
    const comparison = compareSessions(session(list('Read'), list()), session(list('Read'), list('Read', 'Write')))
    expect(rowsOf(comparison)[0]).toBe('same 0 0')
    expect(comparison.firstDifference).not.toBeNull()
  })

  test('subagents are compared where the calls that started them are a pair', () => {
    const run = (command: string): ComparedSession =>
      session(
        prompt('go'),
        call('agent-1', 'Task', { prompt: 'Look around in the source', description: 'Look' }),
        { ...prompt('Look around in the source'), trackId: 'agent-1' },
        { ...call('s', 'Bash', { command }), trackId: 'agent-1' },
        { ...result('s'), trackId: 'agent-1' },
        result('agent-1'),
        ended
      )
    const { sections, firstDifference } = compareSessions(run('ls'), run('git push origin'))
    expect(sections.map(({ a, b }) => [a?.trackId, b?.trackId])).toEqual([
      [null, null],
      ['agent-1', 'agent-1']
    ])
    expect(firstDifference).toEqual({ section: 1, row: 1 })
  })

  test('a subagent of one side only stands alone', () => {
    const alone = { ...call('s', 'Bash', { command: 'ls' }), trackId: 'x' }
    const { sections } = compareSessions(session(prompt('go'), alone), session(prompt('go')))
    expect(sections.map(({ a, b }) => [a?.trackId, b?.trackId])).toEqual([
      [null, null],
      ['x', undefined]
    ])
  })
})

const anyEvent = fc.oneof(
  fc.constantFrom('go', 'on', 'stop').map(prompt),
  fc.constantFrom('Well.', 'Done.').map(says),
  fc
    .tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom('ls', 'make', 'npm test a', 'npm test b'))
    .map(([id, command]) => call(id, 'Bash', { command })),
  fc.constantFrom('1', '2', '3').map((id) => result(id)),
  fc.constant(ended)
)
const anySession = fc
  .array(fc.tuple(anyEvent, fc.constantFrom(undefined, '1', 'sub')), { maxLength: 30 })
  .map((events) =>
    session(...events.map(([event, trackId]) => (trackId === undefined ? event : { ...event, trackId })))
  )

test('each step of both sessions has one row, whatever they are', () => {
  fc.assert(
    fc.property(anySession, anySession, (a, b) => {
      const rows = compareSessions(a, b).sections.flatMap(({ rows: all }) => all)
      for (const [side, { tracks }] of [
        ['a', a],
        ['b', b]
      ] as const) {
        const seqs = rows.flatMap((row) => row[side]?.seq ?? [])
        expect(seqs.toSorted((x, y) => x - y)).toEqual(
          tracks.flatMap(({ steps }) => steps.map(({ seq }) => seq)).toSorted((x, y) => x - y)
        )
      }
    })
  )
})

test('a session took the path of itself, whatever it is', () => {
  fc.assert(
    fc.property(anySession, (one) => {
      const { sections, counts, firstDifference } = compareSessions(one, one)
      expect(firstDifference).toBeNull()
      expect(counts).toMatchObject({ changed: 0, 'only-a': 0, 'only-b': 0, moved: 0 })
      for (const { a, b, rows } of sections) {
        expect(a).toEqual(b)
        for (const row of rows) expect(row.a).toBe(row.b)
      }
    })
  )
})

test('the rows of a section keep the order of both sessions', () => {
  fc.assert(
    fc.property(anySession, anySession, (a, b) => {
      for (const section of compareSessions(a, b).sections) {
        for (const [side, { tracks }] of [
          ['a', a],
          ['b', b]
        ] as const) {
          const track = tracks.find(({ trackId }) => trackId === section[side]?.trackId)
          const steps = section.rows.flatMap((row) => row[side] ?? [])
          const inLog = steps.toSorted((one, other) => one.place - other.place)
          expect(inLog.map(({ place }) => place)).toEqual(section[side] === null ? [] : track?.steps.map((_, i) => i))
          // Each row of A is where A has it.
          if (side === 'a') expect(steps).toEqual(inLog)
        }
      }
    })
  )
})

test('parallel calls are pairs in any order, and stand in that of A', () => {
  const read = (id: string, path: string): EventBody => call(id, 'Read', { file_path: path })
  const a = session(prompt('go'), read('1', '/w/b'), read('2', '/w/a'), read('3', '/w/c'), result('1'), ended)
  const b = session(prompt('go'), read('1', '/w/a'), read('2', '/w/d'), read('3', '/w/b'), result('1'), ended)
  expect(rowsOf(compareSessions(a, b))).toEqual([
    'same 0 0',
    'same 1 3',
    'same 2 1',
    'only-b . 2',
    'only-a 3 .',
    'same 5 5'
  ])
  expect(rowsOf(compareSessions(b, a))).toEqual([
    'same 0 0',
    'same 1 2',
    'only-a 2 .',
    'same 3 1',
    'only-b . 3',
    'same 5 5'
  ])
})

test('swapping the sessions swaps the sides', () => {
  const mirror = { same: 'same', changed: 'changed', 'only-a': 'only-b', 'only-b': 'only-a', moved: 'moved' } as const
  fc.assert(
    fc.property(anySession, anySession, (a, b) => {
      const forth = compareSessions(a, b)
      const back = compareSessions(b, a)
      const swapped = back.sections.map(({ rows }) =>
        rows
          .map((row) => `${mirror[row.class]} ${row.b?.seq} ${row.a?.seq}`)
          .sort()
          .join(', ')
      )
      const straight = forth.sections.map(({ rows }) =>
        rows
          .map((row) => `${row.class} ${row.a?.seq} ${row.b?.seq}`)
          .sort()
          .join(', ')
      )
      // The order of parallel calls is that of A, and the order of tracks that only one side has is that of the sides.
      expect(straight.toSorted()).toEqual(swapped.toSorted())
    })
  )
})
