import { createInterface } from 'node:readline'
import { messageOf } from '#contract/host-error.ts'
import type { LiveRun, OpenAsk, RunDialogue } from '#contract/live-runs.ts'
import { isJsonObject, type JsonValue } from '#core/json.ts'
import { terminalSafeText } from '#core/terminal-safe-text.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import type { LiveRuns } from '#backend/live-runs/live-runs.ts'
import type { Answer } from '#core/dialogue/ask.ts'
import { type Environment, say } from './environment.ts'

/** How a person talks to an agent in a terminal. Each line is one command. */
export const talkDetails = [
  'With --interactive, the agent asks on stderr, and each line on stdin is one of these. N is the number of a request:',
  '  a N            allow once                  r N            allow for this run',
  '  d N [WORDS]    refuse, with words          e N [WORDS]    refuse, and end the turn',
  '  c N CHOICES    answer questions: 1 or 1,3 or words; several questions with ; between',
  '  s N            show all of a long request, which must be shown before it can be allowed',
  '  /interrupt     end the turn                /finish        end the run (as does the end of stdin)',
  '  /mode M        change the mode             /release       send prompts that were held',
  'Any other line is a prompt. It waits until the turns before it are over.'
]

/** A person's dialogue with an agent over lines of text. */
export class Talk {
  readonly #runs: LiveRuns
  readonly #environment: Environment
  readonly #allowDangerous: boolean
  #run: LiveRun | null = null
  /** Numbers of asks that were said. */
  readonly #numbers = new Map<string, number>()
  #said: Pick<RunDialogue, 'turn' | 'notice' | 'held' | 'mode'> | null = null

  constructor(runs: LiveRuns, environment: Environment, allowDangerous: boolean) {
    this.#runs = runs
    this.#environment = environment
    this.#allowDangerous = allowDangerous
  }

  /** The run was started: reads lines until its end. */
  begin(run: LiveRun): void {
    this.#run = run
    this.changed(run)
    const lines = createInterface({ input: this.#environment.stdin })
    // In order: a later line may be about what an earlier one did.
    let work: Promise<void> = Promise.resolve()
    const inOrder = (line: string): void => {
      work = work
        .then(async () => await this.#take(line))
        .catch((error: unknown) => say(this.#environment, messageOf(error)))
    }
    lines.on('line', inOrder)
    lines.on('close', () => inOrder('/finish'))
    void this.#runs.ended(run.run).then(() => lines.close())
  }

  /** Says what is new. */
  changed(run: LiveRun): void {
    const { dialogue } = run
    if (dialogue === null || this.#run?.run !== run.run || run.endedAt !== null) return
    for (const ask of dialogue.asks) this.#sayAsk(ask)
    const before = this.#said
    const { turn, notice, held, mode } = dialogue
    this.#said = { turn, notice, held, mode }
    if (notice !== null && notice !== before?.notice) say(this.#environment, notice)
    if (before !== null && mode !== before.mode) say(this.#environment, `the mode is ${mode} now`)
    if (turn === 'idle' && before?.turn !== 'idle')
      say(
        this.#environment,
        held ? 'the turn is over; prompts are held: /release' : 'the turn is over; type a prompt, or /finish'
      )
  }

  async #take(line: string): Promise<void> {
    const run = this.#run?.run
    if (run === undefined || line.trim() === '') return
    const [, command = '', number = '', rest = ''] = /^([ardecs]) (\d+)(?:\s+(.*))?$/.exec(line.trim()) ?? []
    if (command !== '') return await this.#takeAnswer(run, command, Number(number), rest)
    const [, word = '', given = ''] = /^\/(\w+)(?:\s+(.*))?$/.exec(line.trim()) ?? []
    switch (word) {
      case '':
        await this.#runs.talk(run, (dialogue) => dialogue.prompt(line, 'queue'))
        return
      case 'interrupt':
        await this.#runs.talk(run, (dialogue) => dialogue.interrupt())
        return
      case 'finish':
        await this.#runs.talk(run, (dialogue) => dialogue.finish()).catch(() => {})
        return
      case 'release':
        await this.#runs.talk(run, (dialogue) => dialogue.changeQueue({ release: true }))
        return
      case 'mode':
        await this.#runs.talk(run, (dialogue) => dialogue.setMode(given, this.#allowDangerous))
        return
      default:
        say(this.#environment, `/${word} is no command; use /interrupt, /finish, /mode or /release`)
    }
  }

  async #takeAnswer(run: string, command: string, number: number, rest: string): Promise<void> {
    const id = [...this.#numbers].find(([, known]) => known === number)?.[0]
    if (id === undefined) return say(this.#environment, `there is no request ${number}`)
    if (command === 's') {
      this.#print(await this.#runs.ask(run, id))
      return
    }
    const ask = command === 'c' ? await this.#runs.ask(run, id) : null
    await this.#runs.talk(run, (dialogue) => dialogue.answer(id, answerOf(command, rest, ask)))
  }

  #sayAsk(ask: OpenAsk): void {
    if (this.#numbers.has(ask.id)) return
    this.#numbers.set(ask.id, this.#numbers.size + 1)
    this.#print(ask)
  }

  #print(ask: OpenAsk): void {
    const number = this.#numbers.get(ask.id) ?? 0
    const title = this.#run === null ? '' : agentPrograms[this.#run.agent].title
    const about = ask.kind === 'unknown' ? 'something that Playhead does not understand' : (ask.tool ?? 'something')
    const lines = [
      `[${number}] ${title} asks: ${about}`,
      ...(ask.reason === null ? [] : [`reason: ${ask.reason}`]),
      ...(ask.folder === null ? [] : [`in ${ask.folder}`]),
      ...(ask.questions.length > 0 ? ask.questions.flatMap(questionLines) : inputLines(ask.input)),
      ...(ask.cut ? [`… This is not all. s ${number} shows the rest.`] : []),
      ...this.#choices(ask, number)
    ]
    this.#environment.stderr.write(`${terminalSafeText(lines.join('\n'))}\n`)
  }

  #choices(ask: OpenAsk, number: number): string[] {
    const refuse = `d ${number} WORDS refuses`
    if (ask.kind === 'unknown') return [refuse]
    if (ask.kind === 'question') return [`c ${number} CHOICES answers, ${refuse}`]
    const forRun = ask.scopes.length === 0 ? [] : [`r ${number} allows for this run: ${ask.scopes.join(', ')}`]
    const once = ask.modes[0] === undefined ? 'allows once' : `accepts, in the mode ${ask.modes[0]}`
    return [`a ${number} ${once}, ${refuse}`, ...forRun]
  }
}

function questionLines({ question, choices, severalChoices, isSecret }: OpenAsk['questions'][number]): string[] {
  const how = [
    ...(severalChoices ? ['several may be chosen'] : []),
    ...(isSecret ? ['it is kept nowhere, but shown here'] : [])
  ]
  return [
    `  ${question}${how.length === 0 ? '' : ` (${how.join(', ')})`}`,
    ...choices.map(({ label, note }, i) => `    ${i + 1}  ${label}${note === null ? '' : `: ${note}`}`)
  ]
}

/** The input as lines, a field each. */
function inputLines(input: JsonValue): string[] {
  const fields = isJsonObject(input) ? Object.entries(input) : [['', input] as const]
  return fields.flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
    const [first = '', ...more] = text.split('\n')
    return [`  ${name === '' ? '' : `${name}: `}${first}`, ...more.map((line) => `  ${line}`)]
  })
}

function answerOf(command: string, rest: string, ask: OpenAsk | null): Answer {
  if (command === 'a') return { allow: 'once' }
  if (command === 'r') return { allow: 'run' }
  if (command === 'd' || command === 'e') return { refuse: rest, endTurn: command === 'e' }
  const parts = rest.split(';').map((part) => part.trim())
  const answers = (ask?.questions ?? []).map(({ id, choices }, i) => {
    const part = parts[i] ?? ''
    const chosen = /^\d+(?:\s*,\s*\d+)*$/.test(part)
      ? part.split(',').map((number) => choices[Number(number) - 1]?.label)
      : []
    const labels = chosen.filter((label) => label !== undefined)
    return labels.length > 0 && labels.length === chosen.length
      ? { id, choices: labels, text: null }
      : { id, choices: [], text: part }
  })
  return { answers }
}
