import * as z from 'zod'
import type { TurnCompleted } from '../../events/agent-event.ts'
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../json.ts'
import { EventSequence } from '../event-sequence.ts'
import { type IssueDraft, unknownType } from '../issue.ts'
import { isTooDeep, jsonText, tooDeepIssue } from '../json-depth.ts'
import { type Decoded, type EventDraft, type Fold, type FoldContext, type FoldResult } from '../log-format.ts'
import { lineId, type LinePosition, type LogFormat } from '../log-format.ts'
import { malformedDrafts } from '../malformed.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { fileNameOf } from '../run-search.ts'
import { cursorRunFiles } from './run-files.ts'
import { cursorStore } from './store.ts'
import { mergedEntries, type TodoEntry, type TodoPatch, todoPatches, writtenEntries } from './todo-entries.ts'
import { isInjected, promptOf, promptTime } from './transcript-prompt.ts'

/** What the fold does with each draft of a record, in their order. */
export type CursorTranscriptStep =
  | { readonly kind: 'say' }
  /** A call that writes the list: `merge` changes only the entries it names, and its draft is made by the fold. */
  | { readonly kind: 'write'; readonly id: string; readonly patches: readonly TodoPatch[]; readonly merge: boolean }

export interface CursorTranscriptDecoded extends Decoded {
  /** The n-th is of the n-th draft. */
  readonly steps: readonly CursorTranscriptStep[]
}

/** Merges todo lists, one for each file. What came of a call is not in the log, so a list counts as called. */
class CursorTranscriptFold implements Fold<CursorTranscriptDecoded> {
  private readonly sequence: EventSequence
  /** By file; '' is the main one. */
  private readonly lists = new Map<string, readonly TodoEntry[]>()

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
  }

  add(at: LinePosition, { drafts, steps, time }: CursorTranscriptDecoded): FoldResult {
    // Nothing says which call started a subagent.
    const track = at.file === undefined ? undefined : fileNameOf(at.file).replace(/\.jsonl$/, '')
    this.sequence.begin(at, time, undefined)
    for (const [body, draft] of drafts.entries()) {
      const step = steps[body]
      if (step?.kind !== 'write') {
        this.sequence.emit(draft, body, track)
        continue
      }
      const before = this.lists.get(at.file ?? '') ?? []
      const list = mergedEntries(step.merge ? before : [], step.patches)
      this.lists.set(at.file ?? '', list)
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
}

/**
 * The transcripts under `~/.cursor/projects/<folder>/agent-transcripts` that Cursor writes for hooks and tools:
 * docs/formats/cursor-transcript.md.
 */
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
  decodeMalformed: (text, issue, cut) => {
    const drafts = malformedDrafts(text, issue, cut)
    return { drafts, issues: [issue], steps: drafts.map(() => say) }
  },
  createFold: (context) => new CursorTranscriptFold(context),
  stateClasses: () => [CursorTranscriptFold, EventSequence],
  store: cursorStore,
  runFiles: cursorRunFiles,
  session: { facts: () => null, isInjected, lacks: ['project', 'model'] }
}

const say: CursorTranscriptStep = { kind: 'say' }

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

/** Collects what a record says. */
class Builder {
  readonly drafts: EventDraft[] = []
  readonly steps: CursorTranscriptStep[] = []
  readonly issues: IssueDraft[] = []

  add(draft: EventDraft, step: CursorTranscriptStep = say): void {
    this.drafts.push(draft)
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
    else out.issues.push({ code: 'UnknownType', path: '$.role', message: 'unknown role' })
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

/** What the person asked, or what the program says in their name; results of tools stand here in older versions. Gives its time. */
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
      // Where a thought was, there is this word.
      const text = (stringAt(block, 'text') ?? '').replace(/\s*\[REDACTED\]\s*$/, '')
      if (text !== '') out.add({ type: 'text', text, role: 'assistant', category: 'assistant-message' })
      return
    }
    case 'tool_use':
      return readCall(out, block, stringAt(block, 'id') || lineId(at.line, index), `${path}.input`)
    case 'tool_result':
      return readResult(out, block)
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
  const patches = toolName === 'TodoWrite' ? todoPatches(arrayAt(input, 'todos')) : null
  if (patches !== null) {
    const items = writtenEntries(patches).map(({ item }) => item)
    out.add({ type: 'todo_list', todoId: toolId, items }, write(toolId, patches, input['merge'] === true))
    return
  }
  const tooDeep = isTooDeep(input)
  if (tooDeep) out.issues.push(tooDeepIssue(path))
  out.add({ type: 'tool.started', toolName, toolId, input: tooDeep ? {} : input })
}

function write(id: string, patches: readonly TodoPatch[], merge: boolean): CursorTranscriptStep {
  return { kind: 'write', id, patches, merge }
}

function readResult(out: Builder, block: JsonObject): void {
  const toolId = stringAt(block, 'tool_use_id')
  if (toolId === undefined) return
  const { content } = block
  const text = typeof content === 'string' ? content : content === undefined ? '' : jsonText(content)
  const failed = block['is_error'] === true
  out.add({ type: 'tool.completed', toolId, ...(failed ? { error: text } : { output: text }) })
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
