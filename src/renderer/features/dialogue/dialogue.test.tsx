import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import '../../ui/controls.css'
import { page, userEvent } from 'vitest/browser'
import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import type { LiveRun, OpenAsk, RunDialogue } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, Params } from '#contract/methods.ts'
import { App } from '../../app.tsx'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { runsHost, testAgents, testRun } from '../../../../test/page/runs.ts'

const noStorage = { getItem: () => null, setItem: () => {} }

const command: OpenAsk = {
  ...{ id: '"r1"', trackId: null, toolId: 'toolu_1', kind: 'tool', tool: 'Bash', cut: false },
  ...{ input: { command: 'mkdir -p build/one', description: 'Make a folder' }, folder: '/home/me/demo', reason: null },
  ...{ scopes: ['Bash(mkdir -p build/one)'], modes: [], questions: [], needsCare: false, since: Date.now() }
}

function talking(changes: Partial<RunDialogue> = {}): RunDialogue {
  const asks = changes.asks ?? []
  return {
    ...{ turn: asks.length > 0 ? 'asking' : 'idle', mode: 'default', wantedMode: null, asks, queue: [], held: false },
    ...{ spent: { usd: null, tokens: null }, waitedMs: 0, waitingSince: null, printedAt: null, notice: null },
    noticeAt: null,
    ...changes
  }
}

type Call = readonly [method: string, params: object]

/** A page that shows a run with this dialogue; `calls`: what the person said to it. */
async function show(dialogue: RunDialogue, { run: changes = {}, handlers = {} }: Shown = {}) {
  await page.viewport(1440, 900)
  const calls: Call[] = []
  const run: LiveRun = testRun({ interactive: true, dialogue, ...changes })
  const note = (method: string) => async (params: object) => {
    calls.push([method, params])
    return run
  }
  const host = runsHost([run], {
    handlers: {
      'run.answer': note('run.answer'),
      'run.prompt': note('run.prompt'),
      'run.queue': note('run.queue'),
      'run.interrupt': note('run.interrupt'),
      'run.finish': note('run.finish'),
      'run.setMode': note('run.setMode'),
      'run.setLimits': note('run.setLimits'),
      ...handlers
    }
  })
  const app = createAppStore(host.host, { storage: noStorage, reconnect: () => {} })
  app.getState().setConnection('open')
  await expect.poll(() => app.getState().connection).toBe('open')
  await app.getState().openRun(run)
  const screen = await render(
    <AppStoreContext value={app}>
      <App />
    </AppStoreContext>
  )
  const change = (next: Partial<RunDialogue>) => host.changed({ ...run, dialogue: { ...dialogue, ...next } })
  return { screen, calls, change, run }
}

interface Shown {
  readonly run?: Partial<LiveRun>
  readonly handlers?: Partial<Handlers>
}

const noWords = { tellsMessage: false, endsTurn: true }

describe('a request', () => {
  it('shows the command and its folder, and is allowed once', async () => {
    const { screen, calls, change } = await show(talking({ asks: [command] }))
    const card = screen.getByRole('group', { name: 'Bash needs your permission' })
    await expect.element(card).toHaveTextContent(/mkdir -p build\/one.*\/home\/me\/demo/)
    await card.getByRole('button', { name: 'Allow once' }).click()
    await expect.poll(() => calls).toEqual([['run.answer', { run: 'run-1', ask: '"r1"', answer: { allow: 'once' } }]])
    change({ turn: 'working', asks: [] })
    await expect.element(card).not.toBeInTheDocument()
  })

  it('keeps its answers in sight where the window is too low for its input', async () => {
    const long = Array.from({ length: 40 }, (_, i) => `echo ${i} &&`).join('\n')
    const { screen } = await show(talking({ asks: [{ ...command, input: { command: long } }] }))
    await page.viewport(1024, 560)
    for (const name of ['Allow once', 'Refuse…']) {
      await expect.element(screen.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    }
  })

  it('is not allowed by the second of a double click, which may be meant for another button', async () => {
    const { screen, calls } = await show(talking({ asks: [command] }))
    const allow = screen.getByRole('button', { name: 'Allow once' })
    allow.element().dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
    await allow.click()
    await expect.poll(() => calls).toHaveLength(1)
  })

  it('is shown anew if its agent uses its id again, even in the same millisecond', async () => {
    const { screen, change } = await show(talking({ asks: [command] }))
    await expect.element(screen.getByText('mkdir -p build/one').first()).toBeVisible()
    change({ asks: [{ ...command, input: { command: 'rm -rf /home/me' } }] })
    await expect.element(screen.getByText('rm -rf /home/me').first()).toBeVisible()
    await expect.element(screen.getByRole('status', { name: 'Requests' })).toHaveTextContent(/rm -rf \/home\/me/)
    expect(screen.container.textContent).not.toContain('mkdir -p build/one')
  })

  it('shows all that a view for reading leaves out, with control characters visible', async () => {
    const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** End Patch'
    const hidden = `cat <<'apply_patch'\n${patch}\napply_patch\nrm -r everything`
    const shell: OpenAsk = { ...command, id: '"r2"', input: { command: './bash -c "npm test"' } }
    const patching: OpenAsk = { ...command, input: { command: hidden, description: 'Changes a file' } }
    const { screen } = await show(talking({ asks: [patching, shell], notice: 'It failed: \u202Etxt.exe' }))
    const card = screen.getByRole('group', { name: 'Bash needs your permission' })
    await expect.element(card.first()).toHaveTextContent(/rm -r everything/)
    await expect.element(card.first()).toHaveTextContent(/Changes a file/)
    await expect.element(card.last()).toHaveTextContent('./bash -c "npm test"')
    await expect.element(screen.getByText('It failed: ⟨U+202E⟩txt.exe')).toBeVisible()
  })

  it('is told once: in a live region, in the title and in the bar', async () => {
    const { screen, change } = await show(talking({ turn: 'working' }))
    await expect.element(screen.getByRole('status', { name: 'Requests' })).toBeEmptyDOMElement()
    change({ turn: 'asking', asks: [command] })
    const told = screen.getByRole('status', { name: 'Requests' })
    await expect.element(told).toHaveTextContent('Claude Code asks for permission, Bash: mkdir -p build/one.')
    await expect.poll(() => document.title).toMatch(/^\(1\) /)
    await expect
      .element(screen.getByRole('region', { name: 'Live run', exact: true }))
      .toHaveTextContent(/Asks for permission/)
  })

  it('is told in a sum if several come together', async () => {
    const { screen, change } = await show(talking({ asks: [command] }))
    const told = screen.getByRole('status', { name: 'Requests' })
    await expect.element(told).toHaveTextContent('mkdir -p build/one.')
    const more = ['"r2"', '"r3"', '"r4"'].map((id) => ({ ...command, id }))
    change({ asks: [command, ...more] })
    await expect.element(told).toHaveTextContent('3 new requests of Claude Code. 4 waiting.')
    change({ asks: more })
    await expect.poll(() => document.title).toMatch(/^\(3\) /)
    change({ asks: [...more, command] })
    await expect
      .element(told)
      .toHaveTextContent('Claude Code asks for permission, Bash: mkdir -p build/one. 4 waiting.')
  })

  it('says what "Allow for this run" covers before it is given', async () => {
    const { screen, calls } = await show(talking({ asks: [command] }))
    await screen.getByRole('button', { name: 'Allow for this run…' }).click()
    expect(calls).toEqual([])
    const more = screen.getByRole('group', { name: 'Allow for this run' })
    await expect.element(more).toHaveTextContent('Bash(mkdir -p build/one)')
    await expect.element(more.getByRole('button', { name: 'Back' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(screen.getByRole('button', { name: 'Allow for this run…' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await more.getByRole('button', { name: 'Allow for this run' }).click()
    await expect.poll(() => calls.map(([, params]) => params)).toMatchObject([{ answer: { allow: 'run' } }])
  })

  it('is refused with a message, which may end the turn', async () => {
    const { screen, calls } = await show(talking({ asks: [command] }))
    await screen.getByRole('button', { name: 'Refuse…' }).click()
    await userEvent.keyboard('Not this folder')
    await screen.getByRole('checkbox', { name: 'and end the turn' }).click()
    await screen.getByRole('button', { name: 'Refuse', exact: true }).click()
    await expect
      .poll(() => calls.map(([, params]) => params))
      .toMatchObject([{ answer: { refuse: 'Not this folder', endTurn: true } }])
  })

  it('cannot be allowed while its input is cut', async () => {
    const cut: OpenAsk = { ...command, cut: true, input: '{"command":"mkdir' }
    const { screen } = await show(talking({ asks: [cut] }), {
      handlers: { 'run.ask': async () => ({ ask: command }) }
    })
    const card = screen.getByRole('group', { name: 'Bash needs your permission' })
    await expect.element(card.getByRole('button', { name: 'Refuse…' })).toBeVisible()
    await expect.element(card.getByRole('button', { name: 'Allow once' })).not.toBeInTheDocument()
    await card.getByRole('button', { name: 'Show all of it' }).click()
    await expect.element(card.getByRole('button', { name: 'Allow once' })).toBeVisible()
  })

  it('is refused with words that are sent as a prompt, where a refusal has no place for them', async () => {
    const [agent] = testAgents
    const takesNone = agent?.dialogue && { ...agent, dialogue: { ...agent.dialogue, refusal: noWords } }
    const { screen, calls } = await show(talking({ asks: [command] }), {
      handlers: { 'agent.list': async () => ({ agents: takesNone ? [takesNone] : [] }) }
    })
    await screen.getByRole('button', { name: 'Refuse…' }).click()
    const words = screen.getByRole('textbox', { name: 'Message for the agent (optional), sent as the next prompt' })
    await expect.element(words).toHaveFocus()
    await userEvent.keyboard('Use dist')
    await screen.getByRole('button', { name: 'Refuse', exact: true }).click()
    await expect
      .poll(() => calls.map(([, params]) => params))
      .toMatchObject([{ answer: { refuse: 'Use dist', endTurn: false } }])
  })

  it('of an unknown kind is shown raw, and can only be refused', async () => {
    const unknown: OpenAsk = { ...command, kind: 'unknown', tool: null, input: { method: 'new/request' }, scopes: [] }
    const { screen } = await show(talking({ asks: [unknown] }))
    const card = screen.getByRole('group', { name: 'A request that Playhead does not know' })
    await expect.element(card).toHaveTextContent(/new\/request/)
    await expect.element(card.getByRole('button', { name: /^Allow/ })).not.toBeInTheDocument()
    await expect.element(card.getByRole('button', { name: 'Refuse…' })).toBeVisible()
  })

  it('of another host is listed without answers', async () => {
    const { screen } = await show(talking({ asks: [command] }), { run: { own: false } })
    const card = screen.getByRole('group', { name: 'Bash needs your permission' })
    await expect.element(card).toHaveTextContent('Another Playhead started this run. Answer there.')
    await expect.element(card.getByRole('button', { name: /Allow|Refuse/ })).not.toBeInTheDocument()
    expect(document.title).not.toMatch(/^\(/)
  })

  it('gets the focus by a key, which answers nothing; one that needs care starts on Refuse', async () => {
    const careful: OpenAsk = { ...command, id: '"r2"', needsCare: true }
    const { screen, calls, change } = await show(talking({ asks: [command] }))
    const card = screen.getByRole('group', { name: 'Bash needs your permission' })
    await expect.element(card).toBeVisible()
    await userEvent.keyboard('{Alt>}a{/Alt}')
    await expect.element(card).toHaveFocus()
    await userEvent.keyboard('y{Enter} d')
    change({ asks: [careful] })
    const refuse = card.getByRole('button', { name: 'Refuse…' })
    await expect.element(refuse).toHaveAttribute('data-careful')
    await userEvent.keyboard('{Alt>}a{/Alt}')
    await expect.element(refuse).toHaveFocus()
    expect(calls).toEqual([])
  })

  it('keeps its place and says why when the host refuses the answer', async () => {
    const { screen } = await show(talking({ asks: [command] }), {
      handlers: {
        'run.answer': async () => {
          throw new HostError('already-answered', 'Somebody else has answered this.')
        }
      }
    })
    await screen.getByRole('button', { name: 'Allow once' }).click()
    await expect
      .element(screen.getByRole('region', { name: 'Talk to the run' }))
      .toHaveTextContent(/Somebody else has answered this\./)
  })
})

describe('questions', () => {
  const question: OpenAsk = {
    ...{ ...command, kind: 'question', tool: 'AskUserQuestion', input: {}, scopes: [] },
    questions: [
      {
        ...{ id: 'runner', header: 'Runner', question: 'Which test runner?', severalChoices: false, isSecret: false },
        choices: [
          { label: 'vitest', note: 'Fast' },
          { label: 'jest', note: null }
        ]
      },
      {
        ...{ id: 'checks', header: null, question: 'Which checks?', severalChoices: true, isSecret: false },
        choices: [
          { label: 'types', note: null },
          { label: 'lint', note: null }
        ]
      }
    ]
  }

  it('are answered by choices and own words, all of them', async () => {
    const { screen, calls } = await show(talking({ asks: [question] }))
    const card = screen.getByRole('group', { name: 'Claude Code asks 2 questions' })
    await expect.element(card.getByRole('button', { name: 'Answer', exact: true })).toBeDisabled()
    const runner = card.getByRole('group', { name: /Which test runner/ })
    await runner.getByRole('radio', { name: 'Something else' }).click()
    await runner.getByRole('textbox').fill('my own runner')
    await card.getByRole('checkbox', { name: 'types' }).click()
    await card.getByRole('checkbox', { name: 'lint' }).click()
    await card.getByRole('button', { name: 'Answer', exact: true }).click()
    const answers = [
      { id: 'runner', choices: [], text: 'my own runner' },
      { id: 'checks', choices: ['types', 'lint'], text: null }
    ]
    await expect.poll(() => calls).toEqual([['run.answer', { run: 'run-1', ask: '"r1"', answer: { answers } }]])
  })

  it('that are secret are not shown while they are written', async () => {
    const secret: OpenAsk = {
      ...question,
      questions: [
        { id: 'key', header: null, question: 'Which key?', severalChoices: false, isSecret: true, choices: [] }
      ]
    }
    const { screen, calls } = await show(talking({ asks: [secret] }))
    const field = screen.getByLabelText('Your answer to: Which key?')
    await expect.element(field).toHaveAttribute('type', 'password')
    await field.fill(' key ')
    await screen.getByRole('button', { name: 'Answer', exact: true }).click()
    const answers = [{ id: 'key', choices: [], text: ' key ' }]
    await expect.poll(() => calls).toEqual([['run.answer', { run: 'run-1', ask: '"r1"', answer: { answers } }]])
  })
})

it('a plan is approved with the mode that the person picked', async () => {
  const plan: OpenAsk = {
    ...command,
    ...{ kind: 'plan', tool: 'ExitPlanMode', input: { plan: '# Plan\n\n1. Read' }, scopes: [] },
    modes: ['default', 'edits']
  }
  const { screen, calls } = await show(talking({ asks: [plan] }))
  const card = screen.getByRole('group', { name: 'Claude Code asks you to approve its plan' })
  await card.getByRole('combobox', { name: 'and then' }).selectOptions('edits')
  await card.getByRole('button', { name: 'Approve plan' }).click()
  await expect
    .poll(() => calls.map(([, params]) => params))
    .toMatchObject([{ answer: { allow: 'once', mode: 'edits' } }])
})

describe('prompts', () => {
  it('are sent with Enter when the agent waits, and queued while it works', async () => {
    const { screen, calls, change } = await show(talking())
    const box = screen.getByRole('textbox', { name: 'Write to Claude Code' })
    await box.fill('And now the tests')
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}please{Enter}')
    await expect.element(box).toHaveValue('')
    change({ turn: 'working' })
    await expect.element(screen.getByRole('button', { name: 'Queue' })).toBeVisible()
    await box.fill('Stop there')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await expect.element(box).toHaveValue('')
    expect(calls).toEqual([
      ['run.prompt', { run: 'run-1', text: 'And now the tests\nplease', when: 'queue' }],
      ['run.prompt', { run: 'run-1', text: 'Stop there', when: 'now' }]
    ])
  })

  it('stay written when the host refuses them', async () => {
    const { screen } = await show(talking(), {
      handlers: {
        'run.prompt': async () => {
          throw new HostError('unavailable', 'The queue is full.')
        }
      }
    })
    const box = screen.getByRole('textbox', { name: 'Write to Claude Code' })
    await box.fill('One more')
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByText('The queue is full.')).toBeVisible()
    await expect.element(box).toHaveValue('One more')
  })

  it('in the queue are moved, edited, removed and put back; a held queue goes on by a button', async () => {
    const queue = [
      { id: 'q1', text: 'Run the whole suite', cut: false },
      { id: 'q2', text: 'Write the changelog', cut: false }
    ]
    const { screen, calls } = await show(talking({ turn: 'working', queue, held: true }), {
      handlers: { 'run.queued': async ({ id }) => ({ text: queue.find((each) => each.id === id)?.text ?? '' }) }
    })
    const list = screen.getByRole('list', { name: 'Queued prompts' })
    await expect.element(list).toHaveTextContent(/1.*Run the whole suite.*held.*2.*Write the changelog/)
    await list.getByRole('button', { name: 'Move prompt 2 up' }).click()
    await list.getByRole('button', { name: 'Edit prompt 1' }).click()
    await userEvent.keyboard('{End} twice{Enter}')
    await expect.element(list.getByRole('button', { name: 'Edit prompt 1' })).toBeVisible()
    await list.getByRole('button', { name: 'Remove prompt 2' }).click()
    await screen.getByRole('button', { name: 'Put it back' }).click()
    await screen.getByRole('button', { name: 'Go on with the queue' }).click()
    await expect
      .poll(() => calls)
      .toEqual([
        ['run.queue', { run: 'run-1', change: { move: 'q2', to: 0 } }],
        ['run.queue', { run: 'run-1', change: { edit: 'q1', text: 'Run the whole suite twice' } }],
        ['run.queue', { run: 'run-1', change: { drop: 'q2' } }],
        ['run.prompt', { run: 'run-1', text: 'Write the changelog', when: 'queue' }],
        ['run.queue', { run: 'run-1', change: { release: true } }]
      ])
  })
})

it('a prompt that is put back while the agent waits is written, not sent', async () => {
  const queue = [{ id: 'q1', text: 'Run the whole suite', cut: false }]
  const { screen, calls, change } = await show(talking({ queue, held: true }), {
    handlers: { 'run.queued': async () => ({ text: 'Run the whole suite' }) }
  })
  await screen.getByRole('button', { name: 'Remove prompt 1' }).click()
  await expect.poll(() => calls.length).toBe(1)
  change({ queue: [], held: false })
  await screen.getByRole('button', { name: 'Put it back' }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Write to Claude Code' })).toHaveValue('Run the whole suite')
  expect(calls).toEqual([['run.queue', { run: 'run-1', change: { drop: 'q1' } }]])
})

it('200 requests and 50 queued prompts are counted, and reached a few at a time', async () => {
  const asks = Array.from({ length: 200 }, (_, at): OpenAsk => ({
    ...command,
    ...{ id: `"r${at}"`, input: { command: `touch ${at}` } }
  }))
  const queue = Array.from({ length: 50 }, (_, at) => ({ id: `q${at}`, text: `Prompt ${at}`, cut: false }))
  const { screen, calls, change } = await show(talking({ asks, queue }))
  const cards = screen.getByRole('region', { name: 'Waiting for you' }).getByRole('group', { name: /^Bash needs/ })
  await expect.poll(() => document.title).toMatch(/^\(200\) /)
  await expect.element(cards.nth(3)).toHaveTextContent(/touch 3.*4 of 200/)
  expect(cards.all()).toHaveLength(4)
  await screen.getByRole('button', { name: 'Show 10 of 196 more requests' }).click()
  await expect.poll(() => cards.all().length).toBe(14)
  const list = screen.getByRole('list', { name: 'Queued prompts' })
  expect(list.getByRole('listitem').all()).toHaveLength(50)
  await expect.element(list.getByRole('listitem').last()).toHaveTextContent(/50Prompt 49after 49/)
  await list.getByRole('button', { name: 'Move prompt 50 up' }).click()
  await cards.nth(2).getByRole('button', { name: 'Allow once' }).click()
  await expect
    .poll(() => calls)
    .toMatchObject([
      ['run.queue', { change: { move: 'q49', to: 48 } }],
      ['run.answer', { ask: '"r2"' }]
    ])
  const moved = [...queue.slice(0, 48), ...queue.slice(49), ...queue.slice(48, 49)]
  change({ asks: asks.filter(({ id }) => id !== '"r2"'), queue: moved })
  await expect.element(cards.nth(2)).toHaveTextContent(/touch 3.*3 of 199/)
  await expect.element(list.getByRole('listitem').last()).toHaveTextContent(/50Prompt 48/)
  // New ones do not take the places of all that are answered at once: too many to draw in a frame.
  change({ asks: asks.slice(12), queue: moved })
  await expect.element(cards.nth(0)).toHaveTextContent(/touch 12.*1 of 188/)
  expect(cards.all()).toHaveLength(4)
})

it('a notice is dismissed until something is said again', async () => {
  const notice = 'The agent stays in its mode.'
  const { screen, change } = await show(talking({ notice, noticeAt: 1000 }))
  const said = screen.getByText(notice)
  await screen.getByRole('note').getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(said).not.toBeInTheDocument()
  change({ notice, noticeAt: 1000, turn: 'working' })
  await expect.element(screen.getByRole('button', { name: 'Queue' })).toBeVisible()
  await expect.element(said).not.toBeInTheDocument()
  change({ notice, noticeAt: 2000 })
  await expect.element(said).toBeVisible()
})

describe('the run bar', () => {
  it('interrupts the turn, and finishes the run', async () => {
    const { screen, calls } = await show(talking({ turn: 'working' }))
    await screen.getByRole('button', { name: 'Interrupt' }).click()
    await screen.getByRole('button', { name: 'Finish' }).click()
    await expect.poll(() => calls.map(([method]) => method)).toEqual(['run.interrupt', 'run.finish'])
  })

  it('names the mode before the agents of the host are known', async () => {
    const { screen } = await show(talking({ mode: 'acceptEdits' }), {
      handlers: { 'agent.list': async () => await new Promise(() => {}) }
    })
    const mode = screen.getByRole('combobox', { name: 'Permissions' })
    await expect.element(mode).toHaveTextContent('Accept edits')
  })

  it('changes the mode; a dangerous one after it was confirmed', async () => {
    const asked: Params<'run.setMode'>[] = []
    const { screen, run } = await show(talking(), {
      run: { mayBecomeDangerous: true },
      handlers: {
        'run.setMode': async (params) => {
          asked.push(params)
          if (params.mode === 'anything' && !params.confirmed) throw new HostError('not-confirmed', 'Dangerous.')
          return run
        }
      }
    })
    const mode = screen.getByRole('combobox', { name: 'Permissions' })
    await mode.selectOptions('anything')
    const dialog = screen.getByRole('dialog', { name: 'Change to a dangerous mode?' })
    await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
    await dialog.getByRole('button', { name: 'Change anyway' }).click()
    await expect
      .poll(() => asked)
      .toEqual([
        { run: 'run-1', mode: 'anything', confirmed: false },
        { run: 'run-1', mode: 'anything', confirmed: true }
      ])
  })

  it('shows what was spent of the limit, and changes limits', async () => {
    const limits = { askMs: null, usd: 2.5, tokens: null, idleMs: 3_600_000, toolMs: null }
    const { screen, calls } = await show(talking({ spent: { usd: 2.1, tokens: 9000 } }), { run: { limits } })
    await expect.element(screen.getByText('$2.10 of $2.50')).toHaveClass('s-violation')
    await screen.getByRole('button', { name: 'Limits of this run' }).click()
    const dialog = screen.getByRole('dialog', { name: 'Limits of this run' })
    await dialog.getByRole('textbox', { name: 'Cost limit' }).fill('a lot')
    await dialog.getByRole('button', { name: 'Set limits' }).click()
    await expect.element(dialog.getByText(/Enter an amount/)).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Cost limit' }).fill('5')
    await dialog.getByRole('textbox', { name: 'Answer within' }).fill('10')
    await dialog.getByRole('button', { name: 'Set limits' }).click()
    await expect
      .poll(() => calls)
      .toEqual([['run.setLimits', { run: 'run-1', limits: { ...limits, usd: 5, askMs: 600_000 } }]])
  })
})
