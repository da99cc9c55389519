import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HostError, type Params, type Result, type RowFacts } from '#contract/methods.ts'
import type { AgentEvent, EventBody } from '#core/events/agent-event.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost, testStart } from '../../test-host.ts'
import { Inspector } from './inspector.tsx'

const longOutput = `first\n${'x'.repeat(30_000)}\n<b>last</b>`
const rows: CannedRow[] = [
  { kind: 'assistant' },
  { kind: 'tool', tool: 1 },
  { kind: 'tool-error', tool: 1, pair: 1, badges: [{ text: 'exit 1', tone: 'bad' }] },
  { kind: 'record', severity: 'violation' },
  { kind: 'turn', mark: 'abandoned' }
]
const bodies: (EventBody | null)[] = [
  { type: 'text', text: 'Hello \u001b[1mthere\u001b[0m <img src=x>', category: 'assistant-message' },
  {
    type: 'tool.started',
    toolName: 'Bash',
    toolId: 't1',
    input: { command: 'npm test', description: 'Run the tests' }
  },
  { type: 'tool.completed', toolId: 't1', error: `Exit code 1\n${longOutput}` },
  null,
  {
    type: 'turn.completed',
    finishReason: 'done',
    model: 'model-1',
    usage: { input_tokens: 10_800, cached_input_tokens: 4000, output_tokens: 400, service_tier: 'standard' }
  }
]
const line = new Uint8Array([...new TextEncoder().encode('{"type":"system","subtype":7,"x":"'), 0xff, 0x00, 0x22, 0x7d])

function eventOf(body: EventBody, row: number): AgentEvent {
  const team = { teamName: 'solo', memberName: 'a', memberDisplayName: 'A', memberRole: 'agent' }
  const base = {
    eventId: `e${row}`,
    agentId: 'a',
    agentType: 'claude-code',
    timestamp: testStart + row * 1240,
    teamMetadata: team
  } as const
  return { ...base, ...body }
}

const noFacts: RowFacts = { model: null, usage: null, durationMs: null, exitCode: null, diffs: [], images: 0 }

/** The event at `row`, its error cut at `limit` as the host does it. */
function cutEvent(row: number, limit: number): { event: AgentEvent; cut: { path: string; length: number }[] } | null {
  const body = bodies[row]
  if (body === null || body === undefined) return null
  if (body.type !== 'tool.completed' || body.error === undefined || body.error.length <= limit) {
    return { event: eventOf(body, row), cut: [] }
  }
  const event = eventOf({ ...body, error: body.error.slice(0, limit) }, row)
  return { event, cut: [{ path: '$.error', length: body.error.length }] }
}

function detailOf({ row, limit }: Params<'log.event'>): Result<'log.event'> {
  const own = cutEvent(row, limit)
  const pairRow = { 1: 2, 2: 1 }[row]
  const pair = pairRow === undefined ? null : cutEvent(pairRow, limit)
  return {
    row,
    event: own?.event ?? null,
    record: own === null ? { type: 'system', subtype: 7 } : null,
    cut: own?.cut ?? [],
    facts: noFacts,
    pair: pair === null || pairRow === undefined ? null : { row: pairRow, ...pair, facts: noFacts },
    results: [],
    issues:
      row === 3 ? [{ code: 'TypedParse', severity: 'violation', path: '$.subtype', message: 'must be a string' }] : []
  }
}

function rawOf({ row, from, count }: Params<'log.raw'>): Result<'log.raw'> {
  return {
    file: null,
    line: row + 1,
    offset: 1024,
    length: line.length,
    end: 'lf',
    bytes: line.slice(from, from + count).buffer
  }
}

/** The inspector over the rows above; `failures`: how many times an event cannot be read at first. */
async function openInspector(failures = 0) {
  let left = failures
  const { host, status } = testHost(
    rows,
    {},
    {
      'log.event': async (params) => {
        if (left-- > 0) throw new HostError('internal', 'The file was shortened.')
        return detailOf(params)
      },
      'log.raw': async (params) => rawOf(params)
    }
  )
  const store = createLogStore(host, status)
  const screen = await render(
    <LogStoreContext value={store}>
      <Inspector />
    </LogStoreContext>
  )
  await expect.poll(() => store.getState().columns.rows).toBe(rows.length)
  const inspector = screen.getByRole('region', { name: 'Inspector' })
  return { log: () => store.getState(), inspector, container: screen.container }
}

test('text is shown as text: no markup, no terminal sequences', async () => {
  const { inspector, container } = await openInspector()
  await expect.element(inspector.getByText('Hello there <img src=x>')).toBeVisible()
  expect(container.querySelector('img')).toBeNull()
})

test('a call stands with its purpose, its input and its result, which a click leads to', async () => {
  const { log, inspector } = await openInspector()
  log().selectRow(1)
  await expect.element(inspector.getByText('npm test')).toBeVisible()
  await expect.element(inspector.getByText('Run the tests')).toBeVisible()
  await expect.element(inspector).toHaveTextContent('line 2event 1main')
  await expect.element(inspector.getByText('exit 1', { exact: true })).toBeVisible()
  await expect.element(inspector).toHaveTextContent('Resultevent 21.24 s later')
  await inspector.getByRole('button', { name: 'event 2' }).click()
  expect(log().row).toBe(2)
})

test('long text is cut until all of it is asked for', async () => {
  const { log, inspector } = await openInspector()
  log().selectRow(2)
  await expect.element(inspector).toHaveTextContent('Exit code 1')
  await expect.element(inspector).not.toHaveTextContent('last')
  await inspector.getByRole('button', { name: 'Show all 30,030 characters' }).first().click()
  await expect.element(inspector).toHaveTextContent('<b>last</b>')
})

test('a record is shown as it stands, its issue in words and with its place', async () => {
  const { log, inspector } = await openInspector()
  log().selectRow(3)
  await expect.element(inspector.getByRole('tree', { name: 'Record' })).toHaveTextContent('subtype: 7')
  await inspector.getByRole('tab', { name: 'Issues', exact: true }).click()
  const issue = inspector.getByRole('listitem')
  await expect.element(issue).toHaveTextContent('TypedParsea required path is missing or of the wrong type')
  await expect.element(issue).toHaveTextContent('$.subtype')
  log().selectRow(0)
  await expect.element(inspector).toHaveTextContent('No issues on this line.')
})

test('the raw line is exact: where it lies, and every byte that is no text marked', async () => {
  const { log, inspector, container } = await openInspector()
  log().selectRow(3)
  await inspector.getByRole('tab', { name: 'Raw', exact: true }).click()
  await expect.element(inspector).toHaveTextContent('offset 1,024 · 38 bytes')
  await expect.element(inspector.getByText('\\xff')).toBeVisible()
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['\\xff', '␀'])
  await inspector.getByRole('button', { name: 'Pretty' }).click()
  await expect
    .poll(() => container.querySelector('pre')?.textContent)
    .toContain('{\n  "type": "system",\n  "subtype": 7,')
})

test('the tabs take the arrow keys while the focus is on them, which a click does not move there', async () => {
  const { log, inspector } = await openInspector()
  const tab = inspector.getByRole('tab', { name: 'Event' })
  await tab.click()
  expect(document.activeElement).toBe(document.body)
  ;(tab.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(log().inspectorTab).toBe('raw')
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(log().inspectorTab).toBe('event')
  await userEvent.keyboard('{End}')
  await expect.element(inspector.getByRole('tab', { name: 'Issues' })).toHaveFocus()
})

test('a row that cannot be read says why, and can be asked for again', async () => {
  const { inspector } = await openInspector(1)
  await expect.element(inspector).toHaveTextContent('The row could not be read: The file was shortened.')
  await inspector.getByRole('button', { name: 'Read it again' }).click()
  await expect.element(inspector).toHaveTextContent('Hello there')
})

test('a turn says its model and its tokens in words, and what else its usage holds', async () => {
  const { log, inspector, container } = await openInspector()
  log().selectRow(4)
  await expect.element(inspector.getByText('model-1')).toBeVisible()
  const cells = () => [...container.querySelectorAll('.usage tr')].map((row) => row.textContent)
  await expect.poll(cells).toEqual(['Input10,800', 'from cache4,000', 'Output400'])
  await expect.element(inspector.getByText('service_tier')).toBeVisible()
})

test('a row that does not count says why', async () => {
  const { log, inspector } = await openInspector()
  await expect.element(inspector.getByText('abandoned')).not.toBeInTheDocument()
  log().selectRow(4)
  await expect.element(inspector.getByText('abandoned')).toBeVisible()
  await expect.element(inspector.getByText('The user went back to before this.', { exact: false })).toBeVisible()
})
