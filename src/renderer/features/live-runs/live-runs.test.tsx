import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import '../../ui/controls.css'
import { page, userEvent } from 'vitest/browser'
import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import type { LiveRun } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers } from '#contract/methods.ts'
import { App } from '../../app.tsx'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import type { CannedRow } from '../../../../test/page/host.ts'
import { runsHost, testRun } from '../../../../test/page/runs.ts'

const noStorage = { getItem: () => null, setItem: () => {} }
const words: CannedRow[] = Array.from({ length: 3 }, (_, at) => ({ kind: 'assistant', text: `Words ${at}` }))

/** A page on a host with `runs`; shows the first one if `opened`. */
async function show(
  runs: readonly LiveRun[],
  {
    opened = true,
    ...served
  }: { opened?: boolean; rows?: CannedRow[]; stderr?: string; handlers?: Partial<Handlers> } = {}
) {
  await page.viewport(1440, 900)
  const host = runsHost(runs, served)
  const app = createAppStore(host.host, {
    storage: noStorage,
    reconnect: () => {}
  })
  app.getState().setConnection('open')
  await expect.poll(() => app.getState().connection).toBe('open')
  const [first] = runs
  if (opened && first !== undefined) await app.getState().openRun(first)
  const screen = await render(
    <AppStoreContext value={app}>
      <App />
    </AppStoreContext>
  )
  const bar = screen.getByRole('region', { name: 'Live run', exact: true })
  const list = screen.getByRole('region', { name: 'Live runs', exact: true })
  return { host, app, screen, bar, list }
}

describe('an ended run', () => {
  const over = { state: 'ended', endedAt: Date.now(), finishReason: 'done', exitCode: 0, sessionId: 's-1' } as const

  it('can go on, from its row and by the key, in its folder and with its agent', async () => {
    const run = testRun({ ...over, prompt: 'Touch one.' })
    const { host, app, screen, list } = await show([run], { rows: words })
    await list.getByRole('button', { name: 'Go on: Touch one.' }).click()
    const form = screen.getByRole('dialog', { name: 'Go on with a session' })
    await expect
      .element(form.getByRole('group', { name: 'Session' }))
      .toHaveTextContent(/Touch one\.s-1.*1 line is damaged/)
    expect(form.getByRole('radiogroup', { name: 'Agent' }).getByRole('radio').elements().length).toBe(1)
    await expect.element(form.getByRole('textbox', { name: 'Folder' })).toHaveAttribute('readonly')
    await expect.element(form.getByRole('textbox', { name: 'Prompt' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    expect(app.getState().newRun.getState().draft.resumes).toBeNull()
    await userEvent.keyboard('R')
    await expect.element(form.getByRole('textbox', { name: 'Prompt' })).toHaveFocus()
    await expect.element(form.getByRole('group', { name: 'Session' })).toBeVisible()
    await userEvent.keyboard('And now?{Control>}{Enter}{/Control}')
    await expect.poll(() => host.started[0]?.request).toMatchObject({ resumes: { session: 's-1', run: run.run } })
    await screen.getByRole('note').getByRole('button', { name: 'Touch one.' }).click()
    await expect
      .poll(() => app.getState().logs.find(({ log }) => log === app.getState().active)?.path)
      .toBe(run.recording)
  })

  it('cannot go on without a session', async () => {
    const { bar, list } = await show([testRun({ ...over, sessionId: null })], { rows: words })
    await expect.element(bar.getByRole('button', { name: 'Run again', exact: true })).toBeVisible()
    for (const part of [bar, list]) expect(part.getByRole('button', { name: /^Go on/ }).elements()).toEqual([])
  })
})

const patch = `diff --git a/src/a.ts b/src/a.ts
index 5626abf..1fbbd44 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
-let a = 1
+const a = 1
 export default a
`

describe('a shown run', () => {
  it('shows what it changed in its folder, in all turns or in one', async () => {
    const asked: (number | null)[] = []
    const file = { path: 'src/a.ts', kind: 'changed', formerPath: null, addedLines: 1, removedLines: 1 } as const
    const { screen, bar } = await show([testRun({ keepsChanges: true })], {
      handlers: {
        'run.changes': async ({ turn }) => {
          asked.push(turn)
          return {
            turns: 2,
            files: turn === 2 ? [] : [file],
            patch: turn === 2 ? '' : patch,
            isCut: false,
            isGivenUp: turn === 2
          }
        }
      }
    })
    await bar.getByRole('button', { name: 'Changed by this run' }).click()
    const drawer = screen.getByRole('region', { name: 'Details of the run' })
    await expect.element(drawer).toHaveTextContent(/1 file changed\. Others may have changed files too\..*const a = 1/)
    await expect.element(drawer.getByRole('button', { name: 'Copy patch' })).toBeVisible()
    await drawer.getByRole('combobox', { name: 'Turn' }).selectOptions('Turn 2')
    await expect.element(drawer).toHaveTextContent(/No file changed\..*Later changes are missing/)
    expect(asked).toEqual([null, 2])
  })

  it('is labelled as incomplete above its rows, in the list and in the details', async () => {
    const message = 'The disk /home was full. After byte 4711 of its recording something is missing.'
    const over = { state: 'ended', endedAt: Date.now(), finishReason: 'error', exitCode: 0 } as const
    const run = testRun({ ...over, message, incomplete: { from: 4711, reason: 'disk-full', disk: '/home' } })
    const { screen, bar, list } = await show([run], { rows: words })
    await expect.element(bar).toHaveTextContent(/Incomplete/)
    await expect.element(screen.getByRole('note').getByText(message)).toBeVisible()
    await expect.element(list).toHaveTextContent(message)
    await bar.getByRole('button', { name: 'About this run' }).click()
    const about = screen.getByRole('region', { name: 'Details of the run' })
    await expect.element(about).toHaveTextContent(/may be incomplete from byte 4,711 on.*\/home was full/)
  })

  it('says in the details that the hook of Playhead is not in force', async () => {
    const { screen, bar } = await show([testRun({ hookLost: '--bare turns hooks off.' })], { rows: words })
    await bar.getByRole('button', { name: 'About this run' }).click()
    const about = screen.getByRole('region', { name: 'Details of the run' })
    await expect.element(about).toHaveTextContent(/not at once: --bare turns hooks off\./)
  })

  it.each([
    ['claude', { mode: null }, 'Default permissions'],
    ['codex', { mode: 'workspace-write' }, 'Write to its folder'],
    ['gemini', { mode: 'brand-new' }, 'brand-new']
  ] as const)('names the permissions of %s in a tab that has not asked for the agents', async (agent, more, name) => {
    const { screen, bar } = await show([testRun({ agent, ...more })], {
      handlers: { 'agent.list': async () => await new Promise(() => {}) }
    })
    await bar.getByRole('button', { name: 'About this run' }).click()
    const about = screen.getByRole('region', { name: 'Details of the run' })
    await expect.element(about).toHaveTextContent(new RegExp(`Permissions${name}`))
  })

  it('has no state while the connection is lost', async () => {
    const { app, screen, bar, list } = await show([testRun({})], { rows: words })
    await expect.element(bar).toHaveTextContent(/Running/)
    app.getState().setConnection('lost', null, performance.now() + 4500)
    await expect.element(bar).toHaveTextContent(/Not connected/)
    await expect.element(list).toHaveTextContent(/Not connected/)
    for (const part of [bar, list]) expect(part.element().textContent).not.toMatch(/Running|\d:\d\d/)
    await expect.element(bar.getByRole('button', { name: 'Stop' })).toHaveAttribute('aria-disabled', 'true')
    await expect.element(screen.getByRole('alert')).toHaveTextContent(/^Connection lost\./)
    await expect.element(screen.getByText(/^Trying again in [45] s$/)).toBeVisible()
    app.getState().setConnection('lost')
    await expect.element(screen.getByText('Trying now…')).toBeVisible()
  })

  it('lists denied calls beside its end, in the list and in the details', async () => {
    const denied = { calls: 2, tools: ['Write', 'Bash'] }
    const run = testRun({ denied })
    const { host, screen, bar, list } = await show([run], { rows: words })
    // Nothing in the bar moves while the run goes on.
    expect(bar.element().textContent).not.toContain('denied')
    host.changed({ ...run, state: 'ended', finishReason: 'done', exitCode: 0, endedAt: run.startedAt + 1000 })
    await expect.element(bar).toHaveTextContent(/Done.*2 calls denied/)
    await expect.element(bar.getByTitle('2 calls denied (Write, Bash)')).toBeVisible()
    await expect.element(list).toHaveTextContent(/Done · 2 calls denied · /)
    await bar.getByRole('button', { name: 'About this run' }).click()
    const about = screen.getByRole('region', { name: 'Details of the run' })
    await expect.element(about).toHaveTextContent(/Denied2 calls: Write, Bash/)
  })

  it('is not done without evidence', async () => {
    const over = { state: 'ended', endedAt: Date.now(), finishReason: 'error', exitCode: 0, unfinished: true } as const
    const { bar, list } = await show([testRun({ ...over, message: 'The agent exited without a final turn. …' })], {
      rows: words
    })
    await expect.element(bar).toHaveTextContent(/Ended without a final turn/)
    expect(bar.element().textContent).not.toMatch(/Failed|exit code/)
    await expect.element(list).toHaveTextContent(/Ended without a final turn · /)
  })

  it('measures its time with a monotonic clock', async () => {
    // The host measured a minute; by the time of day the run starts tomorrow.
    const run = testRun({ startedAt: Date.now() + 86_400_000, elapsedMs: 61_000 })
    const { host, bar } = await show([run], { rows: words })
    const elapsed = () => bar.element().querySelector('.run-bar-elapsed')?.textContent
    await expect.poll(elapsed).toMatch(/^1:0[1-9]$/)
    host.changed({ ...run, state: 'ended', finishReason: 'done', endedAt: 5, elapsedMs: 125_000 })
    await expect.poll(elapsed).toBe('2:05')
  })

  it('shows its progress without moving the layout', async () => {
    const run = testRun({
      startedAt: Date.now() - 61_500,
      timeLimitMs: 600_000,
      tokens: { sent: 12_345, atLeast: false, received: 67 },
      todo: { completed: 3, total: 7 }
    })
    const { host, bar } = await show([run], { rows: words })
    await expect.element(bar).toHaveTextContent(/Running/)
    await expect.element(bar).toHaveTextContent(/\d:\d\d left/)
    await expect.element(bar.getByRole('img', { name: '3 of 7 todos completed' })).toBeVisible()
    const stop = bar.getByRole('button', { name: 'Stop' })
    const places = () => [...bar.element().children].map((part) => part.getBoundingClientRect().x).map(Math.round)
    const elapsed = () => bar.element().querySelector('.run-bar-elapsed')?.textContent
    const [before, first] = [places(), elapsed()]
    await expect.poll(elapsed).not.toBe(first)
    host.changed({ ...run, stderrBytes: 999_000, stdoutBytes: 5000 })
    await expect.element(bar).toHaveTextContent('999 kB')
    expect(places()).toEqual(before)
    expect(stop.element().getBoundingClientRect().right).toBeLessThanOrEqual(
      bar.element().getBoundingClientRect().right
    )
  })

  it('says that it waits for output, or that there was none', async () => {
    const run = testRun()
    const { host, screen } = await show([run])
    await expect.element(screen.getByText('Waiting for the first line from Claude Code…')).toBeVisible()
    host.changed({ ...run, state: 'ended', finishReason: 'done', exitCode: 0, endedAt: run.startedAt })
    await expect.element(screen.getByText('Claude Code printed nothing.')).toBeVisible()
  })

  it('is stopped once, with a note of the next step, then of the end', async () => {
    const run = testRun()
    const { host, bar, screen } = await show([run], { rows: words })
    await bar.getByRole('button', { name: 'Stop' }).click()
    const stopping = bar.getByRole('button', { name: 'Stopping…' })
    await expect.element(stopping).toHaveAttribute('aria-disabled', 'true')
    await expect.element(screen.getByText(/^Stopping\. If it does not exit/)).toBeVisible()
    // The button looks disabled.
    await stopping.click({ force: true })
    expect(host.stopped).toEqual(['run-1'])
    host.changed({
      ...run,
      state: 'ended',
      finishReason: 'timeout',
      signal: 'SIGKILL',
      message: 'After 10 min.',
      endedAt: 1
    })
    await expect.element(bar).toHaveTextContent(/Timed out.*SIGKILL/)
    await expect.element(screen.getByText('After 10 min.').first()).toBeVisible()
  })

  it('cannot be stopped if another Playhead runs it', async () => {
    const { bar } = await show([testRun({ own: false })], { rows: words })
    await expect.element(bar).toHaveTextContent('started by another Playhead')
    expect(bar.getByRole('button', { name: 'Stop' }).elements()).toEqual([])
  })

  it('reports why it could not be stopped', async () => {
    const { bar, screen } = await show([testRun()], {
      rows: words,
      handlers: {
        'run.stop': async () => {
          throw new HostError('unavailable', 'It is out of reach.')
        }
      }
    })
    await bar.getByRole('button', { name: 'Stop' }).click()
    await expect.element(screen.getByText('It is out of reach.').first()).toBeVisible()
  })

  it('is edited and started again in the form', async () => {
    const { host, bar, screen } = await show([testRun({ state: 'ended', finishReason: 'done', model: 'large' })], {
      rows: words
    })
    await bar.getByRole('button', { name: 'Edit and run again' }).click()
    const dialog = screen.getByRole('dialog', { name: 'New run' })
    const prompt = dialog.getByRole('textbox', { name: 'Prompt' })
    await expect.element(prompt).toHaveValue('Make the tests pass')
    await expect.element(dialog.getByRole('combobox', { name: 'Model' })).toHaveValue('large')
    await prompt.fill('Make them pass')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.poll(() => host.started.map(({ request }) => request.prompt)).toEqual(['Make them pass'])
    await expect.element(bar).toHaveTextContent('Running')
  })

  it('shows its standard error in a drawer, at the end until scrolled away', async () => {
    const stderr = Array.from({ length: 400 }, (_, at) => `\u001b[31mtrouble\u001b[0m ${at}\n`).join('')
    const { bar, screen } = await show([testRun({ stderrBytes: stderr.length })], { rows: words, stderr })
    await bar.getByRole('button', { name: /^stderr/ }).click()
    const box = screen.getByRole('group', { name: 'Standard error' })
    await expect.element(box).toHaveTextContent('trouble 399')
    expect(box.element().querySelector('.t-fg')?.textContent).toBe('trouble')
    const follow = screen.getByRole('button', { name: 'Follow standard error' })
    await expect.element(follow).toHaveAttribute('aria-pressed', 'true')
    box.element().scrollTop = 0
    await expect.element(follow).toHaveAttribute('aria-pressed', 'false')
    await expect.element(box).toHaveTextContent('trouble 1')
    await follow.click()
    await expect.element(box).toHaveTextContent('trouble 399')
    await userEvent.click(box)
    await userEvent.keyboard('{Escape}')
    await expect.element(box).not.toBeInTheDocument()
  })
})

describe('the list of runs', () => {
  const over = Array.from({ length: 8 }, (_, at) =>
    testRun({ run: `over-${at}`, prompt: `Old ${at}`, state: 'ended', finishReason: 'done', endedAt: 1, startedAt: at })
  )

  it('lists running ones, then recent ones, and all on demand', async () => {
    const { list } = await show([testRun({ prompt: '\n First line\nsecond' }), ...over], { opened: false })
    const names = () => [...list.element().querySelectorAll('.run-name')].map((name) => name.textContent)
    await expect.poll(names).toEqual(['First line', 'Old 7', 'Old 6', 'Old 5', 'Old 4', 'Old 3'])
    await list.getByRole('button', { name: 'Show all 8 finished runs' }).click()
    await expect.poll(() => names().length).toBe(9)
  })

  it('offers a lost run until it is dismissed', async () => {
    const lost = testRun({ prompt: 'Be lost', state: 'lost' })
    const { app, screen } = await show([lost], { opened: false })
    const offer = screen.getByRole('region', { name: 'Lost runs' })
    await expect.element(offer).toHaveTextContent('Playhead exited while this run was active.')
    await offer.getByRole('button', { name: 'Dismiss: Be lost' }).click()
    await expect.element(offer).not.toBeInTheDocument()
    expect(app.getState().liveRuns.getState().runs.length).toBe(1)
  })

  it('reports why a run failed, and deletes it only on consent', async () => {
    const failed = testRun({ prompt: 'Fail', state: 'ended', finishReason: 'error', message: 'No key.', endedAt: 1 })
    const { host, list, screen } = await show([failed], { opened: false })
    await expect.element(list).toHaveTextContent('No key.')
    const remove = list.getByRole('button', { name: 'Delete Fail' })
    remove.element().focus()
    await userEvent.keyboard('{Enter}')
    const question = screen.getByRole('dialog', { name: 'Delete this run?' })
    await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(remove).toHaveFocus()
    expect(host.removed).toEqual([])
    await userEvent.keyboard('{Enter}')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => host.removed).toEqual(['run-1'])
    await expect.element(list).toHaveTextContent('No active runs')
  })

  it('says that a recording in another place is kept', async () => {
    const placed = testRun({
      prompt: 'Elsewhere',
      state: 'ended',
      finishReason: 'done',
      recording: '/home/me/run.jsonl'
    })
    const { list, screen } = await show([placed], { opened: false })
    await list.getByRole('button', { name: 'Delete Elsewhere' }).click()
    const question = screen.getByRole('dialog', { name: 'Delete this run?' })
    await expect.element(question).toHaveTextContent('The recording is kept:/home/me/run.jsonl')
  })
})

describe('all runs', () => {
  it('are counted with their disk use, loaded page by page, and deleted by age after a question', async () => {
    const over = { state: 'ended', finishReason: 'done' } as const
    const many = Array.from({ length: 230 }, (_, at) => {
      const ended = at < 210 ? Date.now() : 1
      return testRun({ ...over, run: `run-${999 - at}`, startedAt: 2e12 - at, endedAt: ended, stdoutBytes: 2000 })
    })
    const { host, list, screen } = await show(many, { opened: false })
    await expect.element(list).toHaveTextContent('230 runs · 460 kB')
    await expect.element(list.getByText(/Done .* 2\.0 kB/).first()).toBeVisible()
    await list.getByRole('button', { name: 'Show all 230 finished runs' }).click()
    await list.getByRole('button', { name: 'Show 30 older runs' }).click()
    await expect.element(list.getByRole('button', { name: 'Show 30 older runs' })).not.toBeInTheDocument()
    await list.getByRole('button', { name: 'Delete old runs…' }).click()
    const dialog = screen.getByRole('dialog', { name: 'Delete old runs' })
    await expect.element(dialog.getByRole('status')).toHaveTextContent('This deletes 20 runs, 40 kB.')
    await dialog.getByRole('textbox', { name: 'Runs to keep' }).fill('x')
    await expect.element(dialog.getByRole('status')).toHaveTextContent('Enter a number.')
    await dialog.getByRole('textbox', { name: 'Runs to keep' }).fill('225')
    await expect.element(dialog.getByRole('status')).toHaveTextContent('This deletes 5 runs, 10 kB.')
    expect(host.removed).toEqual([])
    await dialog.getByRole('button', { name: 'Delete 5 runs' }).click()
    await expect.element(list).toHaveTextContent('225 runs · 450 kB')
    expect(host.removed).toEqual(many.slice(225).map(({ run }) => run))
  })
})
