import { WrittenList } from '../written-list.ts'
import { codexFacts } from './facts.ts'
import { TurnUsage } from './turn-usage.ts'
import { HostedCalls } from './hosted-calls.ts'
import { RepeatedTexts } from './repeated-texts.ts'
import { TurnLines } from './turn-lines.ts'
import { CopiedLines } from './copied-lines.ts'
import { ThreadTracks } from './thread-tracks.ts'
import { EventSequence } from '../event-sequence.ts'
import { ByteOffsets } from '../../byte-offsets.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { IdSet } from '../id-set.ts'
import { RolloutThread } from './rollout-thread.ts'
import { isJsonObject, objectAt, stated, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { instantOf } from '../instant.ts'
import { unknownType } from '../issue.ts'
import type { LinePosition, LogFormat, Detector } from '../log-format.ts'
import { malformedDrafts } from '../malformed.ts'
import { bareItemIssues, lineIssues, lineTypes, notARecord } from './rollout-contract.ts'
import { RolloutBuilder, type RolloutDecoded, type Step } from './rollout-decoded.ts'
import { readEvent } from './rollout-events.ts'
import { RolloutFold } from './rollout-fold.ts'
import { readItem } from './rollout-items.ts'
import { addCompacted } from './rollout-texts.ts'
import { codexRunFiles } from './run-files.ts'
import { rolloutSession, threadSpawn } from './session.ts'
import { codexStore } from './store.ts'
import { rolloutValues } from './values.ts'
import { tierIn } from './service-tier.ts'

/** The items with lines of their own: docs/formats/codex-rollout.md#the-old-format-has-no-envelope. */
const bareTypes = new Set([
  ...['message', 'reasoning', 'function_call', 'function_call_output', 'local_shell_call'],
  ...['custom_tool_call', 'custom_tool_call_output', 'web_search_call']
])

const detectors: readonly Detector[] = [
  { strength: 'conclusive', holds: (r) => r['record_type'] === 'state' && Object.keys(r).length === 1 },
  { strength: 'conclusive', holds: (r) => lineTypes.has(stringAt(r, 'type') ?? '') && isJsonObject(r['payload']) },
  { strength: 'conclusive', holds: (r) => isOldHeader(r) || isOldDocument(r) },
  { strength: 'typical', holds: (r) => isBareItem(r) && isCodexCall(r) },
  { strength: 'shared', holds: isBareItem }
]

/** An item of OpenAI's Responses API, which many programs log. */
function isBareItem(r: JsonObject): boolean {
  return bareTypes.has(stringAt(r, 'type') ?? '') && !foreignKeys.some((key) => key in r)
}

const foreignKeys = ['session_id', 'sessionId', 'uuid', 'timestamp', 'model', 'callId', 'parentId']

/** A call of a tool of Codex. */
function isCodexCall(r: JsonObject): boolean {
  return r['type'] === 'local_shell_call' || codexTools.has(stringAt(r, 'name') ?? '')
}

const codexTools = new Set(['shell', 'shell_command', 'container.exec', 'exec_command', 'update_plan', 'apply_patch'])

/** `{id, timestamp, instructions, git?}`, line 1 of the old format. */
function isOldHeader(r: JsonObject): boolean {
  const { type } = r
  return type === undefined && typeof r['id'] === 'string' && typeof r['timestamp'] === 'string' && 'instructions' in r
}

/** `{session, items}`, a document before mid-2025; its items are records of their own. */
function isOldDocument(r: JsonObject): boolean {
  const session = r['type'] === undefined ? objectAt(r, 'session') : undefined
  return session !== undefined && typeof session['id'] === 'string' && typeof session['timestamp'] === 'string'
}

/** The session files in `~/.codex/sessions`: docs/formats/codex-rollout.md. */
export const codexRollout: LogFormat<RolloutDecoded> = {
  id: 'codex-rollout',
  title: 'Codex rollout',
  agentType: 'openai-codex',
  detectors,
  textDetectors: [{ strength: 'conclusive', holds: (text) => /"type"\s*:\s*"session_meta"/.test(text) }],
  nested: ['payload', 'replacement_history'],
  decode,
  values: rolloutValues,
  decodeMalformed: (text, issue, cut) => {
    const drafts = malformedDrafts(text, issue, cut)
    const steps = drafts.map((_, body): Step => ({ kind: 'event', body }))
    return { drafts, issues: [issue], time: undefined, steps, turnId: undefined, itemId: undefined, itemHash: 0 }
  },
  createFold: (context) => new RolloutFold(context),
  stateClasses: () => [
    RolloutFold,
    RolloutThread,
    EventSequence,
    ThreadTracks,
    CopiedLines,
    TurnLines,
    RepeatedTexts,
    HostedCalls,
    TurnUsage,
    WrittenList,
    IdSet,
    HashNumbers,
    ByteOffsets
  ],
  store: codexStore,
  facts: codexFacts,
  session: rolloutSession,
  runFiles: codexRunFiles
}

function decode(value: JsonValue, at: LinePosition): RolloutDecoded {
  if (!isJsonObject(value)) return { ...nothing, issues: [notARecord(value)] }
  const type = value['type']
  if (typeof type === 'string' && lineTypes.has(type)) return decodeLine(value, type, at)
  return decodeBare(value, type, at)
}

const nothing: RolloutDecoded = {
  drafts: [],
  issues: [],
  time: undefined,
  steps: [],
  turnId: undefined,
  itemId: undefined,
  itemHash: 0
}

/** A line in its envelope. */
function decodeLine(record: JsonObject, type: string, at: LinePosition): RolloutDecoded {
  const out = new RolloutBuilder('$.payload', at.line)
  const payload = objectAt(record, 'payload') ?? {}
  for (const issue of lineIssues(record, type)) out.issues.push(issue)
  switch (type) {
    case 'response_item':
      readItem(out, payload, false)
      break
    case 'event_msg':
      readEvent(out, payload)
      break
    case 'session_meta':
      readSession(out, payload)
      break
    case 'turn_context':
      out.steps.push({ kind: 'context', model: stringAt(payload, 'model'), tier: tierIn(payload) })
      break
    case 'compacted':
      addCompacted(out, stringAt(payload, 'message') ?? '', false)
      break
    case 'token_usage_record': {
      const turn = objectAt(payload, 'turn_token_usage')
      const total = objectAt(payload, 'thread_token_usage')
      if (turn !== undefined) out.steps.push({ kind: 'usage', turn, total, last: objectAt(payload, 'usage') })
      break
    }
  }
  const passed = payload['internal_chat_message_metadata_passthrough']
  out.turnId = stringAt(payload, 'turn_id') ?? (isJsonObject(passed) ? stringAt(passed, 'turn_id') : undefined)
  out.time = instantOf(record['timestamp'])
  return out
}

/** A line of the old format: header, state, or response item. */
function decodeBare(record: JsonObject, type: JsonValue | undefined, at: LinePosition): RolloutDecoded {
  const out = new RolloutBuilder('$', at.line)
  const session = type === undefined ? objectAt(record, 'session') : undefined
  if (session !== undefined || isOldHeader(record)) {
    readSession(out, session ?? record)
    out.time = instantOf((session ?? record)['timestamp'])
  } else if (typeof type !== 'string') {
    if (record['record_type'] !== 'state') out.issues.push(notARecord(record))
  } else if (type.includes('.') || !readBareItem(out, record, type)) {
    out.issues.push(unknownType())
  }
  return out
}

const bareItems = new Set([
  ...[...bareTypes, 'local_shell_call_output', 'ghost_snapshot', 'compaction', 'image_generation_call'],
  ...['agent_message', 'other']
])

function readBareItem(out: RolloutBuilder, item: JsonObject, type: string): boolean {
  if (!bareItems.has(type)) return false
  for (const issue of bareItemIssues(item, type)) out.issues.push(issue)
  readItem(out, item, true)
  return true
}

/** The fold decides which header counts: docs/formats/codex-rollout.md#the-first-head-of-a-session-counts. */
function readSession(out: RolloutBuilder, meta: JsonObject): void {
  const facts = stated({ cwd: stringAt(meta, 'cwd'), version: stringAt(meta, 'cli_version') })
  out.steps.push({
    kind: 'session',
    body: out.draft({ type: 'session.started', ...facts }),
    id: stringAt(meta, 'id'),
    isSubagent:
      stringAt(meta, 'parent_thread_id') !== undefined || objectAt(meta, 'source')?.['subagent'] !== undefined,
    agentPath: stringAt(meta, 'agent_path') ?? stringAt(threadSpawn(meta), 'agent_path')
  })
}
