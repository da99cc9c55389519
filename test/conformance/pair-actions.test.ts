import { dirname } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import type { JsonValue } from '../../src/core/json.ts'
import { corpusBytes, corpusFiles, corpusIsHere, formatOfCorpusFile } from './corpus.ts'
import { openLog, readLog } from './read-log.ts'

if (!corpusIsHere) console.warn('pair-actions.test.ts: skipped, ../shared/corpus is not here')

/**
 * Codex and Gemini name a tool, its call and its answer differently in what they print and in what they save, so their pairs are
 * compared by what was done: which command, which files, and whether it went well. Claude's are equal in full (`pairs.test.ts`).
 */
interface Action {
  readonly what: string
  readonly how: 'well' | 'failed' | 'never ended'
}

/** Per recorded run: what one of the two logs does not have, and why (docs/formats/README.md#both-logs-of-a-run-tell-the-same). */
const differences: Readonly<
  Record<string, { printedOnly?: Record<string, string>; savedOnly?: Record<string, string> }>
> = {
  'recorded/codex/errors': {
    savedOnly: { 'change missing.txt: failed': 'a patch that cannot be applied leaves no item on stdout' }
  },
  ...Object.fromEntries(
    ['sigint-in-tool', 'sigint-group-in-tool'].map((name) => [
      `recorded/codex/${name}`,
      {
        printedOnly: { 'command echo start; sleep 47; echo end: never ended': 'stdout ends at the interrupt' },
        savedOnly: { 'command echo start; sleep 47; echo end: failed': 'the rollout says that it was aborted' }
      }
    ])
  ),
  ...Object.fromEntries(
    [
      'sigint-group-in-tool',
      'sigint-no-relaunch',
      'sigkill-group-in-tool',
      'sigkill-in-tool',
      'sigterm-group-in-tool'
    ].map((name) => [`recorded/gemini/${name}`, killedCall()])
  ),
  'recorded/gemini/sigterm-no-relaunch': killedCall()
}

/** Gemini saves a call once it is done. */
function killedCall() {
  const call = 'run_shell_command {"command":"echo start; sleep 47; echo end","description":"Build"}: never ended'
  return { printedOnly: { [call]: 'a call that was killed never appears in a chat' } }
}

function actionsOf(events: readonly AgentEvent[]): Action[] {
  const ends = new Map<string, Action['how']>()
  for (const event of events) {
    if (event.type === 'tool.completed') ends.set(event.toolId, event.error === undefined ? 'well' : 'failed')
  }
  return events.flatMap((event) => {
    if (event.type !== 'tool.started') return []
    const what = whatOf(event.toolName, event.input)
    return what === null ? [] : [{ what, how: ends.get(event.toolId) ?? 'never ended' }]
  })
}

/** Null for a script: the calls inside it are there as well. */
function whatOf(toolName: string, input: { readonly [key: string]: JsonValue | undefined }): string | null {
  switch (toolName) {
    case 'exec':
    case 'wait':
      return null
    case 'command_execution':
    case 'exec_command':
    case 'shell':
    case 'shell_command':
      // Before 0.5x a patch was a command of the shell.
      return Array.isArray(input['command']) && input['command'][0] === 'apply_patch'
        ? `change ${changedFiles(input).join(', ')}`
        : `command ${bareCommand(input['command'] ?? input['cmd'])}`
    case 'file_change':
    case 'apply_patch':
      return `change ${changedFiles(input).join(', ')}`
    default:
      return `${toolName} ${JSON.stringify(input)}`
  }
}

/** Without the shell around it and without quotes, which each of them writes in its own way. */
function bareCommand(command: JsonValue | undefined): string {
  const text = Array.isArray(command) ? command.join(' ') : String(command)
  return text.replace(/^(?:\/bin\/)?bash -lc /, '').replaceAll(/["'\\]/g, '')
}

/** The names of the files that a patch, or a list or map of changes, is about. */
function changedFiles(input: { readonly [key: string]: JsonValue | undefined }): string[] {
  const text = JSON.stringify(input)
  const patched = [...text.matchAll(/\*\*\* (?:Add|Update|Delete) File: ([^\\]+)/g)].map((match) => match[1] ?? '')
  const listed = [...text.matchAll(/"path":"([^"]+)"|"(\/[^"]+)":\{"(?:type|add|update|delete)"/g)].map(
    (match) => match[1] ?? match[2] ?? ''
  )
  return [...patched, ...listed].map((path) => path.slice(path.lastIndexOf('/') + 1))
}

function told(actions: readonly Action[], except: Readonly<Record<string, string>>): string[] {
  return actions
    .map(({ what, how }) => `${what}: ${how}`)
    .filter((line) => !(line in except))
    .sort()
}

describe.skipIf(!corpusIsHere)('stdout and what was saved of one run tell of the same actions', () => {
  const files = corpusFiles('recorded/').filter((path) => /^recorded\/(?:codex|gemini)/.test(path))
  const runs = files.filter((path) => path.endsWith('/stdout.jsonl')).map((path) => dirname(path))

  test('of both agents, and all that differ are there', () => {
    expect(runs.length).toBeGreaterThan(25)
    expect(Object.keys(differences).filter((name) => !runs.includes(name))).toEqual([])
  })

  test.each(runs)('%s', (run) => {
    const eventsOf = (path: string): readonly AgentEvent[] => readLog(openLog(corpusBytes(path))).events
    const stdout = files.filter((path) => dirname(path) === run && /\/stdout(?:-\d+)?\.jsonl$/.test(path)).sort()
    const saved = files.filter((path) => path.startsWith(`${run}/transcript/`) && formatOfCorpusFile(path) !== null)
    const { printedOnly = {}, savedOnly = {} } = differences[run] ?? {}
    expect(told(actionsOf(stdout.flatMap(eventsOf)), printedOnly)).toEqual(
      told(actionsOf(saved.flatMap(eventsOf)), savedOnly)
    )
  })
})
