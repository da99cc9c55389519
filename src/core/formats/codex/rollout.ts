import { isJsonObject, stringAt } from '../../json.ts'
import type { Decoded, LogFormat, Sign } from '../log-format.ts'
import { codexRunFiles } from './run-files.ts'

const nothing: Decoded = { drafts: [], issues: [] }

const types = new Set([
  ...['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted', 'world_state', 'token_usage_record'],
  ...['inter_agent_communication', 'inter_agent_communication_metadata', 'retained_context', 'security_risk_score'],
  ...['realtime_item']
])
const oldTypes = new Set([
  ...['message', 'reasoning', 'function_call', 'function_call_output', 'local_shell_call'],
  ...['custom_tool_call', 'custom_tool_call_output', 'web_search_call']
])

const signs: readonly Sign[] = [
  { rank: 3, holds: (r) => r['record_type'] === 'state' },
  { rank: 4, holds: (r) => types.has(stringAt(r, 'type') ?? '') && isJsonObject(r['payload']) },
  {
    rank: 15,
    holds: (r) =>
      r['type'] === undefined &&
      stringAt(r, 'id') !== undefined &&
      stringAt(r, 'timestamp') !== undefined &&
      'instructions' in r
  },
  {
    // A bare Messages API message also has type "message"; its model gives it away.
    rank: 16,
    holds: (r) =>
      oldTypes.has(stringAt(r, 'type') ?? '') && !['session_id', 'uuid', 'timestamp', 'model'].some((key) => key in r)
  }
]

/** To be read; its logs are recognised. */
export const codexRollout: LogFormat = {
  id: 'codex-rollout',
  title: 'Codex rollout',
  agentType: 'openai-codex',
  signs,
  textSigns: [{ rank: 4, holds: (text) => /"type"\s*:\s*"session_meta"/.test(text) }],
  decode: () => nothing,
  decodeMalformed: (_text, issue) => ({ drafts: [], issues: [issue] }),
  createFold: () => ({
    add: () => ({ events: [], issues: [] }),
    end: () => ({ events: [], issues: [] })
  }),
  runFiles: codexRunFiles
}
