import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { keepSession } from '../kept-session.ts'
import { program } from '../stand-in/stand-in.ts'
import { grid, seriousViolations, slider, todoPanel } from './page-parts.ts'
import { expect, root, test as base, withState } from './playhead-server.ts'

/** An agent that prints what it is told. */
interface Told {
  readonly command: string
  readonly cwd: string
  /** Lines on standard output. */
  print(...records: object[]): void
  /** Text on standard error. */
  complain(text: string): void
  end(exitCode: number): void
  /** It goes on when it is interrupted. */
  beStubborn(): void
  /** What it was told is forgotten: the next one begins anew. */
  forget(): void
}

interface LiveRuns {
  readonly told: Told
  /** The address of a server whose Claude Code is the agent that is told. */
  readonly start: () => Promise<string>
  /** Kills the server as nothing can be prepared for. */
  readonly crash: () => Promise<void>
}

const test = base.extend<LiveRuns>({
  told: async ({ browserName: _browserName }, use, info) => await use(tellable(info.outputPath('agent'))),
  start: async ({ state, told }, use) => {
    mkdirSync(state, { recursive: true })
    writeFileSync(join(state, 'agents.json'), JSON.stringify({ version: 1, commands: { claude: told.command } }))
    await use(async () => {
      const child = spawn(process.execPath, [`${root}bin/playhead.js`, 'serve', '--no-open'], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: withState(state)
      })
      servers.push(child)
      for await (const line of createInterface({ input: child.stdout })) return line.trim()
      throw new Error('the server ended before it printed its URL')
    })
    for (const child of servers.splice(0)) await endServer(child, 'SIGTERM')
  },
  crash: async ({ browserName: _browserName }, use) => {
    await use(async () => {
      const child = servers.pop()
      if (child) await endServer(child, 'SIGKILL')
    })
  }
})
const servers: ChildProcess[] = []

async function endServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

function tellable(folder: string): Told {
  const [said, cwd] = [join(folder, 'said'), join(folder, 'work')]
  mkdirSync(said, { recursive: true })
  mkdirSync(cwd, { recursive: true })
  const agent = fileURLToPath(new URL('told-agent.js', import.meta.url))
  return {
    command: program(folder, 'claude', `exec '${process.execPath}' '${agent}' '${said}' "$@"`),
    cwd,
    print: (...records) =>
      appendFileSync(join(said, 'stdout'), records.map((record) => `${JSON.stringify(record)}\n`).join('')),
    complain: (text) => appendFileSync(join(said, 'stderr'), text),
    end: (exitCode) => writeFileSync(join(said, 'exit'), String(exitCode)),
    beStubborn: () => writeFileSync(join(said, 'stubborn'), ''),
    forget: () => {
      for (const name of readdirSync(said)) rmSync(join(said, name))
    }
  }
}

const init = { type: 'system', subtype: 'init', cwd: '/w', session_id: 's', tools: ['Bash'], model: 'm', uuid: 'u' }
let written = 0
const assistant = (content: object) => ({
  ...{ type: 'assistant', parent_tool_use_id: null, session_id: 's' },
  message: { id: `m${++written}`, role: 'assistant', content: [content] }
})
const said = (text: string) => assistant({ type: 'text', text })
const todos = (...statuses: string[]) => {
  const list = statuses.map((status, at) => ({ content: `Part ${at}`, status, activeForm: `Doing part ${at}` }))
  return assistant({ type: 'tool_use', id: `t${++written}`, name: 'TodoWrite', input: { todos: list } })
}
const result = {
  ...{ type: 'result', subtype: 'success', is_error: false, duration_ms: 1, num_turns: 1, result: 'All done' },
  ...{ session_id: 's', total_cost_usd: 0.1, usage: { input_tokens: 1200, output_tokens: 34 } }
}

const bar = (page: Page) => page.getByRole('region', { name: 'Live run', exact: true })
const panel = (page: Page) => page.getByRole('region', { name: 'Live runs' })
const button = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })

/** Above the rows of a run: the run or session that it goes on from. */
const origin = (page: Page) => page.getByRole('note').filter({ hasText: 'Goes on from' })

/** The form of a new run, where the library is shown. */
async function askForRun(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'New run' }).click()
}

async function startRun(page: Page, { cwd }: Told, prompt: string): Promise<void> {
  const form = page.getByRole('form', { name: 'New run' })
  if (!(await form.isVisible())) await askForRun(page)
  await form.getByRole('textbox', { name: 'Folder' }).fill(cwd)
  await form.getByRole('textbox', { name: 'Prompt' }).fill(prompt)
  await page.keyboard.press('Control+Enter')
  await expect(bar(page)).toContainText(/Starting|Running/)
}

test('a run is started from the form, followed, and tells how it ended', async ({ page, start, told }) => {
  await page.goto(await start())
  await askForRun(page)
  // With the version that it states.
  await expect(page.getByRole('radio', { name: /Claude Code.*\d+\.\d+\.\d+/ })).toBeChecked()
  expect(await seriousViolations(page)).toEqual([])
  await startRun(page, told, 'Count the words\nof all files')
  await expect(grid(page)).toContainText('Waiting for the first line from Claude Code')
  await expect(page.getByRole('heading', { name: 'Count the words' })).toBeVisible()
  const place = await bar(page).boundingBox()

  told.print(init, todos('in_progress', 'pending', 'pending'))
  await expect.poll(() => todoPanel(page)).toHaveLength(3)
  await expect(bar(page).getByRole('img', { name: '0 of 3 todos completed' })).toBeVisible()
  told.print(said('The newest words'), todos('completed', 'completed', 'in_progress'), said('And newer ones'))
  await expect(grid(page).locator('[aria-selected=true]')).toContainText('And newer ones')
  await expect(bar(page).getByRole('img', { name: '2 of 3 todos completed' })).toBeVisible()
  await expect(panel(page)).toContainText('2/3')
  await expect(panel(page)).toContainText('Running')
  expect(await bar(page).boundingBox()).toEqual(place)
  expect(await seriousViolations(page)).toEqual([])

  told.print(result)
  told.end(0)
  await expect(bar(page)).toContainText('Done')
  await expect(panel(page)).toContainText('Done')
  await expect(button(page, 'Run again')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Todos' })).toContainText('Part 2')
})

test('runs that are over are deleted after a question, the old ones or one', async ({ page, start, told, state }) => {
  const folders = () => readdirSync(join(state, 'runs')).filter((name) => !name.startsWith('.'))
  await page.goto(await start())
  await startRun(page, told, 'Count')
  told.print(init, said('One'), result)
  told.end(0)
  await expect(bar(page)).toContainText('Done')
  told.forget()
  await button(page, 'Run again').click()
  await expect(bar(page)).toContainText('Running')
  // Beside the run before, and compared again when it has grown.
  told.print(init, said('One'))
  await button(page, 'Compare with the run before').click()
  const rows = page.getByRole('grid', { name: 'Aligned steps' })
  await expect(rows.locator('[data-class="only-a"]')).toContainText('Turn end')
  told.print(todos('pending'), result)
  await expect(rows.locator('[data-class="only-b"]')).toContainText('Todos')
  await expect(rows.locator('[data-class="only-a"]')).toHaveCount(0)
  told.end(0)
  await expect(bar(page)).toContainText('Done')
  await expect(panel(page)).toContainText(/2 runs · [\d.]+ k?B/)
  expect(folders()).toHaveLength(2)

  await panel(page).getByRole('button', { name: 'Delete old runs…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('status')).toHaveText('This deletes 0 runs, 0 B.')
  await expect(dialog.getByRole('button', { name: 'Delete 0 runs' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Runs to keep' }).fill('1')
  await expect(dialog.getByRole('status')).toContainText('This deletes 1 run,')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await seriousViolations(page, 'dialog')).toEqual([])
  }
  await dialog.getByRole('button', { name: 'Delete 1 run' }).click()
  await expect(panel(page).getByRole('listitem')).toHaveCount(1)
  await expect.poll(folders).toHaveLength(1)

  // The one that is shown: its recording goes with it.
  const remove = panel(page).getByRole('button', { name: 'Delete Count' })
  await remove.focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('cannot be undone')
  // What is chosen first is what deletes nothing.
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  expect(folders()).toHaveLength(1)
  await remove.focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(panel(page).getByRole('listitem')).toHaveCount(0)
  await expect.poll(folders).toHaveLength(0)
})

test('a run is stopped; a program that does not listen is ended all the same', async ({ page, start, told }) => {
  await page.goto(await start())
  await startRun(page, told, 'Count for ever')
  told.print(init, said('One'))
  await expect(grid(page)).toContainText('One')
  await button(page, 'Stop').focus()
  await page.keyboard.press('Enter')
  await expect(bar(page)).toContainText('Stopped')
  // Who pressed it a second time has not started another one.
  await page.keyboard.press('Enter')
  await expect(bar(page)).toBeFocused()
  await expect(panel(page).getByRole('listitem')).toHaveCount(1)

  told.beStubborn()
  await button(page, 'Run again').click()
  await expect(bar(page)).toContainText('Running')
  await button(page, 'Stop').click()
  await expect(button(page, 'Stopping…')).toBeVisible()
  await expect(page.getByText('Stopping. If it does not exit soon', { exact: false })).toBeVisible()
  await expect(bar(page)).toContainText('Stopped')
  await expect(panel(page).getByRole('listitem')).toHaveCount(2)
})

test('standard error is followed, and why a run failed is said', async ({ page, start, told }) => {
  await page.goto(await start())
  await startRun(page, told, 'Fail')
  told.complain('\u001b[31mfirst\u001b[0m trouble\n')
  await bar(page)
    .getByRole('button', { name: /^stderr/ })
    .click()
  const stderr = page.getByRole('group', { name: 'Standard error' })
  await expect(stderr).toContainText('first trouble')
  await expect(stderr.locator('.t-fg')).toHaveText('first')
  told.complain(Array.from({ length: 300 }, (_, at) => `trouble ${at}\n`).join(''))
  await expect(stderr).toContainText('trouble 299')
  expect(await seriousViolations(page)).toEqual([])
  told.end(1)
  await expect(bar(page)).toContainText('Failed')
  await expect(bar(page)).toContainText('exit code 1')
  await expect(page.getByRole('note').first()).toContainText('exit code 1')
  await expect(grid(page)).toContainText('Claude Code printed nothing')
  await page.getByRole('tab', { name: 'Standard error' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tabpanel', { name: 'About this run' })).toContainText(told.cwd)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tab', { name: 'About this run' })).toHaveCount(0)
})

test('a page that is loaded in the middle of a run goes on with it', async ({ page, start, told }) => {
  await page.goto(await start())
  await startRun(page, told, 'Go on')
  told.print(init, said('Before'))
  await expect(grid(page)).toContainText('Before')
  await page.reload()
  await expect(bar(page)).toContainText('Running')
  told.print(said('After'))
  await expect(grid(page).locator('[aria-selected=true]')).toContainText('After')
  told.end(0)
  await expect(bar(page)).toContainText('Ended without a final turn')
})

test('a run that was lost with its Playhead is offered: what it printed is there', async ({
  page,
  start,
  told,
  crash,
  state
}) => {
  await page.goto(await start())
  await startRun(page, told, 'Be lost')
  told.print(init, said('What was printed'))
  await expect(grid(page)).toContainText('What was printed')
  await crash()
  await page.goto(await start())
  const lost = page.getByRole('region', { name: 'Lost runs' })
  await expect(lost).toContainText('Be lost')
  expect(await seriousViolations(page)).toEqual([])
  await lost.getByRole('button', { name: 'Open the recording' }).click()
  await expect(grid(page)).toContainText('What was printed')
  await expect(bar(page)).toContainText('Lost')
  expect(Number(await slider(page).getAttribute('aria-valuemax'))).toBeGreaterThan(0)

  const [run = ''] = readdirSync(join(state, 'runs'))
  expect(readFileSync(join(state, 'runs', run, 'stdout.jsonl'), 'utf8')).toContain('What was printed')
  await panel(page).getByText('Be lost').hover()
  await panel(page).getByRole('button', { name: 'Delete Be lost' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this run?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(panel(page)).not.toContainText('Be lost')
  await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
  expect(readdirSync(join(state, 'runs'))).toEqual([])
})

test('a run goes on with the session of another one, which it names', async ({ page, start, told, state }) => {
  const session = '5514c343-1a23-46d5-ab38-e12cf53b350b'
  await page.goto(await start())
  await startRun(page, told, 'Touch one')
  told.print(
    { ...init, session_id: session },
    { ...said('One'), session_id: session },
    { ...result, session_id: session }
  )
  told.end(0)
  keepSession(join(state, 'home'), 'claude', { id: session, cwd: told.cwd, more: ['{"type":"us{"type":"user"}'] })
  await button(page, 'Go on…').click()
  const form = page.getByRole('dialog', { name: 'Go on with a session' })
  await expect(form.getByRole('group', { name: 'Session' })).toContainText(/Touch one.*1 line of its file is damaged/)
  await expect(form.getByRole('textbox', { name: 'Prompt' })).toBeFocused()
  expect(await seriousViolations(page, 'dialog')).toEqual([])
  told.forget()
  await page.keyboard.type('And now?')
  await page.keyboard.press('Control+Enter')
  await expect(origin(page)).toHaveText('Goes on from Touch one')
  told.print(
    { ...init, session_id: session },
    { ...said('Two'), session_id: session },
    { ...result, session_id: session }
  )
  told.end(0)
  await expect(bar(page)).toContainText('Done')
  await expect(grid(page)).toContainText('Two')
  expect(await seriousViolations(page)).toEqual([])
  const [before = '', after = ''] = readdirSync(join(state, 'runs')).sort()
  expect(JSON.parse(readFileSync(join(state, 'runs', after, 'run.json'), 'utf8'))).toMatchObject({
    resumes: { session, run: before },
    commandLine: expect.arrayContaining(['--resume', session])
  })
  await origin(page).getByRole('button').click()
  await expect(grid(page)).toContainText('One')
})

test('a session of the library goes on in its folder, if that is still there', async ({ page, start, told, state }) => {
  const session = '5514c343-1a23-46d5-ab38-e12cf53b350b'
  keepSession(join(state, 'home'), 'claude', { id: session, cwd: told.cwd })
  await page.goto(await start())
  await page.getByRole('row', { name: /Touch one\./ }).click()
  const dialog = page.getByRole('dialog', { name: 'Go on with a session' })
  const folder = dialog.getByRole('textbox', { name: 'Folder' })
  await page.keyboard.press('R')
  await expect(folder).toHaveValue(told.cwd)
  await page.keyboard.press('Escape')
  renameSync(told.cwd, `${told.cwd}-away`)
  await page.getByRole('region', { name: 'Preview' }).getByRole('button', { name: 'Go on…' }).click()
  await expect(dialog.getByRole('group', { name: 'Session' })).toContainText(/does not exist\. Restore it there/)
  await page.keyboard.type('And now?')
  await page.keyboard.press('Control+Enter')
  await expect(folder).toHaveAccessibleDescription(/does not exist\. Restore it there/)
  renameSync(`${told.cwd}-away`, told.cwd)
  await dialog.getByRole('button', { name: 'Start run' }).click()
  await expect(origin(page)).toHaveText(`Goes on from session ${session}`)
})

test('the form is a dialog while a log is shown; what is typed stays, and a command can be set', async ({
  page,
  start,
  told
}) => {
  await page.goto(await start())
  await startRun(page, told, 'The first')
  told.print(init, said('Words'))
  await expect(grid(page)).toContainText('Words')
  await grid(page).focus()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'New run' })
  const prompt = dialog.getByRole('textbox', { name: 'Prompt' })
  await expect(prompt).toBeFocused()
  await expect(dialog.getByRole('textbox', { name: 'Folder' })).toHaveValue(told.cwd)
  await page.keyboard.type('The second')
  expect(await seriousViolations(page, 'dialog')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('r')
  await expect(prompt).toHaveValue('The second')
  await dialog.getByText('Codex', { exact: true }).click()
  await dialog.getByRole('button', { name: /Use another command/ }).click()
  await dialog.getByRole('textbox', { name: 'Command for Codex' }).fill('/no/such/codex')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('/no/such/codex', { exact: false }).first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Start run' })).toBeDisabled()
  await dialog.getByText('Claude Code', { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Folder' }).fill(join(told.cwd, 'none'))
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('textbox', { name: 'Folder' })).toHaveAccessibleDescription(/none/)
  await dialog.getByRole('textbox', { name: 'Folder' }).fill(told.cwd)
  told.forget()
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'The second' })).toBeVisible()
  await expect(panel(page).getByRole('listitem')).toHaveCount(2)
})
