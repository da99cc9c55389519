import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentId } from '#contract/live-runs.ts'
import { program, quoted } from './stand-in.ts'

/** An agent that is given one prompt, whose one call takes as long as a test wants. */
export interface SlowCall {
  /** Its file. */
  readonly command: string
  begin(): void
  /** Ends the call, and the turn. */
  end(): void
}

/** Makes the agent in `folder`, which is made too. It prints nothing while the call runs. */
export function slowCall(folder: string, agent: AgentId): SlowCall {
  const files = { begin: join(folder, 'begin'), end: join(folder, 'end') }
  const { opens, begins, ends } = printed[agent]
  const print = (...records: readonly object[]): string =>
    `printf '%s\\n' ${records.map((one) => quoted(JSON.stringify(one))).join(' ')}`
  const wait = (file: string): string => `while [ ! -e ${quoted(file)} ]; do sleep 0.05; done`
  const script = [print(...opens), wait(files.begin), print(begins), wait(files.end), print(...ends)]
  const command = program(folder, agent, ['cat > /dev/null', ...script].join('\n'))
  return { command, begin: () => writeFileSync(files.begin, ''), end: () => writeFileSync(files.end, '') }
}

const session = '0e7ecc99-26b4-49b0-abb1-767b20aa5bf2'
const item = { id: 'item_0', type: 'command_execution', command: 'make', aggregated_output: '', exit_code: null }
/** What each agent prints when nobody is asked. */
const printed = {
  claude: {
    opens: [{ type: 'system', subtype: 'init', session_id: session, model: 'm', cwd: '/w', tools: [] }],
    begins: {
      ...{ type: 'assistant', session_id: session },
      message: { id: 'm', content: [{ type: 'tool_use', id: 'long', name: 'Bash', input: {} }] }
    },
    ends: [
      {
        ...{ type: 'user', session_id: session },
        message: { content: [{ type: 'tool_result', tool_use_id: 'long', content: 'made' }] }
      },
      { type: 'result', subtype: 'success', is_error: false, result: 'Over', session_id: session, num_turns: 1 }
    ]
  },
  codex: {
    opens: [{ type: 'thread.started', thread_id: session }, { type: 'turn.started' }],
    begins: { type: 'item.started', item: { ...item, status: 'in_progress' } },
    ends: [
      { type: 'item.completed', item: { ...item, status: 'completed', exit_code: 0 } },
      { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } }
    ]
  },
  gemini: {
    opens: [{ type: 'init', timestamp: '2026-01-05T09:00:00.000Z', session_id: session, model: 'm' }],
    begins: {
      ...{ type: 'tool_use', timestamp: '2026-01-05T09:00:01.000Z', tool_name: 'run_shell_command' },
      ...{ tool_id: 'long', parameters: {} }
    },
    ends: [
      {
        ...{ type: 'tool_result', timestamp: '2026-01-05T09:00:02.000Z' },
        ...{ tool_id: 'long', status: 'success', output: 'made' }
      },
      { type: 'result', timestamp: '2026-01-05T09:00:03.000Z', status: 'success', stats: {} }
    ]
  }
}
