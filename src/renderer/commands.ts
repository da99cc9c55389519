import { flushSync } from 'react-dom'
import type { CommandId } from '#contract/commands.ts'
import type { KeyBindings } from '#contract/key-bindings.ts'
import { shownFindings } from './stores/shown-findings.ts'
import { sessionToGoOn } from './stores/going-on.ts'
import { copyEventLink } from './stores/event-link.ts'
import type { AppState } from './stores/app-state.ts'
import type { MainView } from './stores/layout-store.ts'
import { runsWithAsks } from './stores/live-runs-store.ts'
import type { LogState } from './stores/log-store.ts'
import { isMac } from './ui/shown-keys.ts'

/** Actions of commands about the whole page. */
const pageActions = {
  find: () => document.querySelector<HTMLInputElement>('[role="search"] input')?.select(),
  filter: (app: AppState) => {
    if (app.active === null) return app.setDialog('filter')
    flushSync(() => app.layout.getState().setView('timeline'))
    document.querySelector<HTMLInputElement>('.filter-bar [role="combobox"]')?.select()
  },
  views: (app: AppState) => {
    if (app.active !== null) flushSync(() => app.layout.getState().setView('timeline'))
    app.setDialog('views')
  },
  'row-menu': (app: AppState) => {
    flushSync(() => app.layout.getState().setView('timeline'))
    const grid = document.querySelector<HTMLElement>('[role="grid"]')
    grid?.focus()
    grid?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
  },
  'go-to': (app: AppState) => app.setDialog('go-to'),
  'widen-inspector': (app: AppState) => app.layout.getState().setWide(!app.layout.getState().wide),
  todos: (app: AppState) => toggleView(app, 'todos'),
  analysis: (app: AppState) => toggleView(app, 'analysis'),
  files: (app: AppState) => toggleView(app, 'files'),
  findings: (app: AppState) => app.layout.getState().setFindingsOpen(!app.layout.getState().findingsOpen),
  'next-finding': (app: AppState) => void goToFinding(app, 1),
  'previous-finding': (app: AppState) => void goToFinding(app, -1),
  issues: (app: AppState) => app.layout.getState().setIssuesOpen(!app.layout.getState().issuesOpen),
  'new-run': (app: AppState) => app.showRunForm(),
  'go-on': (app: AppState) => {
    const path = sessionToGoOn(app)
    if (path !== null) void app.goOn(path)
  },
  'oldest-ask': goToOldestAsk,
  export: (app: AppState) => app.setDialog('export'),
  compare: (app: AppState) => app.setDialog('compare'),
  'copy-link': (app: AppState) => {
    const log = app.logStores.get(app.active ?? '')
    if (log !== undefined) void copyEventLink(log, app.linkTo)
  },
  library: (app: AppState) => (app.active === null ? app.returnToLog() : app.leaveLog()),
  'add-task': (app: AppState) => {
    app.layout.getState().setAddingTask(true)
    document.querySelector<HTMLInputElement>('.task-form > input')?.focus()
  },
  keys: (app: AppState) => app.setDialog('keys'),
  palette: (app: AppState) => app.setDialog(app.dialog === 'palette' ? 'none' : 'palette'),
  open: (app: AppState) => {
    // The start screen has the field itself.
    const field = document.querySelector<HTMLInputElement>('.open-form input')
    if (app.capabilities?.openDialog === true) void app.chooseFiles('files')
    else if (field !== null) field.focus()
    else app.setDialog('open')
  }
} as const satisfies Partial<Record<CommandId, (app: AppState) => void>>

/** Moves the focus to the oldest request of the shown run, else shows the run that waits longest. It answers nothing. */
function goToOldestAsk({ liveRuns, openRun }: AppState): void {
  const card = document.querySelector<HTMLElement>('[data-ask]')
  if (card !== null) {
    const target = card.querySelector<HTMLElement>('[data-careful]') ?? card
    target.scrollIntoView({ block: 'nearest' })
    return target.focus()
  }
  const [oldest] = runsWithAsks(liveRuns.getState().runs)
  if (oldest !== undefined) void openRun(oldest)
}

/** Shows a view, or the timeline if it is shown already. */
function toggleView({ layout }: AppState, view: MainView): void {
  const { view: shown, setView } = layout.getState()
  setView(shown === view ? 'timeline' : view)
}

/** Goes to the first event of the next finding that is shown. */
async function goToFinding({ active, logStores, layout }: AppState, direction: 1 | -1): Promise<void> {
  const log = logStores.get(active ?? '')?.getState()
  if (log === undefined) return
  const { list } = shownFindings(await log.findings.latest(), layout.getState(), log.status)
  log.loading.whenLoaded(() =>
    log.stepping.toOneOf(
      list.map(({ rows: [first = -1] }) => first),
      direction,
      'finding'
    )
  )
}

/** Actions of commands about the shown log. */
const logActions: Record<Exclude<CommandId, keyof typeof pageActions>, (log: LogState) => void> = {
  'previous-event': (log) => log.stepping.step(-1),
  'next-event': (log) => log.stepping.step(1),
  'first-event': (log) => log.stepping.home(),
  'last-event': (log) => log.stepping.end(),
  'previous-turn': (log) => log.stepping.stepTo('turn', -1),
  'next-turn': (log) => log.stepping.stepTo('turn', 1),
  'previous-todo': (log) => log.stepping.nextTodo(-1),
  'next-todo': (log) => log.stepping.nextTodo(1),
  'previous-issue': (log) => log.stepping.nextIssue(-1),
  'next-issue': (log) => log.stepping.nextIssue(1),
  'next-prompt': (log) => log.stepping.stepTo('prompt', 1),
  'previous-prompt': (log) => log.stepping.stepTo('prompt', -1),
  'next-failed-call': (log) => log.stepping.stepTo('failed-call', 1),
  'previous-failed-call': (log) => log.stepping.stepTo('failed-call', -1),
  'next-same-tool': (log) => log.stepping.stepTo('same-tool', 1),
  'previous-same-tool': (log) => log.stepping.stepTo('same-tool', -1),
  'next-same-file': (log) => log.stepping.stepTo('same-file', 1),
  'previous-same-file': (log) => log.stepping.stepTo('same-file', -1),
  'step-into': (log) => log.stepping.stepInto(),
  'step-over': (log) => log.stepping.stepOver(),
  'step-out': (log) => log.stepping.stepOut(),
  play: (log) => log.playing.toggle(),
  slower: (log) => log.playing.changeRate(-1),
  faster: (log) => log.playing.changeRate(1),
  'pause-at-issues': (log) => log.playing.stopAtIssues(!log.player.atIssues),
  follow: (log) => log.stepping.follow(!log.following),
  bookmark: (log) => log.reviewing.toggleBookmark(log.row),
  'next-bookmark': (log) => log.stepping.stepTo('bookmark', 1),
  'previous-bookmark': (log) => log.stepping.stepTo('bookmark', -1),
  breakpoint: (log) => log.reviewing.toggleBreakpointHere(log.row),
  'next-breakpoint': (log) => log.stepping.stepTo('breakpoint', 1),
  'previous-breakpoint': (log) => log.stepping.stepTo('breakpoint', -1),
  'toggle-turn': (log) => log.collapsing.toggleTurn(log.row),
  'toggle-turns': (log) => log.collapsing.toggleAllTurns(),
  'next-hit': (log) => log.finding.next(1),
  'previous-hit': (log) => log.finding.next(-1)
}

/** Commands that need a host with exports. */
const ofExports: ReadonlySet<CommandId> = new Set(['export', 'copy-link'])
/** Commands that need no log. */
const withoutLog: ReadonlySet<CommandId> = new Set([
  'new-run',
  'go-on',
  'oldest-ask',
  'keys',
  'library',
  'palette',
  'open'
])
/** Commands that also exist in the library. */
const ofLibrary: ReadonlySet<CommandId> = new Set(['find', 'filter', 'views'])

/** Whether a command is available. */
export function canRun(app: AppState, id: CommandId): boolean {
  const log = shownLog(app)
  const hasLibrary = app.library.getState().presence === 'there'
  if (log === undefined && !withoutLog.has(id) && !(hasLibrary && ofLibrary.has(id))) return false
  if (id === 'library' && !hasLibrary) return false
  if (id === 'views') return app.settings.getState().file !== null
  if (id === 'new-run') return app.capabilities?.runs === true
  if (id === 'go-on') return sessionToGoOn(app) !== null
  if (id === 'oldest-ask') return runsWithAsks(app.liveRuns.getState().runs).length > 0
  if (id === 'add-task') return app.capabilities?.tasks === true
  if (ofExports.has(id)) return app.capabilities?.exports === true
  if (id === 'open' || id === 'compare') return app.capabilities?.shared === null
  return id !== 'follow' || app.capabilities?.shared == null
}

/** Runs a command; false if it is not available. */
export function runCommand(app: AppState, id: CommandId): boolean {
  if (!canRun(app, id)) return false
  const log = shownLog(app)
  if (isOfPage(id)) pageActions[id](app)
  // Use the state of the log when its rows are loaded.
  else log?.loading.whenLoaded(() => logActions[id](app.logStores.get(log.id)?.getState() ?? log))
  return true
}

function shownLog(app: AppState): LogState | undefined {
  return app.active === null ? undefined : app.logStores.get(app.active)?.getState()
}

function isOfPage(id: CommandId): id is keyof typeof pageActions {
  return Object.hasOwn(pageActions, id)
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** The command of a key; undefined for none. */
export function commandOf(pressed: PressedKey, { commandOf: byKey }: KeyBindings): CommandId | undefined {
  const { key, code, shiftKey, ctrlKey, metaKey, altKey } = pressed
  if (isMac ? ctrlKey : metaKey) return undefined
  // With Option, a Mac writes other characters: "å" for A.
  if (altKey)
    return ctrlKey || metaKey || shiftKey
      ? undefined
      : byKey.get(`Alt+${code.replace(/^(?:Key|Digit)/, '').toLowerCase()}`)
  if (isMac ? metaKey : ctrlKey) return shiftKey ? undefined : byKey.get(`Mod+${key.toLowerCase()}`)
  // A character already includes Shift.
  return byKey.get(shiftKey && key.length > 1 ? `Shift+${key}` : key)
}
