import { arrayAt, isJsonObject, stringAt, type JsonObject } from '../../json.ts'
import { maxDepth } from '../json-depth.ts'
import { parseJson } from '../json-text.ts'
import { textHash } from '../text-hash.ts'
import { toolCompleted } from '../tool-completed.ts'
import { planItems } from './plan-items.ts'
import { scriptedPlans } from './plan-literal.ts'
import { statedDuration } from '../stated-amounts.ts'
import { addWholeCall, callIdOf, hostedCall, imagePrompt, inputOf } from './rollout-calls.ts'
import { itemTypes } from './rollout-contract.ts'
import type { PlanDraft, RolloutBuilder } from './rollout-decoded.ts'
import { addThought, promptDraft, shownText } from './rollout-texts.ts'
import { spawnedThread, textsIn, toolOutput } from './tool-output.ts'
import { promptOfItem } from './user-prompt.ts'

/** `bare`: a line of the old format. docs/formats/codex-rollout.md#items-are-what-the-model-saw-and-said. */
export function readItem(out: RolloutBuilder, item: JsonObject, bare: boolean): void {
  const type = stringAt(item, 'type') ?? ''
  const read = readers.get(type)
  if (read !== undefined) read(out, item, bare)
  else if (type !== '' && !itemTypes.has(type)) {
    out.notice('UnknownSubtype', `${out.path}.type`, 'unknown response item')
  }
}

type ItemReader = (out: RolloutBuilder, item: JsonObject, bare: boolean) => void

/** By `type`. */
const readers: ReadonlyMap<string, ItemReader> = new Map<string, ItemReader>([
  ['message', readMessage],
  ['reasoning', readReasoning],
  ['function_call', readFunctionCall],
  ['custom_tool_call', readCustomCall],
  ['function_call_output', readOutput],
  ['custom_tool_call_output', readOutput],
  ['local_shell_call_output', readOutput],
  ['local_shell_call', (out, item) => readCall(out, item, 'local_shell', inputOf(out, item['action'], 'action'))],
  ['web_search_call', (out, item) => readWholeCall(out, item, 'web_search', inputOf(out, item['action'], 'action'))],
  ['tool_search_call', readToolSearch],
  ['tool_search_output', readFoundTools],
  ['image_generation_call', (out, item) => readWholeCall(out, item, 'image_generation', imagePrompt(item))]
])

const knownParts = new Set([
  ...['input_text', 'output_text', 'text', 'input_image', 'output_image', 'input_audio', 'input_file', 'refusal'],
  'encrypted_content'
])

function readMessage(out: RolloutBuilder, item: JsonObject, bare: boolean): void {
  const role = item['role']
  reportParts(out, item)
  if (role === 'user') {
    const text = promptOfItem(item)
    out.steps.push({ kind: 'user-item', body: promptDraft(out, text), sure: bare })
    return nameItem(out, item, text ?? '')
  }
  if (role !== 'assistant') return
  const content = item['content']
  const text = typeof content === 'string' ? content : textsIn(item, 'content').join('\n')
  if (text === '') return
  const hash = textHash(shownText(text))
  const body = out.draft({ type: 'text', text, role: 'assistant', category: 'assistant-message' })
  out.steps.push({ kind: 'model-text', body, hash, by: 'item' })
  nameItem(out, item, text)
}

/** Reports the first unknown part of a message. */
function reportParts(out: RolloutBuilder, item: JsonObject): void {
  const parts = arrayAt(item, 'content') ?? []
  for (const [index, part] of parts.entries()) {
    const type = isJsonObject(part) ? part['type'] : undefined
    if (typeof type === 'string' && knownParts.has(type)) continue
    return out.notice('UnknownBlock', `${out.path}.content[${index}]`, 'unknown message part')
  }
}

/** Each summary is a thought, and may be recorded again on its own. */
function readReasoning(out: RolloutBuilder, item: JsonObject): void {
  let first: string | undefined
  for (const key of ['summary', 'content']) {
    for (const text of textsIn(item, key)) {
      first ??= text
      addThought(out, text, 'item')
    }
  }
  if (first !== undefined) nameItem(out, item, first)
}

function readFunctionCall(out: RolloutBuilder, item: JsonObject): void {
  const name = stringAt(item, 'name') ?? 'unknown tool'
  const argumentsText = stringAt(item, 'arguments')
  const input =
    argumentsText === undefined ? inputOf(out, item['arguments'], 'arguments') : parsedInput(out, argumentsText)
  if (argumentsText !== undefined) nameItem(out, item, argumentsText)
  if (name === 'update_plan') {
    const id = callIdOf(out, item)
    const items = planItems(input['plan'])
    const body = items === null ? -1 : out.draft({ type: 'todo_list', todoId: id, items })
    out.steps.push({ kind: 'plan', body, id, items })
    return
  }
  if (name === 'spawn_agent') {
    out.steps.push({ kind: 'spawn', id: callIdOf(out, item), taskName: stringAt(input, 'task_name') })
  }
  readCall(out, item, name, input)
}

/** `arguments` are JSON in a string, perhaps invalid. */
function parsedInput(out: RolloutBuilder, text: string): JsonObject {
  if (text === '') return {}
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonObject(parsed.value)) return { arguments: text }
  // A short text cannot be nested deeply.
  return text.length < maxDepth ? parsed.value : inputOf(out, parsed.value, 'arguments')
}

function readCustomCall(out: RolloutBuilder, item: JsonObject): void {
  const name = stringAt(item, 'name') ?? 'unknown tool'
  const input = stringAt(item, 'input') ?? ''
  nameItem(out, item, input)
  const id = readCall(out, item, name, { input })
  const step = out.steps.at(-1)
  if (name !== 'exec' || step?.kind !== 'call') return
  const plans = scriptPlans(out, input, id)
  if (plans.length > 0) out.steps[out.steps.length - 1] = { kind: 'call', body: step.body, id, plans }
}

/** docs/formats/codex-rollout.md#a-script-may-hold-plans */
function scriptPlans(out: RolloutBuilder, script: string, todoId: string): readonly PlanDraft[] {
  const plans: PlanDraft[] = []
  let unread = false
  for (const plan of scriptedPlans(script)) {
    const items = plan === null ? null : planItems(plan['plan'])
    if (items === null) unread = true
    else plans.push({ body: out.draft({ type: 'todo_list', todoId, items }), items })
  }
  if (unread) {
    const message = 'the script calls update_plan with a value that is not a plain literal, so its plan is unknown'
    out.issues.push({ code: 'PlanNotRead', path: `${out.path}.input`, message })
  }
  return plans
}

const noPlans: readonly PlanDraft[] = []

/** Adds a call; returns its id. */
function readCall(out: RolloutBuilder, item: JsonObject, toolName: string, input: JsonObject): string {
  const toolId = callIdOf(out, item)
  const body = out.draft({ type: 'tool.started', toolName, toolId, input })
  out.steps.push({ kind: 'call', body, id: toolId, plans: noPlans })
  return toolId
}

/** A call with a result by the model's host: a search, an image. */
function readWholeCall(out: RolloutBuilder, item: JsonObject, toolName: string, input: JsonObject): void {
  const id = callIdOf(out, item)
  const failed = item['status'] === 'failed'
  const call = { id, toolName, input, text: failed ? 'failed' : '', failed }
  addWholeCall(out, call, hostedCall(item, toolName, 'item'))
}

const toolSearch = 'tool_search'

/** docs/formats/codex-rollout.md#a-search-for-tools-is-a-call */
function readToolSearch(out: RolloutBuilder, item: JsonObject): void {
  const given = stringAt(item, 'arguments')
  const input = given === undefined ? inputOf(out, item['arguments'], 'arguments') : parsedInput(out, given)
  // Without the id of a call its host answers it, and nothing names the output.
  if (stringAt(item, 'call_id')) readCall(out, item, toolSearch, input)
  else readWholeCall(out, item, toolSearch, input)
}

function readFoundTools(out: RolloutBuilder, item: JsonObject): void {
  const id = stringAt(item, 'call_id')
  if (!id) return
  const failed = item['status'] === 'failed'
  const found = (arrayAt(item, 'tools') ?? []).flatMap((tool) => (isJsonObject(tool) ? toolNames(tool) : []))
  const text = failed && found.length === 0 ? 'failed' : found.join('\n')
  const body = out.draft(toolCompleted(id, failed, text))
  out.steps.push({ kind: 'result', body, id, failed, planAccepted: false, thread: undefined })
}

/** `namespace.tool` for the tools of a server. */
function toolNames(tool: JsonObject): readonly string[] {
  const name = stringAt(tool, 'name') ?? stringAt(tool, 'type') ?? 'unknown tool'
  const inner = arrayAt(tool, 'tools')
  if (inner === undefined) return [name]
  return inner.map((one) => `${name}.${(isJsonObject(one) ? stringAt(one, 'name') : undefined) ?? 'unknown tool'}`)
}

function readOutput(out: RolloutBuilder, item: JsonObject): void {
  const id = callIdOf(out, item)
  const { text, failed, seconds } = toolOutput(item['output'])
  const body = out.draft(toolCompleted(id, failed, text, statedDuration(seconds, 1000)))
  // The result of a spawn is short JSON.
  const thread = text.startsWith('{') && text.length < 1000 ? spawnedThread(text) : undefined
  out.steps.push({ kind: 'result', body, id, failed, planAccepted: text === 'Plan updated', thread })
  if (stringAt(item, 'id') !== undefined) nameItem(out, item, text)
}

/** Hashed characters of a text. */
const hashedLength = 40

/** Identifies an item to detect copies. An id alone is not enough, as some providers restart ids in each process. */
function nameItem(out: RolloutBuilder, item: JsonObject, text: string): void {
  out.itemId = stringAt(item, 'id') ?? stringAt(item, 'call_id')
  if (out.itemId !== undefined) out.itemHash = textHash(text.slice(0, hashedLength)) + text.length
}
