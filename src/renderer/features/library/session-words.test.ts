import { describe, expect, it } from 'vitest'
import type { SessionCard } from '#core/library/session-card.ts'
import { libraryNow as now, testCard } from '../../../../test/page/library.ts'
import {
  agentAndModel,
  callsFigure,
  costFigure,
  findingsFigure,
  findingsText,
  tokensFigure,
  dayName,
  lastFigure,
  modelName,
  sessionSentence,
  titleOf,
  tokensText
} from './session-words.ts'
import { costGaps, pricedCost, statedCost } from '../../../../test/costs.ts'

const { counts } = testCard()
const counted = (changes: object) => testCard({ counts: { ...counts!, ...changes } })

it('names models', () => {
  expect(modelName('claude-opus-4-5-20251101')).toBe('Claude Opus 4.5')
  expect(modelName('us.anthropic.claude-opus-4-8-20260115-v1:0')).toBe('Claude Opus 4.8')
  expect(modelName('bedrock/anthropic.claude-opus-4-5')).toBe('Claude Opus 4.5')
  expect(modelName('gpt-5.4:free')).toBe('gpt-5.4:free')
  expect(modelName('claude-3-7-sonnet-20250219')).toBe('Claude Sonnet 3.7')
  expect(modelName('claude-sonnet-4@20250514')).toBe('Claude Sonnet 4')
  expect(modelName('gemini-2.5-pro')).toBe('Gemini 2.5 Pro')
  expect(modelName('gpt-5.2-codex')).toBe('gpt-5.2-codex')
  expect(agentAndModel(testCard({ agent: 'openai-codex', model: 'gpt-5.5' }))).toBe('Codex gpt-5.5')
  expect(agentAndModel(testCard({ agent: 'cursor-agent', model: null }))).toBe('Cursor')
})

it('states the time of the last write, more precisely if recent', () => {
  const last = (ago: number, state: 'done' | 'live' = 'done') =>
    lastFigure(testCard({ startedAt: now - ago - 60_000, endedAt: now - ago, state }), now)
  expect(last(0, 'live')).toEqual({ first: 'now', second: 'live' })
  expect(last(3_600_000)).toEqual({ first: '15:00', second: 'today' })
  expect(last(24 * 3_600_000)).toEqual({ first: '16:00', second: 'Sat' })
  expect(last(20 * 24 * 3_600_000)).toEqual({ first: '16:00', second: '2 Nov' })
  expect(last(400 * 24 * 3_600_000)).toEqual({ first: '18 Oct', second: '2025' })
})

it('names days', () => {
  expect(['2026-11-22', '2026-11-21', '2026-11-20', '2025-11-20'].map((day) => dayName(day, now))).toEqual([
    'Today',
    'Yesterday',
    'Friday 20 November',
    'Thursday 20 November 2025'
  ])
})

describe('figures', () => {
  it('are marked if the log understates them, and missing if it does not state them', () => {
    expect(tokensText(counted({ inputTokens: 4_300_000, outputTokens: 581, outputAtLeast: true }))).toBe(
      '4.3M in, ≥ 581 out'
    )
    expect(tokensText(counted({ inputTokens: null, outputTokens: null }))).toBe('–')
    expect(tokensFigure(counted({ inputTokens: 9600, outputTokens: 20 }))).toMatchObject({
      first: '9.6k',
      second: '20 out'
    })
    expect(tokensFigure(counted({ inputTokens: null, outputTokens: 581, outputAtLeast: true }))).toEqual({
      ...{ first: '–', second: '≥ 581 out' },
      because: 'Input and output tokens. The log states too little output: at least this',
      source: 'understated'
    })
    expect(tokensFigure(counted({ inputTokens: null, outputTokens: null })).first).toBe('–')
    const cost = (from: 'stated' | 'prices'): SessionCard =>
      testCard({ cost: from === 'stated' ? statedCost(0.614) : pricedCost(0.614), costGaps: null })
    expect(costFigure(cost('stated'), '1 kB')).toEqual({
      first: '$0.61',
      second: '1 kB',
      because: 'Stated by the log.'
    })
    expect(costFigure(cost('prices'), '1 kB')).toMatchObject({
      first: '≈ $0.61',
      because: 'Estimated: tokens times prices of 2026-10-01. The log states no cost.'
    })
    expect(costFigure(testCard({}), '1 kB')).toMatchObject({
      first: '–',
      because: 'No price: claude-opus-4-5 (1 request).'
    })
    const gaps = { models: ['glm'], unpriced: 1, unpricedTokens: 500 }
    const least = testCard({ cost: pricedCost(2.098, undefined, { atLeast: true }), costGaps: costGaps(gaps) })
    expect(costFigure(least, '1 kB')).toMatchObject({
      first: '≥ $2.09',
      because:
        'Estimated: tokens times prices of 2026-10-01. The log states no cost. No price: glm (500 tokens, 1 request).',
      source: 'understated'
    })
    expect(costFigure(testCard({ counts: null }), '1 kB')).toMatchObject({ first: '…', second: '1 kB' })
  })

  it('count failed calls', () => {
    expect(callsFigure(counted({ calls: 1166, failedCalls: 7 }))).toEqual({
      first: '1,166',
      second: '7 failed',
      isBad: true
    })
    expect(callsFigure(counted({ calls: 4 })).second).toBe('all ok')
    expect(callsFigure(counted({ calls: 0 }))).toEqual({ first: '0', second: '' })
  })

  it('count findings by rule, without information', () => {
    const card = counted({ findings: { refused: 1, idle: 3, 'call-without-result': 5 } })
    expect(findingsFigure(card)).toEqual({
      first: '4',
      second: '2 rules',
      because: '3× No event for minutes\n1× Calls refused'
    })
    expect(findingsText(card)).toBe('4: 3× No event for minutes, 1× Calls refused')
    expect(findingsFigure(counted({ findings: { 'call-without-result': 5 } }))).toEqual({ first: '0', second: '' })
    expect(findingsFigure(testCard({ counts: null })).first).toBe('…')
  })
})

it('describes a session in a sentence', () => {
  const card = counted({ todosDone: 3, todosTotal: 7, calls: 166, failedCalls: 7 })
  expect(sessionSentence({ ...card, title: 'Why', endedAt: now - 24 * 3_600_000 }, now)).toBe(
    'Why, done, cli, main, Claude Opus 4.5, todos 3 of 7, 166 calls, 7 failed, Sat 16:00'
  )
})

it('names a session without a title by its id, else by its file', () => {
  expect(titleOf(testCard({ title: null, sessionId: 'abc' }))).toBe('abc')
  expect(titleOf(testCard({ title: null, sessionId: null, path: '/x/run.jsonl' }))).toBe('run.jsonl')
})
