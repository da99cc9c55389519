import { isJsonObject, stringAt, type JsonObject, type JsonValue } from '../../json.ts'

/** Claude Code's hook for tool results, which `playhead hook --install` adds to its settings. */
export const toolHook = {
  agent: 'Claude Code',
  event: 'PostToolUse',
  /** Of a project, or below the home folder if the variable is not set. */
  folder: '.claude',
  folderVariable: 'CLAUDE_CONFIG_DIR',
  settings: 'settings.json',
  localSettings: 'settings.local.json',
  /** The hook takes a fraction of a second. */
  timeoutSeconds: 10
} as const

/** The members that `hookResult` and `hookTasks` read. */
const kept = [
  'session_id',
  'hook_event_name',
  'tool_name',
  'tool_use_id',
  'agent_id',
  'tool_response',
  'error'
] as const

/** Tools whose input states a change of the todo list. The input of others may be as long as the file they write. */
const todoTools = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList'])

/** The used members of a hook's JSON; null if it is not an object. Fast, as the tool waits for it. */
export function keptHook(hook: JsonValue): JsonObject | null {
  if (!isJsonObject(hook)) return null
  const parts = kept.flatMap((name): [string, JsonValue][] => {
    const value = hook[name]
    return value === undefined ? [] : [[name, value]]
  })
  const input = hook['tool_input']
  if (input !== undefined && todoTools.has(stringAt(hook, 'tool_name') ?? '')) parts.push(['tool_input', input])
  return Object.fromEntries(parts)
}
