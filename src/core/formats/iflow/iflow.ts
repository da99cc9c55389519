import * as z from 'zod'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stated, stringAt } from '../../json.ts'
import { tokensOf } from '../../requests/tokens.ts'
import { type BlockResult, sayBlocks } from '../content-blocks.ts'
import { instantOf } from '../instant.ts'
import { jsonText } from '../json-depth.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import type { LogStore, SessionFacts } from '../log-store.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { below } from '../store-folders.ts'
import { iflow as agent } from './agent.ts'
import { iflowValues } from './values.ts'

/** `~/.iflow/projects/<folder>/session-<id>.jsonl`. */
const store: LogStore = {
  roots: (system) => [below(system, system.home, '.iflow', 'projects')],
  depth: 1,
  mayBeLog: (path) => /(?:^|\/)session-[^/]+\.jsonl$/.test(path),
  sessionOf: (path) => /([^/]+)\.jsonl$/.exec(path)?.[1] ?? null,
  resume: (sessionId) => ['iflow', '--resume', sessionId]
}

/** The sessions of iFlow CLI, shaped as Claude's transcripts: docs/formats/iflow.md. */
export const iflow: LogFormat<PlainDecoded> = {
  id: 'iflow',
  title: 'iFlow session',
  agentType: 'iflow',
  imitates: ['claude-transcript'],
  detectors: [
    {
      strength: 'conclusive',
      holds: (r) => 'parentUuid' in r && /^session-[0-9a-f]{8}-/.test(stringAt(r, 'sessionId') ?? '')
    },
    {
      strength: 'conclusive',
      holds: (r) => 'parentUuid' in r && /^response-\d{13}/.test(stringAt(objectAt(r, 'message') ?? {}, 'id') ?? '')
    }
  ],
  decode,
  values: iflowValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store,
  session: { facts: sessionFacts, ends: 'unsaid' },
  facts: (record) => ({ model: stringAt(objectAt(record, 'message') ?? {}, 'model') })
}

const recordSchema = z.object({ type: z.string(), sessionId: z.string() })
const saidSchema = z.object({
  message: z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown())]) })
})

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new PlainBuilder(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(typedRecord, value), steps: [] }
  out.require(recordSchema, value, '$')
  const type = stringAt(value, 'type')
  if (type === 'user' || type === 'assistant') {
    out.require(saidSchema, value, '$')
    const message = objectAt(value, 'message') ?? {}
    const failed = /^(?:error|cancelled|rejected)$/.test(
      stringAt(objectAt(value, 'toolUseResult') ?? {}, 'status') ?? ''
    )
    const resultOf = (block: JsonObject): BlockResult => readResult(block, failed)
    sayBlocks(out, message['content'], { role: type, path: '$.message.content', resultOf })
    const usage = objectAt(message, 'usage')
    // Every answer states 0 where nothing was counted.
    if (usage !== undefined && Object.values(usage).some((count) => typeof count === 'number' && count > 0)) {
      out.tokens(stringAt(message, 'id') ?? out.newId(), stringAt(message, 'model'), tokensOf(usage))
    }
  } else if (type !== undefined && type !== 'system' && type !== 'summary') out.unknownRecord(value)
  return out.decoded({ time: instantOf(value['timestamp']), sessionId: stringAt(value, 'sessionId') })
}

/** docs/formats/iflow.md#a-result-has-geminis-response */
function readResult(block: JsonObject, failedBeside: boolean): BlockResult {
  const { content } = block
  const id = stringAt(block, 'tool_use_id')
  const response = isJsonObject(content)
    ? objectAt(objectAt(objectAt(content, 'responseParts') ?? {}, 'functionResponse') ?? {}, 'response')
    : undefined
  if (response === undefined)
    return { id, failed: failedBeside || block['is_error'] === true, text: contentText(content) }
  const { error, output } = response
  const failed = failedBeside || (error !== undefined && error !== null)
  return { id, failed, text: contentText(error ?? output ?? jsonText(response)) }
}

function sessionFacts(record: JsonObject): SessionFacts | null {
  const model = stringAt(objectAt(record, 'message') ?? {}, 'model')
  const facts = {
    cwd: stringAt(record, 'cwd'),
    branch: stringAt(record, 'gitBranch'),
    version: stringAt(record, 'version')
  }
  return stated({ sessionId: stringAt(record, 'sessionId'), ...facts, model })
}
