import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyEvent } from '../../../test/arbitrary-events.ts'
import { hostileText, tokensOf } from '../../../test/hostile-text.ts'
import type { AgentEvent } from '../events/agent-event.ts'
import { LogReader } from '../formats/log-reader.ts'
import type { FoldedEvent, LogFormat } from '../formats/log-format.ts'
import type { ReadLine } from '../formats/folded-lines.ts'
import { normalized } from '../formats/normalized.ts'
import { soloIdentity } from '../formats/solo-identity.ts'
import { stamp } from '../formats/stamp.ts'
import { claudeStreamJson } from '../formats/claude/stream-json.ts'
import { MarkdownReport } from './markdown-report.ts'
import { normalizedLine } from './normalized-jsonl.ts'
import { Redactor } from './redact.ts'

interface Written {
  readonly text: string
  readonly redacted: number
}

/** The report of a log's lines. */
function reportOf(format: LogFormat, lines: readonly string[], redactor: Redactor | null = new Redactor()): Written {
  const report = new MarkdownReport(redactor)
  report.begin(format)
  let events = 0
  const add = (folded: readonly FoldedEvent[], line: ReadLine | null): void => {
    for (const one of folded) {
      events++
      report.event(stamp(one, format), one, line)
    }
  }
  const reader = new LogReader(format, {
    line: (line) => {
      report.line(line)
      add(line.events, line)
    },
    end: (folded) => add(folded, null)
  })
  reader.push(new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')))
  reader.end()
  const facts = { bytes: 1, lines: lines.length, events, files: 0, notes: [] }
  const text = report.pieces({ ...facts, name: 'run.jsonl' }).join('')
  return { text, redacted: redactor?.total ?? 0 }
}

const session = { session_id: 's1', parent_tool_use_id: null }
const init = {
  type: 'system',
  subtype: 'init',
  cwd: '/work/x',
  model: 'claude-sonnet-4',
  tools: [],
  claude_code_version: '2.1.0',
  ...session
}

function assistant(...content: unknown[]): unknown {
  return { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content }, ...session }
}

function user(content: unknown, more: object = {}): unknown {
  return { type: 'user', message: { role: 'user', content }, ...session, ...more }
}

function call(id: string, name: string, input: unknown): unknown {
  return { type: 'tool_use', id, name, input }
}

function result(id: string, content: string, isError = false): unknown {
  return { type: 'tool_result', tool_use_id: id, content, is_error: isError }
}

function claude(...records: unknown[]): string {
  return reportOf(
    claudeStreamJson,
    records.map((record) => JSON.stringify(record))
  ).text
}

const end = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'All done.',
  duration_ms: 61_000,
  total_cost_usd: 0.25,
  usage: { input_tokens: 1200, output_tokens: 34 },
  ...session
}

describe('a report', () => {
  test('begins with what the run was', () => {
    const report = claude(init, assistant({ type: 'text', text: 'All done.' }), end)
    expect(report).toMatch(
      /^# Run of Claude Code: run\.jsonl\n\n\| Agent \| Claude Code 2\.1\.0 \|\n\| --- \| --- \|\n/
    )
    expect(report).toContain('| Model | claude-sonnet-4 |')
    expect(report).toContain('| Folder | `/work/x` |')
    expect(report).toContain('| Tokens | 1.2k in, 34 out |')
    expect(report).toContain('| Cost | \\$0.25 |')
    expect(report).toContain('| Redacted | no secrets found |')
    expect(report).toContain('*done · 1.2k tokens in · 34 out · \\$0.25 so far · 1m 01s*')
  })

  test('the result is said once, though the log has it twice', () => {
    expect(claude(init, assistant({ type: 'text', text: 'All done.' }), end).split('All done.').length).toBe(2)
    expect(claude(init, assistant({ type: 'text', text: 'Else.' }), end)).toContain('**Result**\n\nAll done.')
  })

  test('calls are one line each, with lines, exit code and error', () => {
    const report = claude(
      init,
      assistant(call('t1', 'Edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b\nc' })),
      user([result('t1', 'ok')]),
      assistant(call('t2', 'Bash', { command: 'npm test' })),
      user([result('t2', 'Exit code 3\nnot ok 1\n# fail', true)]),
      assistant(call('t3', 'Read', { file_path: 'b.ts' })),
      end
    )
    expect(report).toContain('- **Edit** `src/a.ts` · +2 · −1\n')
    expect(report).toContain('- **Bash** `npm test` · **exit 3** · line 4\n\n  ```\n  not ok 1\n  # fail\n  ```\n')
    expect(report).toContain('- **Read** `b.ts` · *no result*\n')
    expect(report).toContain('| 1 | Bash | not ok 1 | line 4 |')
    expect(report).toContain('| `src/a.ts` | 1 | +2 −1 |')
    expect(report).toContain('| Bash | 1 | 1 |')
  })

  test('errors that say the same are one line, the most frequent first', () => {
    const denied = (id: string) => [
      assistant(call(id, 'Bash', { command: id })),
      user([result(id, 'This command requires approval', true)])
    ]
    const report = claude(
      init,
      assistant(call('t0', 'Bash', { command: 'x' })),
      user([result('t0', 'Exit code 1\nready\nError: no sheep', true)]),
      ...['t1', 't2', 't3'].flatMap(denied),
      end
    )
    expect(report).toContain(
      [
        '| Count | What | Said | First at |',
        '| ---: | --- | --- | --- |',
        '| 3 | Bash | This command requires approval | line 4 |',
        '| 1 | Bash | Error: no sheep | line 2 |'
      ].join('\n')
    )
    expect(report).toContain('| Errors | 4 |')
  })

  test('of many errors those that are most frequent are listed, and the others counted', () => {
    const failed = (id: string, text: string) => [
      assistant(call(id, 'Bash', { command: id })),
      user([result(id, text, true)])
    ]
    const report = claude(
      init,
      ...Array.from({ length: 60 }, (_, i) => failed(`t${i}`, `not ok ${i}`)).flat(),
      ...failed('again', 'not ok 59'),
      end
    )
    expect(report).toContain('| 2 | Bash | not ok 59 | line')
    expect(report).toContain('*… and 10 more*')
  })

  test('a command that failed counts as failed, also where the agent calls it a success', () => {
    const base = { agentType: 'google-gemini' as const, timestamp: 1, ...soloIdentity('google-gemini') }
    const output = '<untrusted_context>\nOutput: not ok 2\nExit Code: 3\nProcess Group PGID: 59\n</untrusted_context>'
    const { text } = reportOf(normalized, [
      normalizedLine({ ...base, eventId: '1', type: 'tool.started', toolName: 'shell', toolId: 't', input: {} }),
      normalizedLine({ ...base, eventId: '2', type: 'tool.completed', toolId: 't', output }),
      // Delivered again.
      normalizedLine({ ...base, eventId: '3', type: 'tool.completed', toolId: 't', output, toolName: 'shell' })
    ])
    expect(text).toContain('| Tool calls | 1, 1 failed |')
    expect(text).toContain('- **shell** · **exit 3** · line 1\n\n  ```\n  not ok 2\n  ```\n')
    expect(text).toContain('| shell | 1 | 1 |')
    expect(text.split('| 1 | shell | not ok 2 | line 1 |')).toHaveLength(2)
  })

  test('of a normalized log it names the agent that the events state, not one that a damaged line stands for', () => {
    const base = { agentType: 'openai-codex' as const, timestamp: 1, ...soloIdentity('openai-codex') }
    const { text } = reportOf(normalized, ['{', normalizedLine({ ...base, eventId: '1', type: 'text', text: 'Hi' })])
    expect(text).toMatch(/^# Run of OpenAI Codex: /)
    expect(text).toContain('| Agent | OpenAI Codex |')
  })

  test('the calls of todo tools count; only one that failed is a line of its own', () => {
    const todos = [{ content: 'one', status: 'pending', activeForm: 'One' }]
    const report = claude(
      ...[init, assistant(call('t1', 'TodoWrite', { todos })), user([result('t1', 'Todos have been modified')])],
      ...[assistant(call('t2', 'TaskCreate', { title: 'x' })), user([result('t2', 'subject is missing', true)])],
      end
    )
    expect(report).toContain('| Tool calls | 2, 1 failed |')
    expect(report).toContain('| TodoWrite | 1 | 0 |')
    expect(report).toContain('| TaskCreate | 1 | 1 |')
    expect(report).not.toContain('- **TodoWrite**')
    expect(report).toContain('- **TaskCreate** · **failed** · line 5\n\n  ```\n  subject is missing\n  ```\n')
    expect(report).toContain('| 1 | TaskCreate | subject is missing | line 5 |')
  })

  test('a call says how long it took', () => {
    const took = { tool_use_result: { durationMs: 1240 } }
    const report = claude(
      ...[init, assistant(call('t1', 'Bash', { command: 'ls' })), user([result('t1', 'ok')], took)],
      ...[assistant(call('t2', 'Bash', { command: 'pwd' })), user([result('t2', 'ok')]), end]
    )
    expect(report).toMatch(/- \*\*Bash\*\* `ls` · [^\n]*1\.2 s\n/)
    expect(report).toMatch(/- \*\*Bash\*\* `pwd`\n/)
  })

  test('a tool without a name, which would be a rule across the page', () => {
    expect(claude(init, assistant(call('t1', ' ', {})), end)).toContain('- **tool without a name** · *no result*')
  })

  test('files that a call names as changed, where it does not say how', () => {
    const changes = [{ path: 'src/b.ts', kind: 'update' }]
    expect(claude(init, assistant(call('t1', 'file_change', { changes })), end)).toContain('| `src/b.ts` | 1 |  |')
  })

  test('what subagents do stands under the call that started them', () => {
    const under = { parent_tool_use_id: 't1' }
    const report = claude(
      init,
      assistant(call('t1', 'Task', { description: 'Look around', prompt: 'Look' })),
      { ...(assistant(call('t2', 'Grep', { pattern: 'x' })) as object), ...under },
      user([result('t2', 'one\ntwo')], under),
      user([result('t1', 'found')]),
      end
    )
    expect(report).toContain('- **Task** Look around\n  - **Grep** `x` · 2 lines\n')
  })

  test('todo lists as differences, and the last one as tasks', () => {
    const todos = (...statuses: string[]): unknown =>
      call(`t${statuses.join()}`, 'TodoWrite', {
        todos: statuses.map((status, i) => ({ content: `item ${i}`, status, activeForm: 'x' }))
      })
    const report = claude(init, assistant(todos('in_progress')), assistant(todos('completed', 'pending')), end)
    expect(report).toContain('- **Todos 0/1** · line 2\n\n  ```diff\n  + [>] item 0\n  ```\n')
    expect(report).toContain(
      '- **Todos 1/2** · line 3\n\n  ```diff\n  - [>] item 0\n  + [x] item 0\n  + [ ] item 1\n  ```\n'
    )
    expect(report).toContain('## Todos at the end: 1/2\n\n- [x] item 0\n- [ ] item 1\n')
  })

  test('todos that were dropped, where they went and at the end', () => {
    const todos = (id: string, ...items: [string, string][]): unknown =>
      call(id, 'TodoWrite', { todos: items.map(([content, status]) => ({ content, status, activeForm: 'x' })) })
    const report = claude(
      init,
      assistant(todos('t1', ['read', 'completed'], ['ask', 'pending'], ['write', 'in_progress'])),
      assistant(todos('t2', ['read', 'completed'], ['write', 'in_progress'])),
      assistant(todos('t3', ['read', 'completed'], ['write', 'in_progress'])),
      assistant(todos('t4')),
      end
    )
    expect(report).toContain('- **Todos 1/2** · line 3\n\n  ```diff\n  - [ ] ask (dropped)\n  ```\n')
    expect(report).toContain('- **Todos 1/2** · line 4 · no change\n')
    expect(report).toContain('- **Todos 0/0** · line 5 · cleared\n\n  ```diff\n  - [>] write (dropped)\n  ```\n')
    expect(report).toContain(
      '## Todos at the end: 0/0 · 2 dropped\n\n- [ ] ~~ask~~ *dropped*\n- [ ] ~~write~~ *dropped*\n'
    )
  })

  test('findings with their first lines, and no part of a secret that is cut', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`
    const failed = (id: string, command: string) => [
      assistant(call(id, 'Bash', { command })),
      user([result(id, 'Exit code 1\nerror: it broke', true)])
    ]
    expect(claude(init, ...failed('t1', 'make'), ...failed('t2', 'make'))).toContain(
      '## Findings\n\n| What | Found | First at |\n| --- | --- | --- |\n| Same call, same error | 2 times the same call with the same error: Bash: make | line 2 |'
    )
    for (let at = 120; at <= 160; at += 5) {
      const command = `echo ${'x'.repeat(at)} ${secret} && rm -rf src`
      const report = claude(init, ...failed('t1', command))
      expect(report).toContain('| Destructive command |')
      expect(report).not.toContain('ghp_')
    }
  })

  test('issues with their lines and paths', () => {
    const lines = [JSON.stringify(init), '{"type":"assistant"', JSON.stringify({ ...init, type: 'never_seen' })]
    const { text } = reportOf(claudeStreamJson, lines)
    expect(text).toContain('| Issues of the log | 1 malformed, 1 notice |')
    expect(text).toMatch(/\| line 2 \| JsonParse \| {2}\| .+ \|/)
    expect(text).toMatch(/\| line 3 \| UnknownType \| `\$\.type` \| .+ \|/)
  })

  test('a line that is not JSON is told once, as an issue of the log', () => {
    const lines = [JSON.stringify(init), '{"type":"assistant"', JSON.stringify(end), 'oops']
    const { text } = reportOf(claudeStreamJson, lines)
    expect(text).toContain('| Issues of the log | 2 malformed |')
    expect(text).toContain('| Errors | none |')
    expect(text.match(/line 2/g)).toHaveLength(1)
    expect(text.match(/line 4/g)).toHaveLength(1)
    expect(text).not.toContain('JSONL_PARSE_ERROR')
  })

  test('also where it holds records: those are told, the rest of the line is not an error of its own', () => {
    const said = (text: string) => JSON.stringify(assistant({ type: 'text', text }))
    const { text } = reportOf(claudeStreamJson, [`${said('first')}${said('second')}oops`])
    expect(text).toMatch(/first[^]*second/)
    expect(text.match(/JsonParse/g)).toHaveLength(2)
    expect(text.match(/line 1/g)).toHaveLength(1)
    expect(text).not.toContain('JSONL_PARSE_ERROR')
  })

  test('secrets are taken out everywhere and counted, or kept when asked', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`
    const records = [
      { ...init, cwd: `/x/${secret}` },
      assistant({ type: 'text', text: `take ${secret}` }, call('t1', 'Bash', { command: `echo ${secret}` })),
      user([result('t1', `Exit code 1\n${'x'.repeat(3000)}\n${secret} is no good`, true)]),
      end
    ].map((record) => JSON.stringify(record))
    const clean = reportOf(claudeStreamJson, records)
    expect(clean.text).not.toContain(secret)
    expect(clean.text).toContain('`echo [redacted: GitHub token]`')
    expect(clean.redacted).toBeGreaterThan(3)
    expect(clean.text).toContain(`| Redacted | ${clean.redacted} secrets (${clean.redacted} GitHub token) |`)
    const whole = reportOf(claudeStreamJson, records, null)
    expect(whole.text).toContain(secret)
    expect(whole.text).toContain('| Redacted | **nothing; secrets were kept** |')
  })

  test('also from names of tools, models, files and notes, and from what a terminal shows as one', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`
    const redactor = new Redactor()
    const report = new MarkdownReport(redactor)
    report.begin(claudeStreamJson)
    const at = { line: 2, offset: 9, length: 1, terminated: true, file: `agent ${secret}.jsonl` }
    const lines = [
      assistant(call('t1', `Tool ${secret}`, {}), call('t2', `Tool ${secret}`, {})),
      user([result('t1', `x \u001b[31mghp_\u001b[m\u001b[K${secret.slice(4)} y`, true)])
    ]
    const reader = new LogReader(claudeStreamJson, {
      line: (line) => {
        report.line({ ...line, at })
        for (const one of line.events) report.event(stamp(one, claudeStreamJson), { ...one, at }, line)
      },
      end: () => {}
    })
    reader.push(new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
    reader.end()
    const facts = { bytes: 1, lines: 2, events: 3, files: 1 }
    const text = report.pieces({ ...facts, name: `run ${secret}.jsonl`, notes: [`${secret} is not shown`] }).join('')
    expect(text).toContain('Tool \\[redacted')
    expect(text).toContain('\\[redacted: GitHub token\\] is not shown')
    expect(text).not.toContain(secret.slice(4))
    expect(text).toContain(`| Redacted | ${redactor.total} secrets (`)
  })

  test('a secret that stands where a text is cut does not show its begin', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`
    for (let at = 3950; at <= 4000; at += 7) {
      const report = claude(
        init,
        assistant({ type: 'text', text: `${'x'.repeat(at - 1)} ${secret} ${'y'.repeat(5000)}` })
      )
      expect(report).not.toContain('ghp_')
    }
    for (let at = 230; at <= 310; at += 7) {
      const report = claude(
        init,
        assistant(call('t1', 'Bash', { command: `${'x'.repeat(at - 1)} ${secret} ${'y'.repeat(5000)}` }))
      )
      expect(report).not.toContain('ghp_')
    }
  })

  test('long texts are cut, and it says by how much', () => {
    const report = claude(init, assistant({ type: 'text', text: `${'word '.repeat(2000)}end` }))
    expect(report).toMatch(/\*… 6,\d{3} more characters\*/)
    const calls = Array.from({ length: 500 }, (_, i) => assistant(call(`t${i}`, 'Read', { file_path: `f${i}` })))
    const long = claude(init, ...calls)
    expect(long).toMatch(/- \*… \d{3} more entries: \d{3} × Read\*/)
    expect(long.split('- **Read**').length).toBeLessThan(300)
    expect(long).toContain('| Read | 500 | 0 |')
  })

  test('of any number of turns it stays short enough to read', () => {
    const turn = (i: number): AgentEvent[] => {
      const base = {
        eventId: `${i}`,
        agentId: 'a',
        agentType: 'claude-code' as const,
        timestamp: i,
        teamMetadata: soloIdentity('claude-code').teamMetadata
      }
      const text = `turn ${i} ${'long text '.repeat(300)}`
      return [
        { ...base, type: 'text', role: 'user', category: 'user-message', text },
        { ...base, type: 'text', role: 'assistant', category: 'assistant-message', text },
        { ...base, type: 'turn.completed', finishReason: 'done' }
      ]
    }
    const lines = Array.from({ length: 9000 }, (_, i) => turn(i + 1))
      .flat()
      .map((event) => normalizedLine(event))
    const { text } = reportOf(normalized, lines)
    expect(text.length).toBeLessThan(3_300_000)
    expect(text).toContain('## Turn 1 ')
    expect(text).toMatch(/\*… and [\d,]+ further turns, left out to keep this report readable/)
    expect(text).toContain('| Turns | 9,000 |')
  })
})

const titles =
  /^(?:Run of .*|Turn \d.*|Before the first prompt.*|Todos at the end.*|Errors|Findings|Issues of the log|Files changed|Tools|Slowest calls)$/

test('no log can bring markup of its own, or break the structure of the report', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyEvent, hostileText), { maxLength: 12 }), (events) => {
      const lines = events.map(([event, text]) => normalizedLine(withText(event, text)))
      const { text } = reportOf(normalized, lines)
      for (const token of tokensOf(text)) {
        expect(['html', 'image', 'def', 'hr'], text).not.toContain(token.type)
        if (token.type === 'heading') expect(token.text).toMatch(titles)
        if (token.type === 'link') expect(token.href).toMatch(/^(?:https?:|mailto:)/)
      }
      expect(text).not.toContain('\u202e')
    }),
    { numRuns: 300 }
  )
})

/** An event all of whose texts, names and ids are `text`, but for what says which kind of event it is. */
function withText(event: AgentEvent, text: string): AgentEvent {
  const fixed = new Set([
    'type',
    'role',
    'category',
    'finishReason',
    'agentType',
    'timestampFrom',
    'status',
    'source',
    'teamMetadata'
  ])
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return `${text}\u202e`
    if (Array.isArray(value)) return value.map(change)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, fixed.has(key) ? field : change(field)])
    )
  }
  return change(event) as AgentEvent
}
