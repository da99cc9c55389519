import { objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { LiveCue } from '../live-cue.ts'
import { askedBy, askMethods } from './app-server-asks.ts'
import { requestId } from './app-server-decoded.ts'

const nothing: readonly LiveCue[] = []

/** The live cues of a record of `codex app-server`. */
export function appServerCues(record: JsonObject): readonly LiveCue[] {
  const params = objectAt(record, 'params') ?? {}
  const method = stringAt(record, 'method')
  if (method === undefined) return modeOf(objectAt(record, 'result') ?? {}, 'sandbox')
  if (askMethods.has(method)) return [asked(record, method, params)]
  switch (method) {
    case 'item/agentMessage/delta': {
      const text = stringAt(params, 'delta') ?? ''
      return text === '' ? nothing : [{ kind: 'piece', trackId: undefined, text }]
    }
    case 'item/commandExecution/outputDelta': {
      const toolId = stringAt(params, 'itemId')
      const text = stringAt(params, 'delta') ?? ''
      return text === '' || toolId === undefined ? nothing : [{ kind: 'tool-output', toolId, text }]
    }
    case 'thread/settings/updated':
      return modeOf(objectAt(params, 'threadSettings') ?? {}, 'sandboxPolicy')
    default:
      return nothing
  }
}

function asked(record: JsonObject, method: string, params: JsonObject): LiveCue {
  const { tool, input } = askedBy(method, params)
  return {
    kind: 'permission',
    requestId: typeof record['id'] === 'string' ? record['id'] : requestId(record['id']),
    toolId: stringAt(params, 'itemId'),
    toolName: method === 'item/commandExecution/requestApproval' ? 'command_execution' : tool === '' ? undefined : tool,
    input,
    message: stringAt(params, 'reason') ?? stringAt(params, 'message'),
    denied: false
  }
}

/** The sandbox by its name on the command line, which is the id of a mode. */
function modeOf(settings: JsonObject, member: string): readonly LiveCue[] {
  const type = stringAt(objectAt(settings, member) ?? {}, 'type')
  return type === undefined ? nothing : [{ kind: 'mode', mode: sandboxes[type] ?? type }]
}

const sandboxes: Readonly<Record<string, string>> = Object.assign(Object.create(null) as object, {
  readOnly: 'read-only',
  workspaceWrite: 'workspace-write',
  dangerFullAccess: 'danger-full-access',
  externalSandbox: 'external-sandbox'
})
