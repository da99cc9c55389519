import type { TodoItem, TodoStatus } from '../events/todo.ts'
import { type Comparison, compareSessions } from './compare-sessions.ts'
import type { ComparedTotals } from './compared-figures.ts'
import type { ReadSteps } from './compared-run.ts'
import { todoPairs } from './todo-pairs.ts'

/** An item of the final todo lists of the main agents, with its status in each; null: not in that list. */
export interface ComparedTodo {
  readonly text: string
  readonly a: TodoStatus | null
  readonly b: TodoStatus | null
}

/** All that is compared of two sessions. */
export interface RunComparison {
  readonly a: ComparedTotals
  readonly b: ComparedTotals
  readonly steps: Comparison
  /** By path, relative to the folders of the sessions. */
  readonly files: readonly ComparedFile[]
  /** The items of A, then those that only B has. */
  readonly todos: readonly ComparedTodo[]
  readonly lastAnswer: ComparedAnswer
}

/** A changed file, and the events of each session that changed it; null: that session did not. */
export interface ComparedFile {
  readonly path: string
  readonly a: readonly number[] | null
  readonly b: readonly number[] | null
}

/** The events of the last answers, null for none, and whether they are equal; null: one has none. */
export interface ComparedAnswer {
  readonly a: number | null
  readonly b: number | null
  readonly same: boolean | null
}

export function compareRuns(a: ReadSteps, b: ReadSteps): RunComparison {
  const [filesA, filesB] = [a.outcome.changedFiles, b.outcome.changedFiles]
  const [answerA, answerB] = [a.outcome.lastAnswer, b.outcome.lastAnswer]
  return {
    a: a.totals,
    b: b.totals,
    steps: compareSessions(a.session, b.session),
    files: [...new Set([...filesA.keys(), ...filesB.keys()])]
      .toSorted()
      .map((path) => ({ path, a: filesA.get(path) ?? null, b: filesB.get(path) ?? null })),
    todos: comparedTodos(a.outcome.todos, b.outcome.todos),
    lastAnswer: {
      a: answerA?.seq ?? null,
      b: answerB?.seq ?? null,
      same: answerA === null || answerB === null ? null : answerA.hash === answerB.hash
    }
  }
}

function comparedTodos(a: readonly TodoItem[], b: readonly TodoItem[]): readonly ComparedTodo[] {
  const pairs = todoPairs(
    a.map(({ text }) => text),
    b.map(({ text }) => text)
  )
  const paired = new Set(pairs)
  return [
    ...a.map(({ text, status }, place) => ({ text, a: status, b: b[pairs[place] ?? -1]?.status ?? null })),
    ...b.filter((_, place) => !paired.has(place)).map(({ text, status }) => ({ text, a: null, b: status }))
  ]
}
