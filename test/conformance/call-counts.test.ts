import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { oneLine } from '../../src/core/index/one-line.ts'
import { json, playhead } from '../command-line.ts'
import { corpusIsHere, corpusLogs, corpusPath } from './corpus.ts'
import { every } from '../thorough.ts'
import { allFixtures } from './fixtures.ts'

if (!corpusIsHere) console.warn('call-counts.test.ts: ../shared/corpus is not here, only the fixtures are counted')

interface Calls {
  readonly total: number
  readonly failed: number
  readonly byTool: readonly { readonly tool: string; readonly total: number; readonly failed: number }[]
}

const logs = [
  ...every(2, allFixtures()).map(
    ({ formatId, name, input }) => [`fixture ${formatId} ${name}`, fileURLToPath(input)] as const
  ),
  // Others than those whose calls `run-summary.test.ts` counts.
  ...every(3, corpusLogs().slice(1)).map((path) => [path, corpusPath(path)] as const)
]

/** A number as a report writes it. */
const numberOf = (text = '0'): number => Number(text.replaceAll(',', ''))

/** What the head and the table of tools say. */
function callsInReport(report: string): Calls {
  const [, total, failed] = /^\| Tool calls \| ([\d,]*\d)(?:, ([\d,]+) failed)? \|$/m.exec(report) ?? []
  const [, table = ''] = /^## Tools\n\n.*\n.*\n((?:\|.*\n)*)/m.exec(report) ?? []
  const byTool = [...table.matchAll(/^\| (.*?) \| ([\d,]+) \| ([\d,]+) \| [^|]* \|$/gm)].map(
    ([, tool = '', ...counts]) => {
      const [calls, bad] = counts.map(numberOf)
      return { tool: tool.replaceAll(/\\(.)/g, '$1'), total: calls ?? NaN, failed: bad ?? NaN }
    }
  )
  return { total: numberOf(total), failed: numberOf(failed), byTool }
}

describe('stats and the report count the same calls', () => {
  let found = 0

  test.each(logs)('%s', async (_name, path) => {
    const { calls } = (await json('stats', path)) as unknown as { readonly calls: Calls }
    const { out } = await playhead('export', path, '--to', 'md', '--no-redact')
    const byTool = calls.byTool
      .slice(0, 20)
      .map(({ tool, total, failed }) => ({ tool: oneLine(tool, 80), total, failed }))
    expect(callsInReport(out)).toEqual({ total: calls.total, failed: calls.failed, byTool })
    for (const count of ['total', 'failed'] as const)
      expect(calls.byTool.reduce((sum, tool) => sum + tool[count], 0)).toBe(calls[count])
    found += calls.failed
  })

  test('some of them failed', () => {
    expect(found).toBeGreaterThan(15)
  })
})
