import '#renderer/styles/tokens.css'
import '#renderer/styles/base.css'
import '#renderer/ui/controls.css'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { LiveRun } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, LogStatus, Result, RowFacts, RowIssue } from '#contract/methods.ts'
import type { AgentEvent, EventBody } from '#core/events/agent-event.ts'
import { rowKindOf } from '#core/index/row-kind.ts'
import type { JsonValue } from '#core/json.ts'
import { valueAtPath } from '#core/json-path.ts'
import { AppStoreContext, createAppStore } from '#renderer/stores/app-store.ts'
import { createLogStore, LogStoreContext } from '#renderer/stores/log-store.ts'
import { type CannedRow, columnsOf, statusOf, testHost, testStart } from './host.ts'
import { ShownRun } from '#renderer/features/live-runs/shown-run.tsx'
import { Inspector } from '#renderer/features/inspector/inspector.tsx'
import type { Widening } from '#renderer/features/inspector/widen-button.tsx'

/** A row of a canned log, as the inspector asks for it. */
export interface InspectedRow {
  /** Null: a record. */
  readonly body: EventBody | null
  readonly record?: JsonValue
  readonly facts?: Partial<RowFacts>
  readonly issues?: readonly RowIssue[]
  /** The bytes of its line. */
  readonly raw?: Uint8Array<ArrayBuffer>
  readonly images?: Result<'log.images'>
  readonly row?: Partial<CannedRow>
}

const noFacts: RowFacts = { model: null, usage: null, exitCode: null, diffs: [], images: 0 }

const lostRun: LiveRun = {
  ...{ run: 'run-1', agent: 'claude', prompt: 'Go', cwd: '/w', model: null, mode: null, extraArguments: [] },
  ...{
    timeLimitMs: null,
    resumes: null,
    version: null,
    commandLine: ['claude'],
    hookLost: null,
    state: 'lost',
    own: false,
    startedAt: 0,
    endedAt: 1
  },
  ...{
    finishReason: null,
    exitCode: null,
    signal: null,
    message: null,
    incomplete: null,
    ...{ elapsedMs: null, unfinished: false, denied: null },
    recording: '',
    format: 'claude-stream-json'
  },
  ...{ sessionId: 's', stdoutBytes: 0, stderrBytes: 0, tokens: null, todo: null, dialogue: null }
}

interface Opening {
  /** How many times an event cannot be read at first. */
  readonly failures?: number
  /** Of the inspector, in px. */
  readonly width?: number
  readonly widening?: Widening
  readonly changes?: Partial<LogStatus>
  /** The log is the recording of a live run. */
  readonly recorded?: boolean
  readonly handlers?: Partial<Handlers>
}

/** The inspector over `first` and the rows that `grow` adds. */
export async function openRows(
  first: readonly InspectedRow[],
  { failures = 0, width = 900, widening, changes = {}, recorded = false, handlers = {} }: Opening = {}
) {
  await page.viewport(width + 50, 800)
  let left = failures
  const rows = [...first]
  const tools = toolsOf(rows)
  const canned = () => rows.map((_, at) => cannedRow(rows, at, tools))
  const { host, status, progress, say } = testHost(
    canned(),
    { tools, ...changes },
    {
      'log.columns': async ({ from, count }) => columnsOf(canned(), from, count),
      'log.event': async ({ row, limit }) => {
        if (left-- > 0) throw new HostError('internal', 'The file was shortened.')
        return detailOf(rows, row, limit)
      },
      'log.text': async ({ row, path, from, count }) => {
        const text = valueAtPath(eventAt(rows, row), path)
        if (typeof text !== 'string') throw new HostError('not-found', 'There is no text.')
        return { text: text.slice(from, from + count), length: text.length }
      },
      'log.images': async ({ row }) => rows[row]?.images ?? { images: [], bytes: new ArrayBuffer() },
      'log.raw': async ({ row, from, count }) => {
        const bytes = rows[row]?.raw ?? new Uint8Array()
        return {
          file: null,
          line: row + 1,
          offset: 1024,
          length: bytes.length,
          end: 'lf',
          bytes: bytes.slice(from, from + count).buffer
        }
      },
      ...handlers
    }
  )
  const store = createLogStore(host, status)
  // What is tested is rows.
  store.getState().inspecting.show('event')
  const storage = { getItem: () => null, setItem: () => {} }
  const app = createAppStore(host, { storage })
  app.setState({ logs: [status], active: status.log })
  if (recorded) app.getState().liveRuns.setState({ runs: [{ ...lostRun, recording: status.path }] })
  const screen = await render(
    <AppStoreContext value={app}>
      <LogStoreContext value={store}>
        <ShownRun>
          <div style={{ display: 'flex', width, height: 700 }}>
            <Inspector {...(widening === undefined ? {} : { widening })} />
          </div>
        </ShownRun>
      </LogStoreContext>
    </AppStoreContext>
  )
  await expect.poll(() => store.getState().columns.rows).toBe(rows.length)
  const inspector = screen.getByRole('region', { name: 'Inspector' })
  const select = (row: number) => store.getState().playhead.select(row)
  const grow = (row: InspectedRow) => {
    rows.push(row)
    progress({ ...statusOf(canned()), tools, ...changes, grownAt: rows.length })
  }
  const layout = () => app.getState().layout.getState()
  return { log: () => store.getState(), layout, select, inspector, container: screen.container, grow, say }
}

function toolsOf(rows: readonly InspectedRow[]): string[] {
  return [...new Set(rows.flatMap(({ body }) => (body?.type === 'tool.started' ? [body.toolName] : [])))]
}

function cannedRow(rows: readonly InspectedRow[], at: number, tools: readonly string[]): CannedRow {
  const { body = null, issues, row } = rows[at] ?? {}
  const call = body?.type === 'tool.completed' ? callOf(rows, body.toolId) : -1
  return {
    kind: body === null ? 'record' : rowKindOf(body),
    ...(body?.type === 'tool.started' && { tool: 1 + tools.indexOf(body.toolName) }),
    ...(call >= 0 && { pair: call }),
    ...(issues?.[0] !== undefined && { severity: issues[0].severity }),
    ...row
  }
}

function callOf(rows: readonly InspectedRow[], toolId: string): number {
  return rows.findIndex(({ body }) => body?.type === 'tool.started' && body.toolId === toolId)
}

/** The rows of a call's results, the one that counts first. */
function resultsOf(rows: readonly InspectedRow[], toolId: string): number[] {
  const found = rows.flatMap(({ body }, at) => (body?.type === 'tool.completed' && body.toolId === toolId ? [at] : []))
  return found.reverse()
}

function eventAt(rows: readonly InspectedRow[], row: number): AgentEvent | null {
  const body = rows[row]?.body
  if (body === null || body === undefined) return null
  return {
    eventId: `e${row}`,
    agentId: 'a',
    agentType: 'claude-code',
    timestamp: testStart + row * 1240,
    teamMetadata: { teamName: 'solo', memberName: 'a', memberDisplayName: 'A', memberRole: 'agent' },
    ...body
  }
}

/** The event, its strings cut at `limit` as the host does it. */
function cutEvent(rows: readonly InspectedRow[], row: number, limit: number) {
  const cut: { path: string; length: number }[] = []
  const copy = (value: unknown, path: string): unknown => {
    if (typeof value === 'string' && value.length > limit) {
      cut.push({ path, length: value.length })
      return value.slice(0, limit)
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member, `${path}.${key}`)]))
  }
  const event = copy(eventAt(rows, row), '$') as AgentEvent | null
  return { event, cut, facts: { ...noFacts, ...rows[row]?.facts } }
}

function detailOf(rows: readonly InspectedRow[], row: number, limit: number): Result<'log.event'> {
  const own = cutEvent(rows, row, limit)
  const { event } = own
  const toolId = event !== null && 'toolId' in event ? event.toolId : null
  const results = toolId === null ? [] : resultsOf(rows, toolId)
  const pairRow = toolId === null ? -1 : event?.type === 'tool.started' ? (results[0] ?? -1) : callOf(rows, toolId)
  const pair = pairRow < 0 ? null : cutEvent(rows, pairRow, limit)
  return {
    row,
    ...own,
    record: event === null ? (rows[row]?.record ?? null) : null,
    pair: pair === null || pair.event === null ? null : { ...pair, event: pair.event, row: pairRow },
    results,
    issues: [...(rows[row]?.issues ?? [])]
  }
}
