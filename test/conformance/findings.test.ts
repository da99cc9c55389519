import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Redactor } from '#core/export/redact.ts'
import { findingRules, ruleNames } from '#core/findings/finding.ts'
import { QueriedLog } from '#backend/query/queried-log.ts'
import { corpusIsHere, corpusPath } from './corpus.ts'
import { findingCases } from './finding-cases.ts'
import { indexedLog } from './indexed-log.ts'
import { searchHere } from './log-here.ts'

/** The findings of real logs are those that people judged. */

if (!corpusIsHere) console.warn('findings.test.ts: skipped, ../shared/corpus is not here')

const logs = [...new Set(findingCases.map(({ log }) => log))]

describe.runIf(corpusIsHere)('verdicts by hand', () => {
  test.each(logs)('%s', async (log) => {
    const queried = await QueriedLog.open({ path: corpusPath(log), format: null, single: false }, searchHere, () => {})
    try {
      const { rows, findings } = queried.index
      const told = findings.list.map(({ rule, events }) => ({
        rule,
        lines: events.map((seq) => rows.lineAt(rows.rowOf(seq)))
      }))
      for (const { rule, lines, fires } of findingCases.filter((one) => one.log === log)) {
        const isTold = told.some(
          (one) => one.rule === rule && (lines.length === 0 || one.lines.some((line) => lines.includes(line)))
        )
        expect({ rule, lines, fires: isTold }).toEqual({ rule, lines, fires })
      }
    } finally {
      await queried.close()
    }
  })
})

describe('each rule has a fixture and a paragraph', () => {
  const folder = new URL('../fixtures/findings/', import.meta.url)
  const guide = readFileSync(new URL('../../docs/findings.md', import.meta.url), 'utf8')
  const expected = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<string, unknown>

  test.each(ruleNames)('%s', (rule) => {
    const log = new Uint8Array(readFileSync(new URL(`${rule}.jsonl`, folder)))
    const { list, further } = indexedLog(log).index.findings
    expect(further.size).toBe(0)
    expect(list.map((finding) => finding.rule)).toContain(rule)
    expect(list.map(({ rule: name, text, events }) => ({ rule: name, text, events }))).toEqual(expected[rule])
    const { title, why } = findingRules[rule]
    const [, paragraph = ''] = guide.split(`### ${rule}\n`)
    expect(paragraph).toContain(`**${title}**`)
    expect(paragraph.slice(0, 1200)).toContain(why)
    expect(paragraph.slice(0, 1200)).toMatch(/\nExample: \S/)
  })

  test.each(ruleNames)('%s: redaction changes nothing of it', (rule) => {
    const log = readFileSync(new URL(`${rule}.jsonl`, folder), 'utf8')
    const token = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`
    const secret = log.replaceAll('"command":"', `"command":"GH_TOKEN=${token} `)
    const redactor = new Redactor()
    const clean = secret.replaceAll(/.+/g, (line) => redactor.line(line))
    expect(clean).not.toContain(token)
    expect(redactor.total > 0).toBe(log.includes('"command":"'))
    const [before, after] = [secret, clean].map((text) => {
      const { list } = indexedLog(new TextEncoder().encode(text)).index.findings
      return list.map(({ rule: name, events, facts }) => ({ name, events, facts: Object.keys(facts) }))
    })
    expect(after).toEqual(before)
    expect(before?.map(({ name }) => name)).toContain(rule)
  })
})

test('a chat that just ends, as that of a killed agent, tells no open todos', () => {
  const at = (second: number): string => `2026-03-02T09:10:${String(second).padStart(2, '0')}.000Z`
  const todos = [{ description: 'Build', status: 'in_progress' }]
  const written = { id: 'w1', name: 'write_todos', args: { todos }, result: [], status: 'success', timestamp: at(2) }
  const chat = [
    { sessionId: 'f0000000-0000-4000-8000-000000000000', projectHash: 'a1', startTime: at(0), lastUpdated: at(0) },
    { id: 'm1', timestamp: at(1), type: 'user', content: 'build it' },
    { id: 'm2', timestamp: at(2), type: 'gemini', content: '', toolCalls: [written] },
    // What follows this text, a call or nothing, is not written yet.
    { id: 'm3', timestamp: at(3), type: 'gemini', content: 'Building.' },
    { id: 'm4', timestamp: at(9), type: 'user', content: 'and now?' }
  ]
  const rulesOf = (records: readonly object[]): readonly string[] => {
    const log = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    return indexedLog(new TextEncoder().encode(log)).index.findings.list.map(({ rule }) => rule)
  }
  expect(rulesOf(chat.slice(0, -1))).toEqual([])
  // The next prompt shows that the turn had ended.
  expect(rulesOf(chat)).toEqual(['todo-open-at-end'])
})
