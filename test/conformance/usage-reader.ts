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

function recordsOf(path: string): Value[] {
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  const records: Value[] = []
  for (const line of text.split('\n')) {
    try {
      records.push(objectOf(JSON.parse(line)))
    } catch {
      // A line that is no record.
    }
  }
  if (records.length > 1 || !/^\s*[[{]/.test(text)) return records
  try {
    const document: unknown = JSON.parse(text)
    return Array.isArray(document) ? document.map(objectOf) : [objectOf(document)]
  } catch {
    return records
  }
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

/** Messages for what was sent. For the output: results, and after the last one what messages state at their end. */
export function claudeStreamSums(path: string): Sums {
  const sums = none()
  let last = new Map<string, Value>()
  let outputs = new Map<string, number>()
  let streamed = ''
  const close = (stated: number): void => {
    for (const usage of last.values()) addClaude(sums, usage, 0)
    sums.output += Math.max(
      stated,
      [...outputs.values()].reduce((sum, output) => sum + output, 0)
    )
    last = new Map()
    outputs = new Map()
  }
  for (const record of recordsOf(path)) {
    const message = claudeMessage(record)
    if (message !== null) {
      streamed = message.key
      last.set(message.key, message.usage)
      if (message.isFinal) outputs.set(message.key, numberOf(message.usage['output_tokens']))
    }
    const event = objectOf(record['event'])
    if (event['type'] === 'message_delta') outputs.set(streamed, numberOf(objectOf(event['usage'])['output_tokens']))
    if (record['type'] === 'result') close(numberOf(objectOf(record['usage'])['output_tokens']))
  }
  close(0)
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
