import * as z from 'zod'
import { dropOldest } from '../../drop-oldest.ts'
import type { ToolCompleted, TurnCompleted } from '../../events/agent-event.ts'
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../json.ts'
import { EventSequence } from '../event-sequence.ts'
import { unknownType } from '../issue.ts'
import { callInput, jsonText } from '../json-depth.ts'
import { type Decoded, type EventDraft, type Fold, type FoldContext, type FoldResult } from '../log-format.ts'
import { lineId, type LinePosition, type LogFormat } from '../log-format.ts'
import { malformedDrafts } from '../malformed.ts'
import { RecordBuilder } from '../record-builder.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { fileNameOf } from '../run-search.ts'
import { toolCompleted } from '../tool-completed.ts'
import { cursorRunFiles } from './run-files.ts'
import { cursorStore } from './store.ts'
import { mergedEntries, type TodoEntry, type TodoPatch, todoPatches, writtenEntries } from './todo-entries.ts'
import { isInjected, promptOf, promptTime } from './transcript-prompt.ts'
import { cursorTranscriptValues } from './values.ts'

/** The operation on each draft, in order. */
export type CursorTranscriptStep =
  | { readonly kind: 'emit' }
  /** A call that writes the list. `merge`: changes only the named entries, and the fold makes the draft. */
  | { readonly kind: 'write'; readonly id: string; readonly patches: readonly TodoPatch[]; readonly merge: boolean }

export interface CursorTranscriptDecoded extends Decoded {
  /** By draft. */
  readonly steps: readonly CursorTranscriptStep[]
}

/** Limit of calls whose results may follow. */
const maxOpenCalls = 100

/** Merges todo lists, one per file. A transcript has no results, so each call counts; a chat has some. */
class CursorTranscriptFold implements Fold<CursorTranscriptDecoded> {
  private readonly sequence: EventSequence
  /** By file; '' is the main one. */
  private readonly lists = new Map<string, readonly TodoEntry[]>()
  /** By call: the list before it. */
  private readonly before = new Map<string, readonly TodoEntry[]>()

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
  }

  add(at: LinePosition, { drafts, steps, time }: CursorTranscriptDecoded): FoldResult {
    // The call of a subagent is unknown.
    const track = at.file === undefined ? undefined : fileNameOf(at.file).replace(/\.jsonl$/, '')
    this.sequence.begin(at, time, undefined)
    for (const [body, draft] of drafts.entries()) {
      const step = steps[body]
      if (step?.kind !== 'write') {
        const former = draft.type === 'tool.completed' ? this.before.get(draft.toolId) : undefined
        this.sequence.emit(draft, body, track, former === undefined ? {} : { toolName: todoTool })
        if (draft.type === 'tool.completed' && former !== undefined) this.settle(at, draft, former, track)
        continue
      }
      const before = this.lists.get(at.file ?? '') ?? []
      const list = mergedEntries(step.merge ? before : [], step.patches)
      this.lists.set(at.file ?? '', list)
      this.before.set(step.id, before)
      dropOldest(this.before, this.before.size - maxOpenCalls)
      this.sequence.called(step.id)
      if (!step.merge) this.sequence.emit(draft, body, track)
      else {
        const items = list.map(({ item }) => item)
        this.sequence.emit({ type: 'todo_list', todoId: step.id, items }, -1, track)
      }
    }
    return this.sequence.drain(track)
  }

  end(): FoldResult {
    return this.sequence.drain()
  }

  /** A refusal brings back the list before. */
  private settle(
    at: LinePosition,
    result: ToolCompleted,
    former: readonly TodoEntry[],
    track: string | undefined
  ): void {
    this.before.delete(result.toolId)
    if (result.error === undefined) return
    this.lists.set(at.file ?? '', former)
    this.sequence.emit({ type: 'todo_list', todoId: result.toolId, items: former.map(({ item }) => item) }, -1, track)
  }
}

/** `~/.cursor/projects/<folder>/agent-transcripts`, for hooks and tools: docs/formats/cursor-transcript.md. */
export const cursorTranscript: LogFormat<CursorTranscriptDecoded> = {
  id: 'cursor-transcript',
  title: 'Cursor transcript',
  agentType: 'cursor-agent',
  detectors: [
    { strength: 'conclusive', holds: (r) => r['type'] === 'turn_ended' && stringAt(r, 'status') !== undefined },
    { strength: 'typical', holds: isMessage }
  ],
  textDetectors: [{ strength: 'typical', holds: (text) => /^\{"role":"(?:user|assistant)","message":\{/.test(text) }],
  decode,
  values: cursorTranscriptValues,
  decodeMalformed: (text, issue, cut) => {
    const drafts = malformedDrafts(text, issue, cut)
    return { drafts, issues: [issue], steps: drafts.map(() => emit) }
  },
  createFold: (context) => new CursorTranscriptFold(context),
  stateClasses: () => [CursorTranscriptFold, EventSequence],
  store: cursorStore,
  runFiles: cursorRunFiles,
  session: { facts: () => null, isInjected, lacks: ['project', 'model'] }
}

const todoTool = 'TodoWrite'
const emit: CursorTranscriptStep = { kind: 'emit' }

/** docs/formats/cursor-transcript.md#a-message-has-a-role-and-nothing-else */
function isMessage(r: JsonObject): boolean {
  const { role } = r
  if (role !== 'user' && role !== 'assistant') return false
  const content = objectAt(r, 'message')?.['content']
  return Object.keys(r).length === 2 && (typeof content === 'string' || Array.isArray(content))
}

const message = z.object({
  role: z.string(),
  message: z.object({ content: z.union([z.string(), z.array(z.unknown())]) })
})
const turnEnded = z.object({ type: z.string(), status: z.string() })

/** Collects the meaning of a record. */
class Builder extends RecordBuilder {
  readonly steps: CursorTranscriptStep[] = []

  add(draft: EventDraft, step: CursorTranscriptStep = emit): void {
    this.draft(draft)
    this.steps.push(step)
  }
}

function decode(value: JsonValue, at: LinePosition): CursorTranscriptDecoded {
  const out = new Builder()
  let time: number | undefined
  const role = isJsonObject(value) ? stringAt(value, 'role') : undefined
  if (!isJsonObject(value)) out.issues.push(...requiredIssues(typedRecord, value))
  else if (role !== undefined && value['type'] === undefined) {
    out.issues.push(...requiredIssues(message, value))
    const blocks = blocksOf(value)
    if (role === 'user') time = readUser(out, blocks)
    else if (role === 'assistant') for (const [index, block] of blocks.entries()) readBlock(out, block, at, index)
  } else if (value['type'] === 'turn_ended') {
    out.issues.push(...requiredIssues(turnEnded, value))
    readEnd(out, value)
  } else {
    const found = requiredIssues(typedRecord, value)
    out.issues.push(...(found.length > 0 ? found : [unknownType()]))
  }
  return { drafts: out.drafts, issues: out.issues, steps: out.steps, time }
}

function blocksOf(record: JsonObject): readonly JsonValue[] {
  const content = objectAt(record, 'message')?.['content']
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as readonly JsonValue[]) : []
}

/** Reads a prompt or injected text; older versions have tool results here. Returns its time. */
function readUser(out: Builder, blocks: readonly JsonValue[]): number | undefined {
  const texts: string[] = []
  for (const block of blocks) {
    if (!isJsonObject(block)) continue
    const text = stringAt(block, 'text')
    if (text !== undefined) texts.push(text)
    else if (block['type'] === 'tool_result') readResult(out, block)
    else if (block['type'] === 'image') texts.push('[image]')
  }
  const said = texts.join('\n')
  const prompt = promptOf(said)
  if (isInjected(prompt)) out.add({ type: 'text', text: prompt, role: 'system', category: 'status' })
  else if (prompt !== '') out.add({ type: 'text', text: prompt, role: 'user', category: 'user-message' })
  return promptTime(said)
}

function readBlock(out: Builder, block: JsonValue, at: LinePosition, index: number): void {
  if (!isJsonObject(block)) return
  const path = `$.message.content[${index}]`
  switch (block['type']) {
    case 'text': {
      // Stands for a thought.
      const text = (stringAt(block, 'text') ?? '').replace(/\s*\[REDACTED\]\s*$/, '')
      if (text !== '') out.add({ type: 'text', text, role: 'assistant', category: 'assistant-message' })
      return
    }
    case 'tool_use':
      return readCall(out, block, stringAt(block, 'id') || lineId(at.line, index), `${path}.input`)
    case 'tool_result':
      return readResult(out, block)
    case 'reasoning': {
      const text = stringAt(block, 'text') ?? ''
      if (text.trim() !== '') out.add({ type: 'text', text, role: 'assistant', category: 'reasoning' })
      return
    }
    case 'redacted':
    case 'thinking':
      return
    default:
      out.issues.push({ code: 'UnknownBlock', path: `${path}.type`, message: 'unknown block' })
  }
}

function readCall(out: Builder, block: JsonObject, toolId: string, path: string): void {
  const toolName = stringAt(block, 'name') ?? 'tool'
  const input = objectAt(block, 'input') ?? {}
  const patches = toolName === todoTool ? todoPatches(arrayAt(input, 'todos')) : null
  if (patches !== null) {
    const items = writtenEntries(patches).map(({ item }) => item)
    out.add({ type: 'todo_list', todoId: toolId, items }, write(toolId, patches, input['merge'] === true))
    return
  }
  out.add({ type: 'tool.started', toolName, toolId, input: callInput(input, path, out.issues) })
}

function write(id: string, patches: readonly TodoPatch[], merge: boolean): CursorTranscriptStep {
  return { kind: 'write', id, patches, merge }
}

function readResult(out: Builder, block: JsonObject): void {
  const toolId = stringAt(block, 'tool_use_id')
  if (toolId === undefined) return
  const { content } = block
  const text = typeof content === 'string' ? content : content === undefined ? '' : jsonText(content)
  out.add(toolCompleted(toolId, block['is_error'] === true, text))
}

const ends: Readonly<Record<string, TurnCompleted['finishReason']>> = {
  success: 'done',
  completed: 'done',
  aborted: 'cancelled',
  error: 'error'
}

function readEnd(out: Builder, record: JsonObject): void {
  const status = stringAt(record, 'status') ?? ''
  const error = stringAt(record, 'error') ?? ''
  const known = Object.hasOwn(ends, status) ? ends[status] : undefined
  if (known === undefined && status !== '') {
    out.issues.push({ code: 'UnknownSubtype', path: '$.status', message: 'unknown status' })
  }
  const stated = known ?? (error === '' ? 'done' : 'error')
  // `"status":"error","error":"User aborted request"`
  const finishReason = stated === 'error' && error.startsWith('User aborted') ? 'cancelled' : stated
  if (finishReason === 'error') out.add({ type: 'error', error: error || 'the turn failed' })
  out.add({ type: 'turn.completed', finishReason })
}
