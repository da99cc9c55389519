import { mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { file, folder, good, init, json, jsonl, playhead } from '../../test/command-line.ts'
import { claudeFolderRun } from '../../test/invented-runs.ts'
import { costGaps, pricedCost } from '../../test/costs.ts'
import { costJson, noBasis } from '#core/requests/cost.ts'

describe('stats', () => {
  test('counts what is in the log', async () => {
    const path = file('stats.jsonl', good + 'oops\n' + jsonl({ type: 'brand_new', session_id: 's1' }))
    expect(await json('stats', path)).toEqual({
      file: path,
      format: 'claude-stream-json',
      bytes: statSync(path).size,
      lines: 8,
      events: 8,
      byType: {
        'session.started': 1,
        text: 2,
        'tool.started': 1,
        'tool.completed': 0,
        'turn.completed': 0,
        error: 1,
        todo_list: 3
      },
      tools: { Bash: 1 },
      tracks: [
        { trackId: null, events: 7 },
        { trackId: 'sub', events: 1 }
      ],
      issues: { malformed: 1, violation: 0, notice: 1 },
      usage: null,
      cost: {
        ...costJson({ cost: null, gaps: costGaps() }),
        ...{ byTrack: [], byModel: [] }
      },
      time: null,
      split: null,
      parallelism: { callMs: 0, selfMs: 0, busyMs: 0, mostCalls: 0, mostSubagents: 0 },
      calls: {
        total: 1,
        failed: 0,
        byTool: [{ tool: 'Bash', total: 1, failed: 0, durationMs: null, unknownDurations: 1 }]
      },
      spans: [
        {
          ...{ tool: 'Bash', calls: 1, failed: 0, unknownLengths: 1, statedLengths: 0, totalMs: null, selfMs: null },
          ...{ longestMs: null, longestSeq: null, p50Ms: null, p95Ms: null, bytesOut: 0 },
          ...{ tokensOut: null, tokensAtLeast: false },
          cost: costJson({ cost: null, gaps: costGaps({ lacking: 1 }) })
        }
      ],
      requests: [],
      todoSnapshots: 3,
      firstTimestamp: Date.parse('2026-01-02T03:04:05.000Z'),
      lastTimestamp: Date.parse('2026-01-02T03:04:05.000Z'),
      parseMs: expect.any(Number),
      peakRssBytes: expect.any(Number)
    })
    const { out } = await playhead('stats', path)
    expect(out).toContain('firstTimestamp  2026-01-02T03:04:05.000Z\n')
    expect(out).toContain(
      'tokens  none stated\ncost  unknown\n  The log states neither a cost nor tokens.\ntime  not stated\ncalls  1\n  Bash  1, 1 of unknown duration\n'
    )
  })

  test('tokens, time and calls are told in words, and what is understated says so', async () => {
    const message = {
      id: 'm',
      role: 'assistant',
      model: 'model-1',
      content: [{ type: 'text', text: 'x'.repeat(4000) }]
    }
    const usage = { input_tokens: 1000, cache_read_input_tokens: 20_000, output_tokens: 3 }
    const at = (time: string, rest: object): object => ({
      sessionId: 's',
      parentUuid: null,
      isSidechain: false,
      timestamp: `2026-01-02T10:00:${time}Z`,
      ...rest
    })
    const path = file(
      'told.jsonl',
      jsonl(
        at('00.000', { type: 'user', uuid: 'u', cwd: '/', version: '2.1.0', message: { role: 'user', content: 'Go' } }),
        at('05.000', { type: 'assistant', uuid: 'a', message: { ...message, usage } })
      )
    )
    const { out } = await playhead('stats', path)
    expect(out).toContain(
      [
        'tokens  21.0k in, ≥ 3 out, about 1.0k by its text',
        '  The log states too little output, or none, for 1 of 1 request to the model.',
        '  main agent  21.0k in, ≥ 3 out',
        '  model-1  21.0k in, ≥ 3 out',
        'cost  unknown',
        '  No price: model-1 (21.0k tokens, 1 request). The log states too few tokens, or none, for 1 request.',
        '  model-1  unknown',
        'time  5.0 s, 5.0 s active, 0 ms waiting for the person',
        'time went to  model ≈ 100 %',
        'calls  0\n'
      ].join('\n')
    )
    expect(await json('stats', path)).toMatchObject({
      usage: { output: 3, understatedRequests: 1, outputByText: 1000 }
    })
  })

  test('the time split, the calls by tool and the requests are those of docs/analysis.md', async () => {
    const at = (seconds: number, rest: object): object => ({
      ...{ sessionId: 's', parentUuid: null, isSidechain: false, uuid: `u${seconds}`, cwd: '/', version: '2.1.0' },
      timestamp: new Date(Date.UTC(2026, 0, 2, 10, 0, seconds)).toISOString(),
      ...rest
    })
    const prompt = (text: string) => ({ type: 'user', message: { role: 'user', content: text } })
    const says = (id: string, ...content: object[]) => {
      const usage = { input_tokens: 10, cache_read_input_tokens: 1000, output_tokens: 60 }
      return { type: 'assistant', message: { id, role: 'assistant', model: 'model-1', content, usage } }
    }
    const bash = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } })
    const result = (id: string) => {
      const content = [{ type: 'tool_result', tool_use_id: id, content: 'done' }]
      return { type: 'user', message: { role: 'user', content } }
    }
    const path = file(
      'split.jsonl',
      jsonl(
        at(0, prompt('Test it')),
        at(10, says('m1', bash('a'), bash('b'))),
        at(16, result('a')),
        at(30, result('b')),
        at(35, says('m2', { type: 'text', text: 'All passed.' })),
        at(55, prompt('Thanks')),
        at(60, says('m3', { type: 'text', text: 'Welcome.' }))
      )
    )
    const begin = Date.UTC(2026, 0, 2, 10)
    expect(await json('stats', path)).toMatchObject({
      split: {
        ...{ begin, end: begin + 60_000, wallMs: 60_000 },
        ...{ waitingMs: 20_000, toolsMs: 20_000, modelMs: 20_000, unknownMs: 0 }
      },
      parallelism: { callMs: 26_000, selfMs: 26_000, busyMs: 20_000, mostCalls: 2, mostSubagents: 0 },
      spans: [
        {
          ...{ tool: 'Bash', calls: 2, failed: 0, unknownLengths: 0, statedLengths: 0 },
          ...{ totalMs: 26_000, selfMs: 26_000, longestMs: 20_000, longestSeq: 3, p50Ms: 6000, p95Ms: 20_000 },
          ...{ tokensOut: 60, tokensAtLeast: false }
        }
      ],
      requests: [
        { of: 'request', model: 'model-1', tokens: { input: 10, cacheRead: 1000, output: 60 }, outputIs: 'stated' },
        { of: 'request', tokens: { output: 60 } },
        { of: 'request', tokens: { output: 60 } }
      ]
    })
    const { out } = await playhead('stats', path)
    expect(out).toContain(
      [
        'time  1m 00s, 40.0 s active, 20.0 s waiting for the person',
        'time went to  model ≈ 33 %, tools ≈ 33 %, waiting for the person ≈ 33 %',
        'parallelism  ≈ 1.3, at most 2 calls at once',
        'calls  2',
        '  Bash  2, took 26.0 s',
        'longest calls'
      ].join('\n')
    )
    const { out: report } = await playhead('export', path, '--to', 'md')
    expect(report).toContain('| Time went to | model ≈ 33 %, tools ≈ 33 %, waiting for the person ≈ 33 % |')
    expect(report).toContain('| Parallelism | ≈ 1.3, at most 2 calls at once |')
  })

  test('a log without times has none', async () => {
    expect(await json('stats', file('timeless', jsonl(init)))).toMatchObject({
      firstTimestamp: null,
      lastTimestamp: null
    })
  })
})

test('a file of the run that cannot be read ends with exit code 2 for every command, and each is named', async () => {
  const root = mkdtempSync(join(folder, 'unread-'))
  const path = claudeFolderRun(root)
  const agents = join(root, 'session-1', 'subagents')
  for (const name of ['agent-ccc.jsonl', 'agent-ddd.jsonl']) symlinkSync(join(root, 'nowhere'), join(agents, name))
  const commands = [
    ['stats'],
    ['check'],
    ['check', '--json'],
    ['todos'],
    ['todos', '--at', '1'],
    ['export'],
    ['export', '--to', 'md']
  ]
  for (const [command = '', ...options] of commands) {
    const { code, err } = await playhead(command, path, ...options)
    expect([command, code]).toEqual([command, 2])
    for (const name of ['agent-ccc.jsonl', 'agent-ddd.jsonl']) expect(err).toContain(`${name} is not shown: `)
  }
  expect((await playhead('export', path, '-o', join(root, 'out.jsonl'))).code).toBe(2)
  expect((await playhead('stats', path, '--single')).code).toBe(0)
})

test.skipIf(process.platform !== 'linux')('a run of hundreds of files has a few of them open at a time', async () => {
  const root = mkdtempSync(join(folder, 'many-'))
  const path = claudeFolderRun(root)
  const agents = 400
  const record = (agent: number) => ({
    ...{
      type: 'user',
      uuid: `u${agent}`,
      sessionId: 'session-1',
      isSidechain: true,
      agentId: `n${agent}`,
      version: '2.1.0'
    },
    ...{ timestamp: '2026-01-05T09:00:03.000Z', cwd: '/w', message: { role: 'user', content: 'Count' } }
  })
  for (let agent = 0; agent < agents; agent++)
    writeFileSync(join(root, 'session-1', 'subagents', `agent-n${agent}.jsonl`), jsonl(record(agent)))
  const before = readdirSync('/proc/self/fd').length
  let most = 0
  const looks = setInterval(() => (most = Math.max(most, readdirSync('/proc/self/fd').length)))
  const { files } = (await json('stats', path)) as { files: unknown[] }
  clearInterval(looks)
  expect(files).toHaveLength(agents + 2)
  expect(most - before).toBeLessThan(40)
})

describe('the cost of stats', () => {
  const answer = (model: string, usage: object, content: object[] = []): object => ({
    ...{ sessionId: 's', parentUuid: null, isSidechain: false, timestamp: '2026-01-02T10:00:05Z' },
    ...{ type: 'assistant', uuid: model, message: { id: model, role: 'assistant', model, content, usage } }
  })
  const usage = {
    ...{ input_tokens: 1000, cache_read_input_tokens: 20_000, cache_creation_input_tokens: 2000, output_tokens: 300 },
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 2000 }
  }
  const own = (input: number): string =>
    JSON.stringify({
      sources: [
        {
          address: 'mine',
          date: '2026-02-03',
          models: [{ names: ['claude-opus-4-5'], input, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, output: 0 }]
        }
      ]
    })

  test('is tokens times the prices that Playhead comes with, and says so', async () => {
    const path = file('cost.jsonl', jsonl(answer('claude-opus-4-5-20251101', usage)))
    const { cost } = (await json('stats', path)) as { cost: Record<string, unknown> }
    const basis = { ...noBasis, standard: 1 }
    const priced = costJson({ cost: pricedCost(0.0425, '2026-10-10', { basis }), gaps: null })
    expect(cost).toEqual({
      ...priced,
      byTrack: [{ trackId: null, ...priced }],
      byModel: [{ model: 'claude-opus-4-5-20251101', ...priced }]
    })
    const { out } = await playhead('stats', path)
    expect(out).toContain(
      'cost  ≈ $0.0425\n  Estimated: tokens times prices of 2026-10-10. The log states no cost. 1 request at the standard price: the log names no tier.\n  claude-opus-4-5-20251101  ≈ $0.0425\n'
    )
  })

  test('is a lower bound if a model has no price, and names it', async () => {
    const path = file('unpriced.jsonl', jsonl(answer('claude-opus-4-5', usage), answer('model-1', usage)))
    const { out } = await playhead('stats', path)
    expect(out).toContain(
      'cost  ≥ $0.0425\n  Estimated: tokens times prices of 2026-10-10. The log states no cost. No price: model-1 (23.3k tokens, 1 request). 1 request at the standard price: the log names no tier.\n  claude-opus-4-5  ≈ $0.0425\n  model-1  unknown\n'
    )
    expect(((await json('stats', path)) as { cost: unknown }).cost).toMatchObject({
      ...{ usd: 0.0425, from: 'prices', atLeast: true, pricesDate: '2026-10-10' },
      gaps: { models: ['model-1'], unpriced: 1 }
    })
  })

  test('of calls is that of the requests that made them, in equal parts', async () => {
    const calls = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: id === 'a' ? 'Bash' : 'Read', input: {} }))
    const path = file('calls.jsonl', jsonl(answer('claude-opus-4-5', usage, calls)))
    const found = (await json('stats', path)) as { spans: object[]; requests: object[] }
    const half = { usd: 0.02125, from: 'prices', pricesDate: '2026-10-10', gaps: null }
    expect(found.spans).toMatchObject([
      { tool: 'Bash', cost: half },
      { tool: 'Read', cost: half }
    ])
    expect(found.requests).toMatchObject([{ cost: { ...half, usd: 0.0425 } }])
  })

  test('has the prices of a file, and ends with 2 and the reason if that is not valid', async () => {
    const path = file('cost.jsonl', jsonl(answer('claude-opus-4-5', usage)))
    const prices = file('prices.json', own(10))
    expect((await playhead('stats', path, '--prices', prices)).out).toContain(
      'cost  ≈ $0.0100\n  Estimated: tokens times prices of 2026-02-03.'
    )
    const bad = file('bad-prices.json', own(-1))
    const { code, err, out } = await playhead('stats', path, '--prices', bad)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`The prices of ${bad} are not used. sources.0.models.0.input: `)
  })
})
