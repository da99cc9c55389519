import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { decodeRecord } from '../../src/core/formats/decode-line.ts'
import { rowFacts } from '../../src/core/index/row-facts.ts'
import { valueAtPath } from '../../src/core/json-path.ts'
import { logImages } from '../../src/core/media/log-images.ts'
import type { Edit, TextAt } from '../../src/core/tools/file-edits.ts'
import { readOutput } from '../../src/core/tools/read-output.ts'
import { searchOutput } from '../../src/core/tools/search-output.ts'
import { toolUse, type ToolUse } from '../../src/core/tools/tool-use.ts'
import { corpusBytes, corpusIsHere, corpusLogs } from './corpus.ts'
import { type Log, openLog, readLog } from './read-log.ts'

if (!corpusIsHere) console.warn('inspected.test.ts: skipped, ../shared/corpus is not here')

/** Larger logs hold more of the same. */
const longest = 4_000_000

/** What the inspector makes of real logs, counted. */
const seen = { edits: 0, commands: 0, reads: 0, numbered: 0, searches: 0, found: 0, diffs: 0, images: 0, usage: 0 }

test.skipIf(!corpusIsHere)(
  'of all real logs each call and result is classified, and every text is at its stated path',
  () => {
    for (const path of corpusLogs()) {
      if (path.endsWith('.zst')) continue
      const bytes = corpusBytes(path)
      if (bytes.length > longest) continue
      inspect(openLog(bytes))
    }
    // So that no change makes it see nothing any more: each is less than what the corpus had when this was written.
    expect(seen.edits).toBeGreaterThan(1000)
    expect(seen.commands).toBeGreaterThan(2000)
    expect(seen.numbered / seen.reads).toBeGreaterThan(0.9)
    expect(seen.found / seen.searches).toBeGreaterThan(0.9)
    expect(seen.diffs).toBeGreaterThan(300)
    expect(seen.images).toBeGreaterThan(10)
    expect(seen.usage).toBeGreaterThan(1000)
  }
)

function inspect(log: Log): void {
  const calls = new Map<string, ToolUse>()
  const records = new Map<number, ReturnType<typeof decodeRecord>>()
  for (const event of readLog(log).events) {
    if (event.type === 'tool.started') calls.set(event.toolId, inspectCall(event))
    const { offset, length } = event.source ?? { offset: 0, length: 0 }
    let record = records.get(offset)
    if (record === undefined) {
      record = decodeRecord(new TextDecoder().decode(log.bytes.subarray(offset, offset + length)), log.framing)
      records.clear()
      records.set(offset, record)
    }
    const value = record.ok ? record.value : undefined
    const facts = rowFacts(log.format, event, value)
    if (facts.usage !== null) seen.usage++
    seen.diffs += facts.diffs.length
    for (const { patch } of facts.diffs) expect(patch).toMatch(/^@@/m)
    if (facts.images > 0 && value !== undefined) seen.images += inspectImages(event, value, facts.images)
    if (event.type === 'tool.completed') inspectResult(calls.get(event.toolId), event.output ?? '')
  }
}

function inspectCall(event: Extract<AgentEvent, { type: 'tool.started' }>): ToolUse {
  const use = toolUse(event.toolName, event.input)
  if (use.what === 'command') seen.commands++
  if (use.what === 'edits') seen.edits += use.files.length
  for (const { text, at } of textsOf(use)) {
    // `expect` for each of some ten thousand texts takes longer than to find them.
    if (at !== null && valueAtPath(event, at) !== text) expect(valueAtPath(event, at)).toBe(text)
  }
  for (const key of use.consumedKeys)
    if (!Object.hasOwn(event.input as object, key)) expect(event.input).toHaveProperty([key])
  return use
}

function textsOf(use: ToolUse): readonly TextAt[] {
  if (use.what === 'edits') return use.files.flatMap(({ edits }) => edits.flatMap(textsOfEdit))
  if (use.what === 'command') return [use.command]
  if (use.what === 'script') return [use.script]
  return use.what === 'agent' ? [use.prompt] : []
}

function textsOfEdit(edit: Edit): readonly TextAt[] {
  if (edit.kind === 'replace') return [edit.before, edit.after]
  return [edit.kind === 'whole' ? edit.text : edit.patch]
}

function inspectResult(use: ToolUse | undefined, output: string): void {
  if (use?.what === 'read' && output.includes('→')) {
    seen.reads++
    const { text, before, after } = readOutput(output, 1)
    if (text !== output) seen.numbered++
    expect(text.length + before.length + after.length).toBeLessThanOrEqual(output.length)
  }
  if (use?.answer === 'found' && output !== '') {
    seen.searches++
    if (searchOutput(output) !== null) seen.found++
  }
}

function inspectImages(event: AgentEvent, record: Parameters<typeof logImages>[0], count: number): number {
  const images = logImages(record, 'toolId' in event ? event.toolId : null)
  expect(images).toHaveLength(count)
  for (const { type, problem } of images) expect(type === null).toBe(problem !== null)
  return images.filter(({ type }) => type !== null).length
}
