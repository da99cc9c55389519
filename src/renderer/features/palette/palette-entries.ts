import { isViewOf } from '#contract/settings.ts'
import { flushSync } from 'react-dom'
import { type Command, commands } from '#contract/commands.ts'
import { canRun, runCommand } from '../../commands.ts'
import { parseGoTo } from '../../stores/go-to.ts'
import type { AppState } from '../../stores/app-state.ts'
import type { LogState } from '../../stores/log-store.ts'
import { formatCount } from '../../ui/format.ts'

/** A line of the command palette. */
export interface PaletteEntry {
  readonly id: string
  readonly name: string
  /** Where it belongs, or what it shows. */
  readonly note: string
  /** Keys as in `commands`, which the settings may replace. */
  readonly keys: readonly string[]
  /** Null: not available now. */
  readonly run: (() => void) | null
}

export interface PaletteGroup {
  readonly title: string
  readonly entries: readonly PaletteEntry[]
}

const maxRecent = 5

/**
 * What the palette finds for a text: a place in the log, commands, saved views and other open sessions whose words contain each word of
 * it. Without a text, the commands used last come first. Commands that are not available come last.
 */
export function paletteGroups(text: string, app: AppState): readonly PaletteGroup[] {
  const words = text.toLowerCase().split(/\s+/)
  const has = (said: string) => words.every((word) => said.toLowerCase().includes(word))
  const isTyped = text.trim() !== ''
  const log = app.active === null ? undefined : app.logStores.get(app.active)?.getState()
  const { history } = app.settings.getState()
  const found = commands.filter(({ name, what, group }) => has(`${name} ${what} ${group}`))
  const lastUsed = history.commands.flatMap((id) => found.filter((command) => command.id === id))
  const recent = isTyped ? [] : lastUsed.filter(({ id }) => canRun(app, id)).slice(0, maxRecent)
  const rank = ({ id, name }: Command): number =>
    (canRun(app, id) ? 0 : 4) + (has(name) ? 0 : 2) + (isTyped && history.commands.includes(id) ? 0 : 1)
  const others = found.filter((command) => !recent.includes(command)).toSorted((a, b) => rank(a) - rank(b))
  const groups = [
    { title: 'Go to', entries: log === undefined ? [] : goToEntries(text, log, app) },
    { title: 'Recent commands', entries: recent.map((command) => commandEntry(command, app)) },
    { title: 'Commands', entries: others.map((command) => commandEntry(command, app)) },
    { title: 'Views', entries: viewEntries(app, log).filter(({ name, note }) => has(`view ${name} ${note}`)) },
    { title: 'Open sessions', entries: sessionEntries(app).filter(({ name, note }) => has(`session ${name} ${note}`)) }
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

function commandEntry({ id, name, group, key, alternative }: Command, app: AppState): PaletteEntry {
  const run = () => {
    if (id !== 'palette') app.settings.getState().remember({ command: id })
    runCommand(app, id)
  }
  const keys = alternative === undefined ? [key] : [key, alternative]
  return { id, name, note: group, keys, run: canRun(app, id) ? run : null }
}

/** What was typed as the place of the dialog "Go to". */
function goToEntries(
  text: string,
  { id, loading, stepping, status }: LogState,
  app: AppState
): readonly PaletteEntry[] {
  const target = parseGoTo(text)
  if (target === null) return []
  const place =
    target.kind === 'line'
      ? `line ${formatCount(target.line)}`
      : target.kind === 'event'
        ? `event #${formatCount(target.seq)}`
        : text.trim()
  const run = () =>
    loading.whenLoaded(() => {
      const problem = stepping.goTo(text)
      if (problem !== null) app.logStores.get(id)?.setState({ stepNote: { text: problem, searching: false } })
    })
  return [{ id: `go-to ${text}`, name: `Go to ${place}`, note: status.name, keys: [], run }]
}

function viewEntries(app: AppState, log: LogState | undefined): readonly PaletteEntry[] {
  const { views } = app.settings.getState().settings
  const apply = (query: string) => {
    if (log === undefined) return app.library.getState().choose({ text: query })
    flushSync(() => app.layout.getState().setView('timeline'))
    log.filtering.set(query)
  }
  return views
    .filter(isViewOf(log === undefined ? 'sessions' : 'rows'))
    .map(({ name, query }) => ({ id: `view ${name}`, name, note: query, keys: [], run: () => apply(query) }))
}

function sessionEntries(app: AppState): readonly PaletteEntry[] {
  const { titles } = app.library.getState()
  return app.logs
    .filter(({ log }) => log !== app.active)

    .map(({ log, path, name }) => ({
      id: `session ${log}`,
      name: titles.get(path) ?? name,
      note: path,
      keys: [],
      run: () => app.activate(log)
    }))
}
