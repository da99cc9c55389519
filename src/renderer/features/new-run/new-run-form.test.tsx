import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { userEvent } from 'vitest/browser'
import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import type { LiveRun } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers } from '#contract/methods.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { runsHost, testAgents, testRun } from '../../../../test/page/runs.ts'
import { NewRunForm } from './new-run-form.tsx'

const noStorage = { getItem: () => null, setItem: () => {} }

async function show(runs: readonly LiveRun[] = [], handlers: Partial<Handlers> = {}) {
  const host = runsHost(runs, { handlers })
  const app = createAppStore(host.host, { storage: noStorage })
  app.getState().setConnection('open')
  await expect.poll(() => app.getState().connection).toBe('open')
  const screen = await render(
    <AppStoreContext value={app}>
      <div style={{ width: 460 }}>
        <NewRunForm />
      </div>
    </AppStoreContext>
  )
  await expect.element(screen.getByRole('radio', { name: /Claude Code/ })).toBeVisible()
  const field = (name: string) => screen.getByRole('textbox', { name, exact: true })
  const start = screen.getByRole('button', { name: 'Start run' })
  const fill = async () => {
    await field('Folder').fill('/home/me/demo')
    await field('Prompt').fill('Do it')
  }
  return { host, app, screen, field, start, fill }
}

const focused = () => document.activeElement

describe('the form of a new run', () => {
  it('starts the run by keyboard; Enter alone adds a line', async () => {
    const { host, app, field, fill } = await show()
    await fill()
    await userEvent.click(field('Prompt'))
    await userEvent.keyboard('{End}{Enter}and more{Control>}{Enter}{/Control}')
    await expect.poll(() => host.started.length).toBe(1)
    expect(host.started[0]).toMatchObject({
      confirmed: false,
      request: { agent: 'claude', cwd: '/home/me/demo', prompt: 'Do it\nand more', model: null, mode: null }
    })
    await expect.poll(() => app.getState().logs.map(({ path }) => path)).toEqual(['/state/runs/started-1/stdout.jsonl'])
  })

  it('reports a prompt that is too long instead of cutting it', async () => {
    const { host, field, start } = await show()
    await field('Folder').fill('/home/me/demo')
    await field('Prompt').fill('x'.repeat(1_000_001))
    expect((field('Prompt').element() as HTMLTextAreaElement).maxLength).toBe(-1)
    await start.click()
    await expect.element(field('Prompt')).toHaveAccessibleDescription(/1,000,000 characters/)
    expect(host.started).toEqual([])
  })

  it('focuses the first invalid field, with the reason below', async () => {
    const { host, field, start, screen } = await show()
    await start.click()
    await expect.element(field('Folder')).toHaveFocus()
    await expect.element(field('Folder')).toHaveAccessibleDescription(/Enter the folder/)
    await expect.element(field('Prompt')).toHaveAccessibleDescription(/Describe the task/)
    await field('Folder').fill('~/demo')
    await expect.element(field('Folder')).not.toHaveAccessibleDescription(/Enter the folder/)
    await start.click()
    await expect.element(field('Folder')).toHaveAccessibleDescription(/~ is not supported/)
    expect(screen.getByText('Recorded byte for byte.').elements().length).toBe(1)
    expect(host.started).toEqual([])
  })

  it('says what to do about a missing agent, and starts nothing', async () => {
    const { screen, start } = await show()
    await screen.getByText('Gemini CLI').click()
    await expect.element(screen.getByText('Gemini CLI is not installed.')).toBeVisible()
    await expect.element(screen.getByText('npm i -g gemini')).toBeVisible()
    await expect.element(start).toBeDisabled()
    await screen.getByRole('button', { name: 'Use another command' }).click()
    const command = screen.getByRole('textbox', { name: 'Command for Gemini CLI' })
    await expect.element(command).toHaveFocus()
    await command.fill('/opt/missing')
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByText('/opt/missing is not there.')).toBeVisible()
    await command.fill('/opt/gemini')
    await userEvent.keyboard('{Enter}')
    await expect.element(start).toBeEnabled()
    await expect.element(screen.getByRole('button', { name: 'Use another command' })).toHaveFocus()
    await expect.element(screen.getByText('/opt/gemini')).toBeVisible()
    await screen.getByRole('button', { name: 'Use gemini from PATH' }).click()
    await expect.element(screen.getByText('/opt/gemini')).not.toBeInTheDocument()
  })

  it('chooses agents with the arrow keys', async () => {
    const { app, screen } = await show()
    screen
      .getByRole('radio', { name: /Claude Code/ })
      .element()
      .focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(app.getState().newRun.getState().draft.agent).toBe('codex')
  })

  it('labels a dangerous mode, asks before the start, and can go back', async () => {
    const { host, screen, fill, start } = await show()
    await fill()
    await expect.element(screen.getByText('Reads, and asks before all else.')).toBeVisible()
    await screen.getByRole('combobox', { name: 'Permissions' }).selectOptions('Skip permissions (dangerous)')
    await expect.element(screen.getByRole('img', { name: 'Dangerous' })).toBeVisible()
    await start.click()
    const asked = screen.getByRole('group', { name: 'Confirm dangerous mode' })
    await expect.element(asked).toHaveTextContent('Skip permissions: Runs any command without asking.')
    await expect.element(asked).toHaveTextContent('/home/me/demo')
    const back = screen.getByRole('button', { name: 'Back' })
    await expect.element(back).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(start).toHaveFocus()
    await start.click()
    await expect.element(back).toHaveFocus()
    expect(host.started).toEqual([])
    await screen.getByRole('button', { name: 'Start anyway' }).click()
    await expect.poll(() => host.started.map(({ confirmed }) => confirmed)).toEqual([true])
  })

  it('starts a conversation with limits, in a mode that such a run has', async () => {
    const { host, screen, fill, field, start } = await show()
    await fill()
    await screen.getByText('Conversation', { exact: true }).click()
    await expect.element(screen.getByText(/takes further prompts\. It shows no plans\.$/)).toBeVisible()
    await screen.getByRole('combobox', { name: 'Permissions' }).selectOptions('Accept edits')
    await screen.getByRole('checkbox', { name: /^Keep what changes/ }).click()
    await screen.getByText('Limits', { exact: true }).click()
    await field('Cost limit').fill('much')
    await field('Answer within').fill('10')
    await start.click()
    await expect.element(field('Cost limit')).toHaveAccessibleDescription(/Enter an amount in US dollars/)
    await field('Cost limit').fill('2,5')
    await start.click()
    const limits = { askMs: 600_000, usd: 2.5, tokens: null, idleMs: 3_600_000, toolMs: null }
    await expect
      .poll(() => host.started.map(({ request }) => request))
      .toMatchObject([{ keepsChanges: true, interactive: true, mayBecomeDangerous: false, mode: 'edits', limits }])
  })

  it('says of an agent that Playhead cannot talk to that it cannot', async () => {
    const { screen } = await show()
    await screen.getByText('Codex', { exact: true }).click()
    await expect.element(screen.getByRole('radio', { name: /^Conversation/ })).toBeDisabled()
    await expect.element(screen.getByText('Playhead cannot talk to Codex yet.')).toBeVisible()
  })

  it('names an agent that is too old for a conversation, with what to install', async () => {
    const problem = 'Version 1.0.85 is too old for a conversation. Update it with "npm i -g claude".'
    const agents = testAgents.map((agent) => ({ ...agent, dialogue: agent.dialogue && { ...agent.dialogue, problem } }))
    const { screen } = await show([], { 'agent.list': async () => ({ agents }) })
    await expect.element(screen.getByText(problem)).toBeVisible()
    await expect.element(screen.getByRole('radio', { name: /^Conversation/ })).toBeDisabled()
  })

  it('shows how arguments are split', async () => {
    const { screen, field } = await show()
    await field('Arguments').fill(`--add-dir "../two words" -v`)
    await expect.element(screen.getByText('3 arguments:')).toBeVisible()
    await expect.element(screen.getByText('../two words', { exact: true })).toBeVisible()
    await field('Arguments').fill(`--add-dir "../two`)
    await expect.element(field('Arguments')).toHaveAccessibleDescription(/Unclosed quote/)
  })

  it('offers earlier prompts, and restores a replaced one', async () => {
    const before = [
      testRun({ run: 'a', prompt: 'Fix the upload', cwd: '/home/me/upload' }),
      testRun({ run: 'b', prompt: 'Fix the upload', cwd: '/home/you/upload', startedAt: 1 })
    ]
    const { app, screen, field } = await show(before)
    await field('Prompt').fill('Half written')
    await screen.getByRole('button', { name: 'Recent prompts' }).click()
    expect(screen.getByRole('button', { name: 'Fix the upload' }).elements().length).toBe(1)
    await userEvent.keyboard('{Escape}')
    await expect.element(screen.getByRole('button', { name: 'Recent prompts' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await screen.getByRole('button', { name: 'Fix the upload' }).click()
    await expect.element(field('Prompt')).toHaveValue('Fix the upload')
    await expect.element(field('Prompt')).toHaveFocus()
    await screen.getByRole('button', { name: 'Restore previous text' }).click()
    await expect.element(field('Prompt')).toHaveValue('Half written')
    await screen.getByRole('button', { name: 'you/upload' }).click()
    await expect.element(field('Folder')).toHaveValue('/home/you/upload')
    expect(app.getState().newRun.getState().draft.prompt).toBe('Half written')
  })

  it('reports why the run was not started', async () => {
    const { screen, fill, start, field } = await show([], {
      'run.start': async ({ request }) => testRun({ ...request, state: 'failed', message: 'There is no claude.' })
    })
    await fill()
    await start.click()
    await expect.element(screen.getByRole('alert')).toHaveTextContent('There is no claude.')
    await expect.element(field('Prompt')).toHaveValue('Do it')
    expect(focused()).toBe(start.element())
  })

  it('reports a failed search for agents, and repeats it', async () => {
    let broken = true
    const host = runsHost([], {
      handlers: {
        'agent.list': async () => {
          if (broken) throw new HostError('internal', 'No room.')
          return { agents: [...testAgents] }
        }
      }
    })
    const app = createAppStore(host.host, { storage: noStorage })
    const screen = await render(
      <AppStoreContext value={app}>
        <NewRunForm />
      </AppStoreContext>
    )
    await expect.element(screen.getByRole('alert')).toHaveTextContent('No room.')
    await expect.element(screen.getByRole('button', { name: 'Start run' })).toBeDisabled()
    broken = false
    await screen.getByRole('button', { name: 'Detect again' }).click()
    await expect.element(screen.getByRole('radio', { name: /Claude Code/ })).toBeChecked()
    await expect.element(screen.getByRole('button', { name: 'Start run' })).toBeEnabled()
  })
})
