import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readLog } from '#backend/sources/read-log.ts'
import type { Cost, CostGaps } from '#core/requests/cost.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import { file, playhead, repository } from '../command-line.ts'
import { sharedFolder } from '../shared-folder.ts'
import { allFixtures } from './fixtures.ts'
import { ownCost, priceOf } from './own-costs.ts'

/** Costs as the library lists them, against a sum of this test's own: `own-costs.ts`. */

interface Session {
  readonly path: string
  readonly cost: (Cost & { readonly gaps: CostGaps | null }) | null
}

async function indexOf(path: string): Promise<RunIndex> {
  let index = new RunIndex(unrecognized, { findings: false })
  await readLog(
    { path, format: null, single: false },
    {
      begin: (format) => (index = new RunIndex(format, { findings: false })),
      line: (line) => index.line(line),
      end: (events, marks) => index.end(events, marks)
    }
  )
  return index
}

async function check({ path, cost }: Session, found: Record<string, number>): Promise<void> {
  const { requests } = await indexOf(path)
  const { least, most, isKnown } = ownCost(requests, requests.runCostUsd)
  const isPriced = [...requests].some(
    ({ model, tokens }) =>
      model !== null &&
      priceOf(model) !== null &&
      Object.values(tokens).some((count: number | undefined) => (count ?? 0) > 0)
  )
  const usd = cost?.usd ?? null
  if (isPriced || isKnown) expect(usd, path).not.toBeNull()
  if (cost === null || usd === null) {
    found['–'] = (found['–'] ?? 0) + 1
    return
  }
  expect(usd, path).toBeCloseTo(least, 9)
  expect(cost.atLeast, path).toBe(most > least)
  if (cost.atLeast) expect(cost.gaps, path).not.toBeNull()
  const sign = cost.atLeast ? '≥' : cost.from === 'stated' ? '$' : '≈'
  found[sign] = (found[sign] ?? 0) + 1
}

async function sessionsIn(...roots: string[]): Promise<readonly Session[]> {
  const { out, code } = await playhead(
    ...['sessions', '--json', '--subagents', '--limit', '100000'],
    ...roots.flatMap((root) => ['--root', root])
  )
  expect(code).toBe(0)
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Session)
}

describe('the cost of a session is exact, or a true lower bound', () => {
  const found: Record<string, number> = {}

  test.each(allFixtures().map(({ formatId, name, input }) => [`${formatId} ${name}`, fileURLToPath(input)]))(
    '%s',
    async (_name, path = '') => {
      const { out } = await playhead('stats', path, '--json')
      await check({ path, cost: (JSON.parse(out) as Session).cost }, found)
    }
  )

  test('of our own logs with each kind of gap', async () => {
    for (const [sign, log] of Object.entries(kinds)) {
      const { out } = await playhead('stats', log, '--json')
      const of: Record<string, number> = {}
      await check({ path: log, cost: (JSON.parse(out) as Session).cost }, of)
      expect(of, log).toEqual({ [sign[0] ?? '']: 1 })
    }
  })

  test('there were costs of every kind', () => {
    for (const sign of ['$', '≈', '≥', '–']) expect(found[sign] ?? 0, sign).toBeGreaterThan(0)
  })
})

describe.each(['corpus', 'corpus-next'])('the library of %s', (name) => {
  const folder = sharedFolder(name)
  if (folder === null) console.warn(`costs.test.ts: skipped, ../shared/${name} is not here`)

  test.skipIf(folder === null)('shows a cost of each session with a priced model, and only true bounds', async () => {
    const found: Record<string, number> = {}
    for (const session of await sessionsIn(folder ?? repository)) await check(session, found)
    console.info(name, JSON.stringify(found))
    expect((found['≥'] ?? 0) + (found['≈'] ?? 0) + (found['$'] ?? 0)).toBeGreaterThan(0)
  })
})

function claude(...usages: readonly { readonly model?: string; readonly usage: object }[]): string {
  const lines = usages.map(({ model = 'claude-opus-4-8', usage }, number) => ({
    ...{
      type: 'assistant',
      uuid: `u${number}`,
      parentUuid: null,
      sessionId: 's',
      isSidechain: false,
      version: '2.1.0'
    },
    ...{ cwd: '/w', timestamp: `2026-01-02T03:04:0${number}.000Z`, requestId: `r${number}` },
    message: { id: `m${number}`, role: 'assistant', model, content: [{ type: 'text', text: 'y' }], usage }
  }))
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const million = { input_tokens: 1_000_000, output_tokens: 0 }

/** The sign, and why. */
const kinds: Readonly<Record<string, string>> = {
  '≈ standard': file('costs-standard.jsonl', claude({ usage: { ...million, service_tier: 'standard' } })),
  '≈ fast': file('costs-fast.jsonl', claude({ usage: { ...million, speed: 'fast' } })),
  '≥ fast, without a price': file(
    'costs-slow.jsonl',
    claude({ model: 'claude-haiku-4-5', usage: { ...million, speed: 'fast' } })
  ),
  '≥ priority': file('costs-priority.jsonl', claude({ usage: { ...million, service_tier: 'priority' } })),
  '≥ one without a price': file('costs-one.jsonl', claude({ usage: million }, { model: 'new', usage: million })),
  '– none with a price': file('costs-none.jsonl', claude({ model: 'new', usage: million })),
  '≥ a cache of any time': file(
    'costs-cache.jsonl',
    claude({ usage: { ...million, cache_creation_input_tokens: 1000 } })
  ),
  '≈ a platform': file(
    'costs-platform.jsonl',
    claude({ model: 'us.anthropic.claude-sonnet-4-6-20260101-v1:0', usage: million })
  ),
  '≥ a region at its price, for an hour': file(
    'costs-region.jsonl',
    claude({
      model: 'eu.anthropic.claude-sonnet-4-6-20260101-v1:0',
      usage: { ...million, cache_creation_input_tokens: 1000, cache_creation: { ephemeral_1h_input_tokens: 1000 } }
    })
  ),
  '– a profile of an account': file(
    'costs-profile.jsonl',
    claude({ model: 'arn:aws:bedrock:us-east-1:1:application-inference-profile/claude-opus-4-8', usage: million })
  )
}
