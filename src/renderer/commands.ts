import type { AppState } from './stores/app-store.ts'
import type { LogState } from './stores/log-store.ts'

/** What a key does. `key`: as `KeyboardEvent.key` has it, after 'Shift+' for a key whose name Shift does not change. */
export interface Command {
  readonly key: string
  /** What a control calls it that does the same. */
  readonly name: string
  readonly run: (log: LogState) => void
  /** Where nothing is said: wherever a log is shown. */
  readonly isEnabled?: (app: AppState, log: LogState) => boolean
}

/** One line of the list of keys: commands that belong together, or keys that a part of the page handles while it has the focus. */
export interface KeyLine {
  readonly what: string
  readonly commands?: readonly Command[]
  readonly keys?: readonly string[]
  /** It needs a host that opens files. */
  readonly ofFiles?: boolean
}

export interface KeyGroup {
  readonly title: string
  readonly lines: readonly KeyLine[]
}

const followsFiles: Command['isEnabled'] = (app) => app.capabilities?.shared == null

/** Every key of the page. `keyboard.ts` does what the commands say, the keys dialog lists all lines. */
export const keyGroups: readonly KeyGroup[] = [
  {
    title: 'Step',
    lines: [
      line('Previous, next event', [
        ['ArrowLeft', 'Previous event', (log) => log.step(-1)],
        ['ArrowRight', 'Next event', (log) => log.step(1)]
      ]),
      line('First, last event', [
        ['Home', 'First event', (log) => log.home()],
        ['End', 'Last event', (log) => log.end()]
      ]),
      line('Previous, next turn', [
        ['Shift+ArrowLeft', 'Previous turn', (log) => log.stepTo('turn', -1)],
        ['Shift+ArrowRight', 'Next turn', (log) => log.stepTo('turn', 1)]
      ]),
      line('Previous, next todo change', [
        ['[', 'Previous todo change', (log) => log.nextTodo(-1)],
        [']', 'Next todo change', (log) => log.nextTodo(1)]
      ]),
      line('Previous, next issue', [
        [',', 'Previous issue', (log) => log.nextIssue(-1)],
        ['.', 'Next issue', (log) => log.nextIssue(1)]
      ]),
      line('Next, previous prompt', [
        ['p', 'Next prompt', (log) => log.stepTo('prompt', 1)],
        ['P', 'Previous prompt', (log) => log.stepTo('prompt', -1)]
      ]),
      line('Next, previous tool error', [
        ['e', 'Next tool error', (log) => log.stepTo('tool-error', 1)],
        ['E', 'Previous tool error', (log) => log.stepTo('tool-error', -1)]
      ]),
      line('Next, previous call of the same tool', [
        ['t', 'Next call of this tool', (log) => log.stepTo('same-tool', 1)],
        ['T', 'Previous call of this tool', (log) => log.stepTo('same-tool', -1)]
      ]),
      line('Next, previous call about the same file', [
        ['s', 'Next call about this file', (log) => log.stepTo('same-file', 1)],
        ['S', 'Previous call about this file', (log) => log.stepTo('same-file', -1)]
      ])
    ]
  },
  {
    title: 'Subagents',
    lines: [
      line('Step into the subagent of a call', [['i', 'Step into', (log) => log.stepInto()]]),
      line('Step over it, or from a call to its result', [['o', 'Step over', (log) => log.stepOver()]]),
      line('Step out of the subagent', [['u', 'Step out', (log) => log.stepOut()]])
    ]
  },
  {
    title: 'Play',
    lines: [
      line('Play, pause', [[' ', 'Play or pause', (log) => log.togglePlay()]]),
      line('Slower, faster', [
        ['<', 'Slower', (log) => log.changeRate(-1)],
        ['>', 'Faster', (log) => log.changeRate(1)]
      ]),
      line('Pause at issues, or not', [['!', 'Pause at issues', (log) => log.setStopAtIssues(!log.player.atIssues)]]),
      {
        ...line('Follow the end of a log that grows', [
          ['f', 'Follow the end', (log) => log.follow(!log.following), followsFiles]
        ]),
        ofFiles: true
      }
    ]
  },
  {
    title: 'Bookmarks and breakpoints',
    lines: [
      line('Set or remove a bookmark here', [['b', 'Bookmark', (log) => log.reviewing.toggleBookmark(log.row)]]),
      line('Next, previous bookmark', [
        ['m', 'Next bookmark', (log) => log.stepTo('bookmark', 1)],
        ['M', 'Previous bookmark', (log) => log.stepTo('bookmark', -1)]
      ]),
      line('Set or remove a breakpoint here', [
        ['B', 'Breakpoint', (log) => log.reviewing.toggleBreakpointHere(log.row)]
      ]),
      line('Next, previous place of a breakpoint', [
        ['x', 'Next breakpoint', (log) => log.stepTo('breakpoint', 1)],
        ['X', 'Previous breakpoint', (log) => log.stepTo('breakpoint', -1)]
      ])
    ]
  },
  {
    title: 'Find and go',
    lines: [
      { what: 'Find in the log', keys: ['/'] },
      line('Next, previous hit', [
        ['n', 'Next hit', (log) => log.nextHit(1)],
        ['N', 'Previous hit', (log) => log.nextHit(-1)]
      ]),
      { what: 'Filter rows; the keys then go through those shown', keys: ['F'] },
      { what: 'Go to a line, an event or a time', keys: ['g'] }
    ]
  },
  {
    title: 'Scrubber, while it has the focus',
    lines: [
      { what: 'Zoom in, out; so does the wheel over it', keys: ['+', '-'] },
      { what: 'The whole run; so does a double click', keys: ['0'] },
      { what: 'Forward, back by a twentieth of what is shown', keys: ['PageUp', 'PageDown'] }
    ]
  },
  {
    title: 'Window',
    lines: [
      { what: 'Open a log', keys: ['Ctrl O'], ofFiles: true },
      line('Close or open the turn', [['z', 'Close or open the turn', (log) => log.toggleTurn(log.row)]]),
      line('Close all turns, or open them', [['Z', 'Close or open all turns', (log) => log.toggleAllTurns()]]),
      { what: 'Todos over time, or back to the timeline', keys: ['v'] },
      { what: 'All issues, or not', keys: ['I'] },
      { what: 'Widen the inspector, or give the room back', keys: ['w'] },
      { what: 'These keys', keys: ['?'] },
      { what: 'Close what is open, stop a search, forget its hits', keys: ['Escape'] }
    ]
  }
]

const commands: ReadonlyMap<string, Command> = new Map(
  keyGroups
    .flatMap(({ lines }) => lines.flatMap((each) => each.commands ?? []))
    .map((command) => [command.key, command])
)

/** The command of a key; undefined for a key that has none. */
export function commandOf({
  key,
  shiftKey
}: {
  readonly key: string
  readonly shiftKey: boolean
}): Command | undefined {
  // Of a key that types something the character already says whether Shift is held.
  return commands.get(shiftKey && key.length > 1 ? `Shift+${key}` : key)
}

const keyNames: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc'
}

/** A key as people read it. */
export function keyText(key: string): string {
  const [shift, named] = key.startsWith('Shift+') ? ['⇧', key.slice('Shift+'.length)] : ['', key]
  return shift + (keyNames[named] ?? named)
}

type CommandWords = readonly [key: string, name: string, run: Command['run'], isEnabled?: Command['isEnabled']]

function line(what: string, words: readonly CommandWords[]): KeyLine {
  return {
    what,
    commands: words.map(([key, name, run, isEnabled]) => ({ key, name, run, ...(isEnabled && { isEnabled }) }))
  }
}
