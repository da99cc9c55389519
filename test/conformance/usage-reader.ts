import { readFileSync } from 'node:fs'

/**
 * A small reader of token counts that shares nothing with the product, for its sums to be compared with. It reads a log as one would with a
 * few lines of script: JSON line by line, the vendors' own names, the last word of each request.
 */
export interface Sums {
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
}

type Value = Record<string, unknown>

const none = (): Sums => ({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0 })
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
const objectOf = (value: unknown): Value => (typeof value === 'object' && value !== null ? (value as Value) : {})

function add(sums: Sums, input: number, cacheRead: number, cacheWrite: number, output: number): void {
  sums.input += input
  sums.cacheRead += cacheRead
  sums.cacheWrite += cacheWrite
  sums.output += output
}

/** The objects of a document, else those of its lines. */
function recordsOf(path: string): Value[] {
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  try {
    const document: unknown = JSON.parse(text)
    return Array.isArray(document) ? document.map(objectOf) : [objectOf(document)]
  } catch {
    // A record a line.
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [objectOf(JSON.parse(line))]
    } catch {
      return []
    }
  })
}

function claudeMessage(record: Value): { key: string; usage: Value; isFinal: boolean } | null {
  const data = objectOf(record['data'])
  const said = record['type'] === 'progress' && data['type'] === 'agent_progress' ? objectOf(data['message']) : record
  const message = objectOf(said['message'])
  if (said['type'] !== 'assistant' || message['usage'] === undefined || typeof message['id'] !== 'string') return null
  const isError = said['error'] !== undefined || said['isApiErrorMessage'] === true
  if (isError || message['model'] === '<synthetic>') return null
  const isFinal = typeof message['stop_reason'] === 'string'
  return { key: `${message['id']} ${String(said['requestId'] ?? '')}`, usage: objectOf(message['usage']), isFinal }
}

function addClaude(sums: Sums, usage: Value, output = numberOf(usage['output_tokens'])): void {
  const [read, write] = [usage['cache_read_input_tokens'], usage['cache_creation_input_tokens']]
  add(sums, numberOf(usage['input_tokens']), numberOf(read), numberOf(write), output)
}

/** A session and the files of its subagents: every message once, by its last line. */
export function claudeTranscriptSums(paths: readonly string[]): Sums {
  const sums = none()
  const last = new Map<string, Value>()
  for (const record of paths.flatMap(recordsOf)) {
    const message = claudeMessage(record)
    if (message !== null) last.set(message.key, message.usage)
  }
  for (const usage of last.values()) addClaude(sums, usage)
  return sums
}

/**
 * Messages of the main agent and what results state of them, whichever is more; results may be late, so they count together. Messages after
 * the last result, and those of subagents, are in no result. A message states its output only at its end.
 */
export function claudeStreamSums(path: string): Sums {
  const ofMain = new Map<string, Value>()
  const ofOthers = new Map<string, Value>()
  const outputs = new Map<string, number>()
  const stated = none()
  let after = new Set<string>()
  let streamed = ''
  for (const record of recordsOf(path)) {
    const message = claudeMessage(record)
    if (message !== null) {
      streamed = message.key
      const isMain = (record['parent_tool_use_id'] ?? null) === null
      if (isMain) after.add(message.key)
      ;(isMain ? ofMain : ofOthers).set(message.key, message.usage)
      if (message.isFinal) outputs.set(message.key, numberOf(message.usage['output_tokens']))
    }
    const event = objectOf(record['event'])
    if (event['type'] === 'message_delta') outputs.set(streamed, numberOf(objectOf(event['usage'])['output_tokens']))
    if (record['type'] !== 'result') continue
    addClaude(stated, objectOf(record['usage']))
    after = new Set()
  }
  const sums = none()
  const main = none()
  for (const [key, usage] of ofOthers) addClaude(sums, usage, outputs.get(key) ?? 0)
  for (const [key, usage] of ofMain) {
    addClaude(main, usage, outputs.get(key) ?? 0)
    if (after.has(key)) addClaude(stated, usage, outputs.get(key) ?? 0)
  }
  for (const name of Object.keys(sums) as (keyof Sums)[]) sums[name] += Math.max(main[name], stated[name])
  return sums
}

/** What each answer took, where the totals of the thread have moved. */
export function rolloutSums(paths: readonly string[]): Sums {
  const sums = none()
  for (const path of paths) {
    let before = ''
    for (const record of recordsOf(path)) {
      const payload = objectOf(record['payload'])
      const info = payload['type'] === 'token_count' ? objectOf(payload['info']) : {}
      const isRecord = record['type'] === 'token_usage_record'
      const total = isRecord ? payload['thread_token_usage'] : info['total_token_usage']
      const usage = objectOf(isRecord ? payload['usage'] : info['last_token_usage'])
      if (total === undefined || total === null || sortedText(total) === before) continue
      before = sortedText(total)
      addCodex(sums, usage)
    }
  }
  return sums
}

const sortedText = (value: unknown): string => JSON.stringify(Object.entries(objectOf(value)).sort())

function addCodex(sums: Sums, usage: Value): void {
  const cached = numberOf(usage['cached_input_tokens'])
  const write = numberOf(usage['cache_write_input_tokens'])
  add(sums, numberOf(usage['input_tokens']) - cached - write, cached, write, numberOf(usage['output_tokens']))
}

/** The totals of each thread at its last turn. */
export function execSums(path: string): Sums {
  const sums = none()
  const totals = new Map<string, Value>()
  let thread = ''
  for (const record of recordsOf(path)) {
    if (record['type'] === 'thread.started') thread = String(record['thread_id'])
    if (record['type'] === 'turn.completed' && record['usage'] !== undefined)
      totals.set(thread, objectOf(record['usage']))
    const message = objectOf(record['msg'])
    const info = objectOf(message['info'])
    if (message['type'] !== 'token_count') continue
    totals.set(thread, objectOf(info['total_token_usage'] ?? message))
  }
  for (const usage of totals.values()) addCodex(sums, usage)
  return sums
}

/** Every message once. Thoughts are output, what tools sent is input. */
export function geminiChatSums(paths: readonly string[]): Sums {
  const sums = none()
  const last = new Map<string, Value>()
  const take = (value: unknown): void => {
    const message = objectOf(value)
    if (message['tokens'] !== undefined && message['tokens'] !== null)
      last.set(String(message['id']), objectOf(message['tokens']))
    for (const key of ['messages', '$set']) {
      const inner = message[key]
      if (Array.isArray(inner)) inner.forEach(take)
      else if (inner !== undefined) take(inner)
    }
  }
  paths.flatMap(recordsOf).forEach(take)
  for (const tokens of last.values()) {
    const { cached, tool, thoughts } = tokens
    const fresh = numberOf(tokens['input']) - numberOf(cached) + numberOf(tool)
    add(sums, fresh, numberOf(cached), 0, numberOf(tokens['output']) + numberOf(thoughts))
  }
  return sums
}

export function geminiStreamSums(path: string): Sums {
  const sums = none()
  for (const record of recordsOf(path)) {
    if (record['type'] !== 'result' || record['stats'] === undefined) continue
    const stats = objectOf(record['stats'])
    const cached = numberOf(stats['cached'])
    add(sums, numberOf(stats['input_tokens']) - cached, cached, 0, numberOf(stats['output_tokens']))
  }
  return sums
}

export function cursorSums(path: string): Sums {
  const sums = none()
  for (const record of recordsOf(path)) {
    const usage = objectOf(record['usage'])
    if (record['type'] !== 'result') continue
    const [read, write] = [usage['cacheReadTokens'], usage['cacheWriteTokens']]
    add(sums, numberOf(usage['inputTokens']), numberOf(read), numberOf(write), numberOf(usage['outputTokens']))
  }
  return sums
}

/** The last total of each thread, less what its first count says of requests before this process. */
export function appServerSums(path: string): Sums {
  const sums = none()
  const seen = new Map<string, string>()
  let begun = false
  for (const record of recordsOf(path)) {
    if (record['method'] === 'turn/started') begun = true
    if (record['method'] !== 'thread/tokenUsage/updated') continue
    const params = objectOf(record['params'])
    const usage = objectOf(params['tokenUsage'])
    const total = sortedText(usage['total'])
    const isSame = seen.get(String(params['threadId'])) === total
    seen.set(String(params['threadId']), total)
    const last = objectOf(usage['last'])
    const [cached, write] = [numberOf(last['cachedInputTokens']), numberOf(last['cacheWriteInputTokens'])]
    if (!isSame && begun)
      add(sums, numberOf(last['inputTokens']) - cached - write, cached, write, numberOf(last['outputTokens']))
  }
  return sums
}

/** Every answer of pi; reasoning is in the output. */
export function piSums(path: string): Sums {
  const sums = none()
  const last = new Map<string, Value>()
  for (const record of recordsOf(path)) {
    const message = objectOf(record['message'])
    const usage = objectOf(message['usage'])
    if (record['type'] === 'message' && message['role'] === 'assistant')
      last.set(String(record['id'] ?? record['timestamp']), usage)
  }
  for (const { input, cacheRead, cacheWrite, output } of last.values())
    add(sums, numberOf(input), numberOf(cacheRead), numberOf(cacheWrite), numberOf(output))
  return sums
}

/** Every step of opencode, at any depth of a document or a line; reasoning is beside the output. */
export function opencodeSums(path: string): Sums {
  const sums = none()
  const take = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(take)
    const part = objectOf(value)
    if (part['type'] === 'step-finish') {
      const tokens = objectOf(part['tokens'])
      const cache = objectOf(tokens['cache'])
      const output = numberOf(tokens['output']) + numberOf(tokens['reasoning'])
      add(sums, numberOf(tokens['input']), numberOf(cache['read']), numberOf(cache['write']), output)
    }
    for (const inner of [part['part'], part['parts'], part['messages']]) if (inner !== undefined) take(inner)
  }
  recordsOf(path).forEach(take)
  return sums
}

/** Outputs of messages; what the ends of processes state beside them. */
export function copilotSums(path: string): Sums {
  const sums = none()
  let [said, ended] = [0, 0]
  for (const record of recordsOf(path)) {
    const data = objectOf(record['data'])
    if (record['type'] === 'assistant.message') said += numberOf(data['outputTokens'])
    if (record['type'] !== 'session.shutdown') continue
    const metrics = Object.values(objectOf(data['modelMetrics'])).map((metric) => objectOf(objectOf(metric)['usage']))
    const details = objectOf(data['tokenDetails'])
    const tokens = (name: string): number => numberOf(objectOf(details[name])['tokenCount'])
    for (const usage of metrics.filter((one) => Object.keys(one).length > 0)) {
      const [read, write] = [numberOf(usage['cacheReadTokens']), numberOf(usage['cacheWriteTokens'])]
      add(sums, numberOf(usage['inputTokens']) - read - write, read, write, 0)
      ended += numberOf(usage['outputTokens'])
    }
    if (metrics.some((usage) => Object.keys(usage).length > 0)) continue
    add(sums, tokens('input'), tokens('cache_read'), tokens('cache_write'), 0)
    ended += tokens('output')
  }
  sums.output = Math.max(said, ended)
  return sums
}

/** Steps of Kimi Code, and requests outside of them. */
export function kimiSums(path: string): Sums {
  const sums = none()
  for (const record of recordsOf(path)) {
    const event = objectOf(record['event'])
    const isApart = record['type'] === 'usage.record' && record['usageScope'] === 'session'
    const usage = objectOf(isApart ? record['usage'] : event['type'] === 'step.end' ? event['usage'] : undefined)
    const [read, write] = [usage['inputCacheRead'], usage['inputCacheCreation']]
    add(sums, numberOf(usage['inputOther']), numberOf(read), numberOf(write), numberOf(usage['output']))
  }
  return sums
}

/** The steps of a trajectory. Some writers count what is cached apart, which shows where it is more than all. */
export function atifSums(path: string): Sums {
  const steps = recordsOf(path).flatMap(({ steps: all }) => (Array.isArray(all) ? all.map(objectOf) : []))
  const metrics = steps.map((step) => objectOf(step['metrics']))
  const isApart = metrics.some((one) => numberOf(one['cached_tokens']) > numberOf(one['prompt_tokens']))
  const sums = none()
  for (const { prompt_tokens: sent, cached_tokens: cached, completion_tokens: written } of metrics)
    add(sums, numberOf(sent) - (isApart ? 0 : numberOf(cached)), numberOf(cached), 0, numberOf(written))
  return sums
}

export function sweAgentSums(path: string): Sums {
  const sums = none()
  for (const document of recordsOf(path)) {
    const stats = objectOf(objectOf(document['info'])['model_stats'])
    add(sums, numberOf(stats['tokens_sent']), 0, 0, numberOf(stats['tokens_received']))
  }
  return sums
}
