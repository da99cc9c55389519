import { basename } from 'node:path'
import { oneLine } from '#core/index/one-line.ts'
import { isAbsolutePath } from '#core/paths/log-path.ts'
import { nameAt, namesInFolder } from '#core/paths/path-names.ts'
import { costJson } from '#core/requests/cost.ts'
import { costAnswerOf, lastOf, type SessionCard } from '#core/library/session-card.ts'
import type { Environment } from './environment.ts'
import { columnsOfText, cutEnd, cutStart, padded } from './text-columns.ts'

/** Unknown values are null. `parent`: the log of the session that started this subagent. */
export function sessionJson(card: SessionCard, parent: string | null): string {
  const { path, agent, format, sessionId, title, project, branch, model, startedAt, endedAt, bytes, state } = card
  const { turns = null, calls = null, failedCalls = null, findings = null } = card.counts ?? {}
  const { todosDone = null, todosTotal = null } = card.counts ?? {}
  const { activeMs = null, inputTokens = null, outputTokens = null, outputAtLeast = null } = card.counts ?? {}
  const answer = costAnswerOf(card)
  const cost = answer === null ? null : costJson(answer)
  return JSON.stringify({
    ...{ path, agent, format, sessionId, title, project, branch, model, startedAt, endedAt, bytes, state, parent },
    ...{ turns, calls, failedCalls, findings, todosDone, todosTotal, activeMs },
    ...{ inputTokens, outputTokens, outputAtLeast, cost }
  })
}

export function titleOf({ title, path }: Pick<SessionCard, 'title' | 'path'>): string {
  return oneLine(title ?? basename(path), 200)
}

/** In local time. */
export function timeText(at: number): string {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return ''
  const two = (part: number): string => String(part).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

/** With `~` for the home folder. */
export function folderText(folder: string, home: string): string {
  const names = isAbsolutePath(folder) ? namesInFolder(folder, home) : null
  return oneLine(names === null ? folder : ['~', ...names].join(/^[A-Za-z]:|^\\/.test(folder) ? '\\' : '/'))
}

/** Columns: last update, state, agent, project, todos, calls (failed calls), title. */
export class SessionLines {
  readonly #home: string
  /** Width of the terminal; null: no terminal, nothing is cut. */
  readonly #columns: number | null
  readonly #now: number
  readonly #widths: { readonly time: number; readonly state: number; readonly agent: number; readonly project: number }

  /** `cards`: all rows, for the column widths. */
  constructor(cards: readonly SessionCard[], columns: number | null, { home, now }: Pick<Environment, 'home' | 'now'>) {
    this.#home = home
    this.#columns = columns
    this.#now = now()
    const widest = (name: string, texts: readonly string[]): number =>
      Math.max(name.length, ...new Set(texts.map(columnsOfText)))
    this.#widths = {
      time: columns === null ? 16 : 11,
      state: widest('state', [...new Set(cards.map(({ state }) => state))]),
      agent: widest('agent', [...new Set(cards.map(({ agent }) => agentText(agent)))]),
      // In a terminal most columns are for the title.
      project: Math.min(
        columns === null ? 40 : Math.max('project'.length, Math.floor(columns / 6)),
        widest(
          'project',
          [...new Set(cards.map(({ project }) => project))].map((each) => this.#project(each))
        )
      )
    }
  }

  get heading(): string {
    return this.#line('last', 'state', 'agent', 'project', 'todos', 'calls', 'title')
  }

  line(card: SessionCard, isSubagent = false): string {
    const { agent, state, project, counts } = card
    const { calls = null, failedCalls = null, todosDone = null, todosTotal = null } = counts ?? {}
    const failed = failedCalls === null || failedCalls === 0 ? '' : `/${failedCalls}`
    const todos = todosTotal === null ? '' : `${todosDone ?? 0}/${todosTotal}`
    const title = `${isSubagent ? '- ' : ''}${titleOf(card)}`
    const called = calls === null ? '' : `${calls}${failed}`
    return this.#line(this.#time(lastOf(card)), state, agentText(agent), this.#project(project), todos, called, title)
  }

  /** In a terminal: without the year for this year, else without the time of day. */
  #time(at: number): string {
    const text = timeText(at)
    if (this.#columns === null || text === '') return text
    return text.startsWith(`${new Date(this.#now).getFullYear()}-`) ? text.slice(5) : text.slice(0, 10)
  }

  #project(project: string | null): string {
    const text = folderText(project ?? '', this.#home)
    return this.#columns === null ? text : text.slice(nameAt(text))
  }

  #line(
    last: string,
    state: string,
    agent: string,
    project: string,
    todos: string,
    calls: string,
    title: string
  ): string {
    const widths = this.#widths
    const line = [
      padded(last, widths.time),
      padded(state, widths.state),
      padded(agent, widths.agent),
      padded(cutStart(project, widths.project), widths.project),
      todos.padStart(5),
      calls.padStart(6),
      title
    ].join('  ')
    return (this.#columns === null ? line : cutEnd(line, this.#columns)).trimEnd()
  }
}

function agentText(agent: SessionCard['agent']): string {
  return agent ?? ''
}
