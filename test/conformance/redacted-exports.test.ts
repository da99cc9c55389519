import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { format, resolveConfig } from 'prettier'
import { describe, expect, test } from 'vitest'
import { AgentEvent } from '#core/events/agent-event.ts'
import { environment, folder, repository, sink } from '../command-line.ts'
import { askedOf } from './data-set.ts'
import { ordinaryTexts, type SecretCase, secretCases } from '../redaction-cases.ts'
import { contextShapes, tokenShapes } from '../redaction-shapes.ts'
import { redactionDocs } from '../redaction-docs.ts'
import { run } from '#cli/run.ts'

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const time = (second: number): string => new Date(Date.UTC(2026, 0, 2) + 1000 * second).toISOString()

/** How each format writes a prompt and the texts that answer it; `turn` counts from 0. */
const writers: Readonly<Record<string, (prompt: string, texts: readonly string[], turn: number) => object[]>> = {
  'claude-stream-json': (prompt, texts, turn) => {
    const of = (role: string, text: string) => ({
      type: role,
      message: { role, content: [{ type: 'text', text }] },
      parent_tool_use_id: null,
      session_id: 's1',
      timestamp: time(turn)
    })
    return [of('user', prompt), ...texts.map((text) => of('assistant', text))]
  },
  'claude-transcript': (prompt, texts, turn) =>
    [prompt, ...texts].map((text, i) => ({
      parentUuid: turn === 0 && i === 0 ? null : uuid(10 * turn + i - (i === 0 ? 9 : 1)),
      isSidechain: false,
      userType: 'external',
      cwd: '/w',
      sessionId: uuid(0),
      version: '2.1.330',
      type: i === 0 ? 'user' : 'assistant',
      uuid: uuid(10 * turn + i + 1),
      timestamp: time(turn),
      message:
        i === 0
          ? { role: 'user', content: text }
          : { id: `msg_${turn}`, type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text }] }
    })),
  'codex-rollout': (prompt, texts, turn) => [
    { timestamp: time(turn), type: 'event_msg', payload: { type: 'user_message', message: prompt } },
    ...texts.map((message) => ({
      timestamp: time(turn),
      type: 'event_msg',
      payload: { type: 'agent_message', message }
    }))
  ],
  'codex-exec-json': (_prompt, texts, turn) => [
    { type: 'turn.started' },
    ...texts.map((text, i) => ({
      type: 'item.completed',
      item: { id: `item_${turn}_${i}`, type: 'agent_message', text }
    })),
    { type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } }
  ],
  'gemini-chat': (prompt, texts, turn) => [
    { id: `u${turn}`, timestamp: time(turn), type: 'user', content: prompt },
    ...texts.map((content, i) => ({ id: `g${turn}-${i}`, timestamp: time(turn), type: 'gemini', content }))
  ]
}
const heads: Readonly<Record<string, object>> = {
  'claude-stream-json': { type: 'system', subtype: 'init', session_id: 's1', cwd: '/w', tools: [], model: 'm-1' },
  'codex-rollout': {
    timestamp: time(0),
    type: 'session_meta',
    payload: { id: 't', timestamp: time(0), cwd: '/w', cli_version: '0.169.0' }
  },
  'codex-exec-json': { type: 'thread.started', thread_id: 't' },
  'gemini-chat': { sessionId: 's1', projectHash: 'f00', startTime: time(0) }
}

/** Turns that fit into a report, which leaves out most of a long run. */
const turnsOfLog = 40

const ordinaryTurns = ordinaryTexts.map(([, text]) => [text])

/** Logs of a format with these texts. */
function logsOf(id: string, turns: readonly (readonly string[])[]): string[] {
  const write = writers[id]
  if (write === undefined) throw new Error(id)
  const logs: string[] = []
  for (let from = 0; from < turns.length; from += turnsOfLog) {
    const records = turns.slice(from, from + turnsOfLog).flatMap((texts, i) => write(`Question ${i}`, texts, i))
    logs.push([heads[id], ...records].flatMap((record) => (record ? [`${JSON.stringify(record)}\n`] : [])).join(''))
  }
  return logs
}

/** With a page that does nothing. */
const root = mkdtempSync(join(folder, 'root-'))
mkdirSync(join(root, 'out', 'shared'), { recursive: true })
for (const name of ['page.js', 'page.css', 'thread.js']) writeFileSync(join(root, 'out', 'shared', name), '')

async function exported(log: string, ...args: string[]): Promise<string> {
  const out = sink()
  const err = sink()
  const code = await run(
    ['export', log, ...args],
    environment({ stdout: out.stream, stderr: err.stream, root, variables: {} })
  )
  expect([code, code === 0 ? '' : err.text()]).toEqual([0, ''])
  return out.text()
}

/** The text of the log in a page. */
function pageText(html: string): string {
  const elements = html.matchAll(/<script type="application\/gzip" data-file="0">([^<]*)<\/script>/g)
  return gunzipSync(Buffer.concat([...elements].map(([, base64 = '']) => Buffer.from(base64, 'base64')))).toString()
}

/** Without what may stand in a secret: escapes of JSON and Markdown, line ends, colours, what has no shape. */
function bare(text: string): string {
  return text
    .replace(/\\u(?:200[b-d]|2060|feff|00ad|001b\[31m)/gi, '')
    .replace(/⟨U\+[0-9A-F]{4}⟩|[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replaceAll('\u001b', '')
    .replaceAll('[31m', '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/&#33;/g, '!')
    .replace(/(?:\\\\)?(?:\\r)?\\n|\s+/g, '')
    .replace(/\\/g, '')
}

/** The parts of a secret of which none may be left: of a long one also a piece of its middle and its end. */
function partsOf({ secret }: SecretCase): string[] {
  const whole = bare(secret)
  const middle = Math.floor(whole.length / 2)
  return whole.length < 20 ? [whole] : [whole, whole.slice(middle - 6, middle + 6), whole.slice(-9)]
}

async function exportedAll(paths: readonly string[], id: string, ...args: string[]): Promise<string> {
  return (await Promise.all(paths.map((path) => exported(path, '--format', id, ...args)))).join('\n')
}

const exports: Readonly<Record<string, (paths: readonly string[], id: string) => Promise<string>>> = {
  md: (paths, id) => exportedAll(paths, id, '--to', 'md'),
  atif: (paths, id) => exportedAll(paths, id, '--to', 'atif'),
  html: async (paths, id) =>
    (await Promise.all(paths.map(async (path) => pageText(await exported(path, '--format', id, '--to', 'html'))))).join(
      '\n'
    ),
  'jsonl --redact': (paths, id) => exportedAll(paths, id, '--redact'),
  'jsonl --redact --raw': (paths, id) => exportedAll(paths, id, '--redact', '--raw')
}
/** Those that hold few texts. */
const shortExports: typeof exports = { trace: (paths, id) => exportedAll(paths, id, '--to', 'trace') }

const splitSecret = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`

/** Texts before a secret, some of which end like a part of it. */
const textsBefore = ['All done', 'Done.', 'See', 'part 1', 'a-b', 'src/', 'It is (', '"', 'snake_', 'Ende …']

describe.each(Object.keys(writers))('what is planted in a log of %s', (id) => {
  const written = (name: string, turns: readonly (readonly string[])[]) =>
    logsOf(id, turns).map((log, i) => {
      const path = join(root, `${id}-${name}-${i}.jsonl`)
      writeFileSync(path, log)
      return path
    })
  const paths = written('all', [...secretCases.map(({ texts }) => texts), ...ordinaryTurns])
  const all = (...args: string[]): Promise<string> => exportedAll(paths, id, ...args)
  const gone = secretCases.filter(({ survives }) => survives === undefined)

  test('is there before', async () => {
    const kept = bare(await all())
    const shown = bare(await all('--to', 'md', '--no-redact'))
    const isIn = (text: string) => (one: SecretCase) => one.texts.length > 1 || text.includes(bare(one.secret))
    expect(gone.filter((one) => !isIn(kept)(one)).map(({ name }) => name)).toEqual([])
    // A report does not show the rest of its longest texts, nor blanks as they are.
    expect(gone.filter((one) => !isIn(shown)(one)).map(({ name }) => name)).toEqual([])
  })

  test.each(Object.keys(exports))(
    'is gone from %s, but what is known to survive; ordinary text stays',
    async (kind) => {
      const text = (await exports[kind]?.(paths, id)) ?? ''
      const found = bare(text)
      const left = secretCases.filter((one) => partsOf(one).some((part) => found.includes(part)))
      expect(left.map(({ name }) => name)).toEqual(
        secretCases.filter(({ survives }) => survives).map(({ name }) => name)
      )
      const changed = ordinaryTexts.filter(
        ([, ordinary]) => !found.includes(bare(kind === 'md' ? ordinary : JSON.stringify(ordinary).slice(1, -1)))
      )
      // A report leaves out what is long: that of ordinary texts is looked at below.
      if (kind !== 'md') expect(changed.map(([what]) => what)).toEqual([])
      if (kind.startsWith('jsonl')) {
        for (const line of text.split('\n').filter((line) => line !== '')) {
          const { raw, ...event } = JSON.parse(line) as Record<string, unknown>
          expect(AgentEvent.parse(event)).toEqual(event)
          if (raw !== undefined) expect(() => JSON.parse(raw as string) as unknown).not.toThrow()
        }
      }
    }
  )

  test('is gone from spans, traces and tables', async () => {
    // These hold few texts; what must not be there is not.
    const [trace, set] = [await all('--to', 'trace'), join(root, `${id}-set`)]
    for (const path of paths) await exported(path, '--format', id, '--to', 'parquet', '-o', set)
    const views = `create view events as select * from read_parquet('${set}/events/**/*.parquet')`
    const [rows = []] = await askedOf(views, ['select text, target, input_json, todo_json from events'])
    const survivors = secretCases.filter(({ survives }) => survives).map(({ name }) => name)
    for (const text of [trace, rows.map((row) => JSON.stringify(row)).join('\n')]) {
      const found = bare(text)
      const left = secretCases.filter((one) => partsOf(one).some((part) => found.includes(part)))
      expect(left.map(({ name }) => name).filter((name) => !survivors.includes(name))).toEqual([])
    }
    expect(rows.length).toBeGreaterThan(secretCases.length)
  })

  const everyExport = Object.entries({ ...exports, ...shortExports })
  test.each(everyExport)('a secret split over blocks is gone from %s, at every cut', async (kind, exportedAs) => {
    const turns = textsBefore.flatMap((before) =>
      Array.from({ length: splitSecret.length - 1 }, (_, i) => [
        before,
        splitSecret.slice(0, i + 1),
        splitSecret.slice(i + 1),
        'Next I try it.'
      ])
    )
    const found = bare(await exportedAs(written('split', turns), id))
    const left = Array.from({ length: splitSecret.length - 9 }, (_, i) => splitSecret.slice(i, i + 9))
    expect(left.filter((part) => found.includes(part))).toEqual([])
    if (kind in shortExports) return
    const times = (text: string): number => found.split(bare(text)).length - 1
    expect(times('[redacted: GitHub token]')).toBeGreaterThanOrEqual(turns.length)
    expect(times('Next I try it.')).toBeGreaterThanOrEqual(turns.length)
  })

  test('a report of ordinary texts is the same with redaction and without', async () => {
    // What was redacted is said in a line of its own.
    const report = async (...args: string[]): Promise<string[]> =>
      (await exported(ordinary, '--format', id, '--to', 'md', ...args))
        .split('\n')
        .filter((line) => !/Redacted/.test(line))
    const [ordinary = ''] = written('ordinary', ordinaryTurns)
    const redacted = await report()
    expect(redacted).toEqual(await report('--no-redact'))
    expect(redacted.length).toBeGreaterThan(ordinaryTurns.length)
  })
})

test('what the documentation says of it is current (npm run redaction)', async () => {
  const path = join(repository, 'docs', 'redaction.md')
  const text = await format(redactionDocs(), { ...(await resolveConfig(path)), filepath: path })
  await expect(text).toMatchFileSnapshot(path)
  expect(tokenShapes.length + contextShapes.length).toBeGreaterThanOrEqual(180)
  expect(ordinaryTexts.length).toBeGreaterThanOrEqual(90)
})
