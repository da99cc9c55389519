import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestList } from '../../requests/request-list.ts'
import { type Usage, usageOf } from '../../requests/usage.ts'
import type { LogFormat } from '../log-format.ts'
import { LogReader } from '../log-reader.ts'
import { claudeStreamJson } from './stream-json.ts'
import { claudeTranscript } from './transcript.ts'

/** Runs of Claude Code whose requests are known: however its lines state them, each counts once. */

interface Sent {
  readonly input_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation_input_tokens: number
  readonly output_tokens: number
}

/** Few values, so that requests send equally many tokens. */
const count = fc.constantFrom(1, 2, 3, 10, 500)
const usage: fc.Arbitrary<Sent> = fc.record({
  input_tokens: count,
  cache_read_input_tokens: fc.constantFrom(0, 7, 1000),
  cache_creation_input_tokens: fc.constantFrom(0, 20),
  output_tokens: count
})

/** How ids are given: by the vendor, by a relay that gives all answers one id, with and without ids of the requests. */
const naming = fc.constantFrom('own', 'own, no request', 'relay', 'relay, no request' as const)

const request = fc.record({
  usage,
  /** Lines of the message; the tools of all but the last have their result before the next line. */
  lines: fc.integer({ min: 1, max: 3 }),
  /** Its tools end while it is still being written. */
  isFast: fc.boolean(),
  /** In a transcript: how a later line repeats it. */
  copied: fc.constantFrom('no', 'no', 'same uuid', 'forked', 'without its request' as const)
})
type Request = typeof request extends fc.Arbitrary<infer R> ? R : never

const turn = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 4 }),
  /** Turns that begin before its result is printed; -1: it is never printed, as the process was killed. */
  late: fc.constantFrom(0, 0, 1, 2, -1),
  /** What the result states beyond the requests of the log. */
  unseen: fc.constantFrom(0, 0, 0, 41),
  hasInit: fc.boolean()
})

const process = fc.record({ naming, turns: fc.array(turn, { minLength: 1, maxLength: 5 }), isPartial: fc.boolean() })
type Process = typeof process extends fc.Arbitrary<infer P> ? P : never

class Writer {
  readonly lines: object[] = []
  truth = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  #ids = 0

  id(): number {
    return this.#ids++
  }

  count({ input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens }: Sent): void {
    this.truth.input += input_tokens
    this.truth.cacheRead += cache_read_input_tokens
    this.truth.cacheWrite += cache_creation_input_tokens
    this.truth.output += output_tokens
  }

  /** The ids of a request: of its message, and its own. */
  names(by: Process['naming']): { readonly id: string; readonly requestId: string | undefined } {
    const number = this.id()
    const unique = `01Q${String(number).padStart(4, '0')}AbCdEfGhJkLmNpQr7`
    return {
      id: by.startsWith('own') ? `msg_${unique}` : by === 'relay' ? 'ocgo' : 'chatcmpl',
      requestId: by.endsWith('no request') ? undefined : `req_${unique}`
    }
  }
}

function message(id: string, text: string | number, sent: Sent, stopped: boolean): object {
  const content =
    typeof text === 'number' ? { type: 'tool_use', id: `t${text}`, name: 'Bash', input: {} } : { type: 'text', text }
  const rest = { role: 'assistant', model: 'm', stop_reason: stopped ? 'tool_use' : null, usage: sent }
  return { type: 'assistant', message: { id, content: [content], ...rest } }
}

function result(call: number): object {
  return {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${call}`, content: 'x' }] }
  }
}

/** A relay's lines tell two requests apart only by what stands between them. */
function isFast({ isFast }: Request, by: Process['naming']): boolean {
  return isFast && by !== 'relay, no request'
}

/** The lines of a process. */
function printed(out: Writer, { naming, turns, isPartial }: Process, session: string): object[] {
  const common = { session_id: session, parent_tool_use_id: null }
  const lines: object[] = []
  const due: { at: number; line: object }[] = []
  const isKilled = turns.at(-1)?.late === -1
  const line = (said: object): void => void lines.push({ ...said, uuid: `u${out.id()}`, ...common })
  for (const [at, { requests, late, unseen, hasInit }] of turns.entries()) {
    // Without its line a turn begins where the one before has ended.
    if (hasInit || at === 0 || due.length > 0)
      line({ type: 'system', subtype: 'init', cwd: '/w', tools: [], model: 'm' })
    const text = `Answer ${out.id()}`
    const sum = { input_tokens: unseen, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 0 }
    for (const [place, one] of requests.entries()) {
      const { id, requestId } = out.names(naming)
      for (const said of answer(out, one, place === requests.length - 1 ? text : undefined, id, {
        isPartial,
        isFast: isFast(one, naming) || isPartial
      }))
        line({ ...said, request_id: requestId })
      for (const key of Object.keys(one.usage) as (keyof Sent)[]) sum[key] += one.usage[key]
    }
    const isMissing = isKilled && at === turns.length - 1
    out.count(isMissing ? { ...sum, input_tokens: sum.input_tokens - unseen } : sum)
    if (!isMissing) {
      const said = { type: 'result', subtype: 'success', is_error: false, result: text, usage: sum }
      // Results are in the order of their turns.
      due.push({ at: Math.max(at + Math.max(0, late), ...due.map((one) => one.at)), line: said })
    }
    while (due[0] !== undefined && due[0].at <= at) line(due.shift()?.line ?? {})
  }
  for (const one of due) line(one.line)
  return lines
}

/** The lines of a message and the results of its calls. `text`: the last answer of a turn. */
function* answer(
  out: Writer,
  { lines, usage: sent }: Request,
  text: string | undefined,
  id: string,
  { isPartial, isFast }: { readonly isPartial: boolean; readonly isFast: boolean }
): Generator<object> {
  if (isPartial) yield { type: 'stream_event', event: { type: 'message_start', message: { id } } }
  const calls: number[] = []
  for (let block = 1; block < lines; block++) {
    const call = out.id()
    yield message(id, call, { ...sent, output_tokens: 1 }, false)
    if (isFast) yield result(call)
    else calls.push(call)
  }
  const last = out.id()
  yield message(id, text ?? last, sent, true)
  const delta = { type: 'message_delta', usage: { output_tokens: sent.output_tokens } }
  if (isPartial) yield { type: 'stream_event', event: delta }
  if (text === undefined) calls.push(last)
  for (const call of calls) yield result(call)
}

/** Processes one after the other, or two at the same time. */
function logOf(processes: readonly Process[], isMixed: boolean, picks: readonly boolean[]): Writer {
  const out = new Writer()
  const streams = processes.map((one, index) => printed(out, one, isMixed ? `p${index}` : `s${index % 2}`))
  if (!isMixed) out.lines.push(...streams.flat())
  else {
    for (let at = 0; streams.some((lines) => lines.length > 0); at++) {
      const open = streams.filter((lines) => lines.length > 0)
      const from = picks[at % picks.length] === true ? 0 : at % open.length
      out.lines.push(...(open[from]?.splice(0, 1) ?? []))
    }
  }
  return out
}

function transcript(by: Process['naming'], requests: readonly Request[]): Writer {
  const out = new Writer()
  const common = { sessionId: 's', cwd: '/w', isSidechain: false }
  const copies: object[] = []
  let parent: string | null = null
  const line = (said: object, copied: Request['copied'] = 'no', requestId?: string): void => {
    const uuid = `u${out.id()}`
    const whole = { ...common, ...said, requestId, parentUuid: parent }
    out.lines.push({ ...whole, uuid })
    parent = uuid
    const own = `u${out.id()}`
    if (copied === 'same uuid') copies.push({ ...whole, uuid })
    if (copied === 'forked') copies.push({ ...whole, uuid: own, forkedFrom: { sessionId: 's', messageUuid: uuid } })
    if (copied === 'without its request') copies.push({ ...whole, uuid: own, requestId: undefined })
  }
  line({ type: 'user', message: { role: 'user', content: 'Go' } })
  for (const one of requests) {
    const { id, requestId } = out.names(by)
    // Only its ids tell a line without them from that of another request.
    const copied = one.copied === 'without its request' && by.startsWith('relay') ? 'no' : one.copied
    const calls: number[] = []
    for (let block = 0; block < one.lines; block++) {
      const call = out.id()
      const isLast = block === one.lines - 1
      line(message(id, call, isLast ? one.usage : { ...one.usage, output_tokens: 1 }, isLast), copied, requestId)
      if (isFast(one, by)) line(result(call), copied)
      else calls.push(call)
    }
    for (const call of calls) line(result(call), copied)
    if (one.copied === 'same uuid') out.lines.push(...copies.splice(0))
    out.count(one.usage)
  }
  out.lines.push(...copies)
  return out
}

function usageIn(format: LogFormat, lines: readonly object[], cut: number): Usage | null {
  const list = new RequestList()
  const reader = new LogReader(format, { line: ({ tokens = [] }) => tokens.forEach((note) => list.add(note, 0, 0)) })
  const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  reader.push(bytes.slice(0, cut % bytes.length))
  reader.push(bytes.slice(cut % bytes.length))
  reader.end()
  return usageOf(list)
}

test('a stream of several processes and turns: each request once, wherever results are printed', () => {
  fc.assert(
    fc.property(
      ...[fc.array(process, { minLength: 1, maxLength: 4 }), fc.boolean()],
      ...[fc.array(fc.boolean(), { minLength: 1 }), fc.nat()],
      (processes, isMixed, picks, cut) => {
        const { lines, truth } = logOf(processes, isMixed, picks)
        expect(usageIn(claudeStreamJson, lines, cut)).toMatchObject(truth)
      }
    ),
    { numRuns: 150 }
  )
})

test('a transcript with copied lines: each request once, whoever gives the ids', () => {
  fc.assert(
    fc.property(naming, fc.array(request, { minLength: 1, maxLength: 8 }), fc.nat(), (by, requests, cut) => {
      const { lines, truth } = transcript(by, requests)
      expect(usageIn(claudeTranscript, lines, cut)).toMatchObject({ requests: requests.length, ...truth })
    }),
    { numRuns: 150 }
  )
})
