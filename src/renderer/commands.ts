import { type CommandId, commands } from '#contract/commands.ts'
import type { AppState } from './stores/app-store.ts'
import type { LogState } from './stores/log-store.ts'

/** What commands do that concern the whole page. */
const pageActions = {
  find: () => document.querySelector<HTMLInputElement>('input[type="search"]')?.select(),
  filter: (app: AppState) => app.setDialog('filter'),
  'go-to': (app: AppState) => app.setDialog('go-to'),
  'widen-inspector': (app: AppState) => app.layout.getState().setWide(!app.layout.getState().wide),
  todos: (app: AppState) => {
    const layout = app.layout.getState()
    layout.setView(layout.view === 'todos' ? 'timeline' : 'todos')
  },
  issues: (app: AppState) => app.layout.getState().setIssuesOpen(!app.layout.getState().issuesOpen),
  'new-run': (app: AppState) => app.askForRun(),
  library: (app: AppState) => (app.active === null ? app.returnToLog() : app.leaveLog()),
  'add-task': () => {
    const field = document.querySelector<HTMLInputElement>('.task-form > input')
    if (field !== null) field.focus()
    else document.querySelector<HTMLElement>('.my-tasks-head > .btn')?.click()
  },
  keys: (app: AppState) => app.setDialog('keys')
} as const satisfies Partial<Record<CommandId, (app: AppState) => void>>

/** What commands do to the log that is shown. */
const logActions: Record<Exclude<CommandId, keyof typeof pageActions>, (log: LogState) => void> = {
  'previous-event': (log) => log.step(-1),
  'next-event': (log) => log.step(1),
  'first-event': (log) => log.home(),
  'last-event': (log) => log.end(),
  'previous-turn': (log) => log.stepTo('turn', -1),
  'next-turn': (log) => log.stepTo('turn', 1),
  'previous-todo': (log) => log.nextTodo(-1),
  'next-todo': (log) => log.nextTodo(1),
  'previous-issue': (log) => log.nextIssue(-1),
  'next-issue': (log) => log.nextIssue(1),
  'next-prompt': (log) => log.stepTo('prompt', 1),
  'previous-prompt': (log) => log.stepTo('prompt', -1),
  'next-failed-call': (log) => log.stepTo('failed-call', 1),
  'previous-failed-call': (log) => log.stepTo('failed-call', -1),
  'next-same-tool': (log) => log.stepTo('same-tool', 1),
  'previous-same-tool': (log) => log.stepTo('same-tool', -1),
  'next-same-file': (log) => log.stepTo('same-file', 1),
  'previous-same-file': (log) => log.stepTo('same-file', -1),
  'step-into': (log) => log.stepInto(),
  'step-over': (log) => log.stepOver(),
  'step-out': (log) => log.stepOut(),
  play: (log) => log.togglePlay(),
  slower: (log) => log.changeRate(-1),
  faster: (log) => log.changeRate(1),
  'pause-at-issues': (log) => log.setStopAtIssues(!log.player.atIssues),
  follow: (log) => log.follow(!log.following),
  bookmark: (log) => log.reviewing.toggleBookmark(log.row),
  'next-bookmark': (log) => log.stepTo('bookmark', 1),
  'previous-bookmark': (log) => log.stepTo('bookmark', -1),
  breakpoint: (log) => log.reviewing.toggleBreakpointHere(log.row),
  'next-breakpoint': (log) => log.stepTo('breakpoint', 1),
  'previous-breakpoint': (log) => log.stepTo('breakpoint', -1),
  'toggle-turn': (log) => log.toggleTurn(log.row),
  'toggle-turns': (log) => log.toggleAllTurns(),
  'next-hit': (log) => log.nextHit(1),
  'previous-hit': (log) => log.nextHit(-1)
}

/** They need no log. */
const withoutLog: ReadonlySet<CommandId> = new Set(['new-run', 'keys', 'library'])
/** What the library has as well. */
const ofLibrary: ReadonlySet<CommandId> = new Set(['find', 'filter'])

/** Does what a command means; false if it means nothing here: no log is shown, nothing is added to it, or the host starts no agents. */
export function runCommand(app: AppState, id: CommandId): boolean {
  const log = app.active === null ? undefined : app.logStores.get(app.active)?.getState()
  const hasLibrary = app.library.getState().presence === 'there'
  if (log === undefined && !withoutLog.has(id) && !(hasLibrary && ofLibrary.has(id))) return false
  if (id === 'library' && !hasLibrary) return false
  if (id === 'new-run' && app.capabilities?.runs !== true) return false
  if (id === 'add-task' && app.capabilities?.tasks !== true) return false
  if (isOfPage(id)) pageActions[id](app)
  else if (id === 'follow' && app.capabilities?.shared != null) return false
  // What is known of the log when its rows are here counts, not what is now.
  else log?.whenLoaded(() => logActions[id](app.logStores.get(log.id)?.getState() ?? log))
  return true
}

function isOfPage(id: CommandId): id is keyof typeof pageActions {
  return Object.hasOwn(pageActions, id)
}

const byKey: ReadonlyMap<string, CommandId> = new Map(commands.map(({ key, id }) => [key, id]))

/** The command of a key; undefined for a key that has none. */
export function commandOf({
  key,
  shiftKey
}: {
  readonly key: string
  readonly shiftKey: boolean
}): CommandId | undefined {
  // Of a key that types something the character already says whether Shift is held.
  return byKey.get(shiftKey && key.length > 1 ? `Shift+${key}` : key)
}

const keyNames: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc'
}

/** A key as people read it. */
export function keyText(key: string): string {
  const [shift, named] = key.startsWith('Shift+') ? ['⇧', key.slice('Shift+'.length)] : ['', key]
  return shift + (keyNames[named] ?? named)
}
