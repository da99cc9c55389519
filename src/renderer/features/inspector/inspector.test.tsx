import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { Handlers } from '#contract/methods.ts'
import type { EventBody, ToolCompleted } from '#core/events/agent-event.ts'
import { type InspectedRow, openRows } from '../../../../test/page/inspected-rows.tsx'

const said = (text: string): InspectedRow => ({ body: { type: 'text', text, category: 'assistant-message' } })
const call: EventBody = {
  type: 'tool.started',
  toolName: 'Bash',
  toolId: 't1',
  input: { command: 'npm test', description: 'Run the tests', timeout: 5000 }
}
const failed: InspectedRow = {
  body: {
    ...{ type: 'tool.completed', toolId: 't1', error: `Exit code 1\n${'x'.repeat(100_000)}\n<b>last</b>` },
    ...{ durationMs: 1240, durationFrom: 'records' }
  },
  facts: { exitCode: 1 },
  row: { badges: [{ text: 'exit 1', tone: 'bad' }] }
}
const done = (output: string): InspectedRow => ({ body: { type: 'tool.completed', toolId: 't1', output } })

test('a call is shown with its result, whichever is selected', async () => {
  const { log, select, inspector } = await openRows([said('Go.'), { body: call }, failed])
  select(1)
  await expect.element(inspector.getByRole('group', { name: 'Command' })).toHaveTextContent('npm test')
  await expect.element(inspector.getByText('Run the tests')).toBeVisible()
  await expect.element(inspector).toHaveTextContent('line 2event 1main')
  await expect.element(inspector).toHaveTextContent('timeout5000')
  await expect.element(inspector).toHaveTextContent('Errorevent 2took 1.2 s (from timestamps)exit 1')
  await inspector.getByRole('button', { name: 'event 2' }).click()
  expect(log().row).toBe(2)
  await expect.element(inspector).toHaveTextContent('Errorof event 1took 1.2 s (from timestamps)')
  await expect.element(inspector.getByRole('group', { name: 'Command' })).toHaveTextContent('npm test')
})

test('a result states the duration of its call and its source, if known', async () => {
  const took = (over: Partial<ToolCompleted>): InspectedRow => ({
    body: { type: 'tool.completed', toolId: 't1', output: 'ok', ...over }
  })
  const { select, inspector } = await openRows([
    ...[{ body: call }, took({ durationMs: 0, durationFrom: 'stated' })],
    ...[took({ durationMs: 65_000, durationFrom: 'records' }), took({})]
  ])
  select(1)
  await expect
    .element(inspector.getByText('took 0 ms', { exact: true }))
    .toHaveAttribute('title', 'As stated in the log.')
  select(2)
  await expect
    .element(inspector.getByText('took 1 min 5 s (from timestamps)', { exact: true }))
    .toHaveAttribute('title', expect.stringContaining('waiting for a person') as string)
  select(3)
  await expect.element(inspector.getByText('duration unknown', { exact: true })).toBeVisible()
  await expect.element(inspector).not.toHaveTextContent('took')
})

test('a failed output is loaded to its end, where the error may be', async () => {
  const { select, inspector } = await openRows([{ body: call }, failed])
  select(1)
  await expect.element(inspector).toHaveTextContent('2 lines')
  await expect.element(inspector).not.toHaveTextContent('of 100,024 characters')
  const box = inspector.getByRole('group', { name: 'Error output' })
  const textAtEnd = () => {
    // The box grows while its lines are read.
    box.element().scrollTop = 1e6
    return box.element().textContent
  }
  await expect.poll(textAtEnd).toContain('<b>last</b>')
})

test('replaced results are labelled, and linked with each other', async () => {
  const { log, select, inspector } = await openRows([{ body: call }, done('first'), done('second')])
  select(0)
  await expect.element(inspector.getByRole('group', { name: 'Output' })).toHaveTextContent('second')
  await expect.element(inspector).toHaveTextContent('superseded This call has 1 other result: event 1')
  await inspector.getByRole('button', { name: 'event 1' }).click()
  expect(log().row).toBe(1)
  await expect.element(inspector.getByRole('group', { name: 'Output' })).toHaveTextContent('first')
  await expect.element(inspector).toHaveTextContent('supersededby event 2')
})

test('a result reported by the hook is shown until the log has its own', async () => {
  const asked: string[] = []
  let content: string | null = null
  const live = { sessionId: 's', grownAt: 1 }
  const toolResult: Handlers['tool.result'] = async ({ session, tool }) => {
    asked.push(`${session} ${tool}`)
    if (content === null) return { result: null }
    const reported = { content, cut: false, is_error: false, source: 'hook' as const, updated_at: 5 }
    return { result: { session_id: session, tool_use_id: tool, ...reported } }
  }
  const { inspector, grow, say } = await openRows([{ body: call }], {
    changes: live,
    handlers: { 'tool.result': toolResult }
  })
  await expect.element(inspector).toHaveTextContent('No result yet. The call may still be running.')
  expect(asked).toEqual(['s t1'])
  content = 'of the hook'
  say('tool.reported', { session: 's', tool: 'another' })
  say('tool.reported', { session: 's', tool: 't1' })
  await expect.element(inspector).toHaveTextContent('reported by the hook')
  await expect.element(inspector.getByRole('group', { name: 'Output' })).toHaveTextContent('of the hook')
  expect(asked).toEqual(['s t1', 's t1'])
  grow(done('of the log'))
  await expect.element(inspector.getByRole('group', { name: 'Output' })).toHaveTextContent('of the log')
  expect(inspector.getByRole('group', { name: 'Output' }).all().length).toBe(1)
  await expect.element(inspector).not.toHaveTextContent('the hook')
})

test('a reported result of a lost run is shown', async () => {
  const { inspector } = await openRows([{ body: call }], {
    recorded: true,
    handlers: {
      'tool.result': async ({ session, tool }) => {
        const of = { session_id: session, tool_use_id: tool, updated_at: 5 }
        return { result: { ...of, content: 'It broke.', cut: true, is_error: true, source: 'hook' } }
      }
    },
    changes: { sessionId: 's' }
  })
  await expect.element(inspector.getByRole('group', { name: 'Error output' })).toHaveTextContent('It broke.')
  await expect.element(inspector).toHaveTextContent('Only the beginning was kept')
})

test('a call of an ended run is not running, however recently its log grew', async () => {
  const { inspector } = await openRows([{ body: call }], {
    recorded: true,
    handlers: { 'tool.result': async () => ({ result: null }) },
    changes: { sessionId: 's', grownAt: 1 }
  })
  await expect.element(inspector).toHaveTextContent('No result recorded for this call.')
})

test('no reported result is requested for a log at rest', async () => {
  const asked: string[] = []
  const { inspector } = await openRows([{ body: call }], {
    changes: { sessionId: 's' },
    handlers: {
      'tool.result': async ({ tool }) => {
        asked.push(tool)
        return { result: null }
      }
    }
  })
  await expect.element(inspector).toHaveTextContent('No result recorded for this call.')
  expect(asked).toEqual([])
})

test('a call without a result says so', async () => {
  const { inspector } = await openRows([{ body: call }])
  await expect.element(inspector).toHaveTextContent('No result recorded for this call.')
})

test('a record is shown as written, and a row that does not count says why', async () => {
  const record = { type: 'system', subtype: 7 }
  const { inspector, select } = await openRows([
    { body: null, record },
    { ...said('Old.'), row: { mark: 'abandoned' } }
  ])
  select(0)
  await expect.element(inspector.getByRole('tree', { name: 'Record' })).toHaveTextContent('subtype: 7')
  select(1)
  await expect.element(inspector.getByText('abandoned')).toBeVisible()
  await expect.element(inspector.getByText('The user rewound to an earlier point.', { exact: false })).toBeVisible()
})

test('the tabs use the arrow keys while focused; a click does not focus them', async () => {
  const { log, inspector } = await openRows([said('Go.')])
  const tab = inspector.getByRole('tab', { name: 'Event' })
  await tab.click()
  expect(document.activeElement).toBe(document.body)
  ;(tab.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(log().inspectorTab).toBe('raw')
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(log().inspectorTab).toBe('summary')
  await userEvent.keyboard('{End}')
  await expect.element(inspector.getByRole('tab', { name: 'Log issues' })).toHaveFocus()
})

test('a read error is shown with a retry', async () => {
  const { inspector } = await openRows([said('Hello there')], { failures: 1 })
  await expect.element(inspector).toHaveTextContent('The row could not be read: The file was shortened.')
  await inspector.getByRole('button', { name: 'Try again' }).click()
  await expect.element(inspector).toHaveTextContent('Hello there')
})

test('the inspector widens and narrows', async () => {
  const asked: boolean[] = []
  const { inspector } = await openRows([said('Go.')], { widening: { wide: true, onWiden: (on) => asked.push(on) } })
  await inspector.getByRole('button', { name: 'Wide inspector', pressed: true }).click()
  expect(asked).toEqual([false])
})

test('panels have the size of the kind of the selected row', async () => {
  const { log, layout, select } = await openRows([said('Hello'), { body: call }, said('Bye')])
  select(0)
  await expect.poll(() => layout().kind).toBe('assistant')
  layout().resize('side', 400)
  select(1)
  await expect.poll(() => layout().kind).toBe('tool')
  layout().resize('side', 700)
  select(2)
  await expect.poll(() => layout().sizes.side).toBe(400)
  log().inspecting.show('summary')
  await expect.poll(() => layout().kind).toBeNull()
  expect(layout().sizes.side).toBe(700)
})
