/** The commands of the page: the source of its keys, its list of keys and the app's menus. */
export interface CommandWords {
  readonly id: string
  /**
   * `KeyboardEvent.key`. 'Shift+': for keys that Shift does not rename. 'Mod+': Ctrl or Command, 'Alt+': Alt or Option; both also while
   * typing.
   */
  readonly key: string
  /** A second key. */
  readonly alternative?: string
  /** The name of the equivalent control. */
  readonly name: string
}

/** A line of the list of keys: related commands, or keys that a focused part of the page handles. */
export interface KeyLine {
  readonly what: string
  readonly commands?: readonly CommandWords[]
  readonly keys?: readonly string[]
  /** Requires a host that opens files. */
  readonly ofFiles?: boolean
  /** Requires a host that starts agents. */
  readonly ofRuns?: boolean
  /** Requires a host with tasks. */
  readonly ofTasks?: boolean
  /** Requires a host with a library. */
  readonly ofLibrary?: boolean
  /** Requires a host that exports logs. */
  readonly ofExports?: boolean
  /** The menu of its commands, if not that of the group. */
  readonly menu?: MenuName
}

export interface KeyGroup {
  readonly title: string
  /** The app's menu for its commands. */
  readonly menu: MenuName
  readonly lines: readonly KeyLine[]
}

/** The app's menus with commands of the page. */
export type MenuName = 'File' | 'Step' | 'Play' | 'Marks' | 'Go' | 'View' | 'Help'

export const keyGroups = [
  {
    title: 'Step',
    menu: 'Step',
    lines: [
      {
        what: 'Previous, next event',
        commands: [
          { id: 'previous-event', key: 'ArrowLeft', name: 'Previous event' },
          { id: 'next-event', key: 'ArrowRight', name: 'Next event' }
        ]
      },
      {
        what: 'First, last event',
        commands: [
          { id: 'first-event', key: 'Home', name: 'First event' },
          { id: 'last-event', key: 'End', name: 'Last event' }
        ]
      },
      {
        what: 'Previous, next turn',
        commands: [
          { id: 'previous-turn', key: 'Shift+ArrowLeft', name: 'Previous turn' },
          { id: 'next-turn', key: 'Shift+ArrowRight', name: 'Next turn' }
        ]
      },
      {
        what: 'Previous, next todo change',
        commands: [
          { id: 'previous-todo', key: '[', name: 'Previous todo change' },
          { id: 'next-todo', key: ']', name: 'Next todo change' }
        ]
      },
      {
        what: 'Previous, next issue',
        commands: [
          { id: 'previous-issue', key: ',', name: 'Previous issue' },
          { id: 'next-issue', key: '.', name: 'Next issue' }
        ]
      },
      {
        what: 'Next, previous finding',
        commands: [
          { id: 'next-finding', key: 'j', name: 'Next finding' },
          { id: 'previous-finding', key: 'J', name: 'Previous finding' }
        ]
      },
      {
        what: 'Next, previous prompt',
        commands: [
          { id: 'next-prompt', key: 'p', name: 'Next prompt' },
          { id: 'previous-prompt', key: 'P', name: 'Previous prompt' }
        ]
      },
      {
        what: 'Next, previous failed call',
        commands: [
          { id: 'next-failed-call', key: 'e', name: 'Next failed call' },
          { id: 'previous-failed-call', key: 'E', name: 'Previous failed call' }
        ]
      },
      {
        what: 'Next, previous call of the same tool',
        commands: [
          { id: 'next-same-tool', key: 't', name: 'Next call of this tool' },
          { id: 'previous-same-tool', key: 'T', name: 'Previous call of this tool' }
        ]
      },
      {
        what: 'Next, previous call about the same file',
        commands: [
          { id: 'next-same-file', key: 's', name: 'Next call about this file' },
          { id: 'previous-same-file', key: 'S', name: 'Previous call about this file' }
        ]
      }
    ]
  },
  {
    title: 'Subagents',
    menu: 'Step',
    lines: [
      { what: 'Step into the subagent of a call', commands: [{ id: 'step-into', key: 'i', name: 'Step into' }] },
      {
        what: 'Step over it, or from a call to its result',
        commands: [{ id: 'step-over', key: 'o', name: 'Step over' }]
      },
      { what: 'Step out of the subagent', commands: [{ id: 'step-out', key: 'u', name: 'Step out' }] }
    ]
  },
  {
    title: 'Play',
    menu: 'Play',
    lines: [
      { what: 'Play, pause', commands: [{ id: 'play', key: ' ', name: 'Play or pause' }] },
      {
        what: 'Slower, faster',
        commands: [
          { id: 'slower', key: '<', name: 'Slower' },
          { id: 'faster', key: '>', name: 'Faster' }
        ]
      },
      {
        what: 'Turn pausing at issues on or off',
        commands: [{ id: 'pause-at-issues', key: '!', name: 'Pause at issues' }]
      },
      {
        what: 'Follow the end of a log that grows',
        commands: [{ id: 'follow', key: 'f', name: 'Follow the end' }],
        ofFiles: true
      }
    ]
  },
  {
    title: 'Bookmarks and breakpoints',
    menu: 'Marks',
    lines: [
      { what: 'Add or remove a bookmark', commands: [{ id: 'bookmark', key: 'b', name: 'Bookmark' }] },
      {
        what: 'Next, previous bookmark',
        commands: [
          { id: 'next-bookmark', key: 'm', name: 'Next bookmark' },
          { id: 'previous-bookmark', key: 'M', name: 'Previous bookmark' }
        ]
      },
      { what: 'Add or remove a breakpoint', commands: [{ id: 'breakpoint', key: 'B', name: 'Breakpoint' }] },
      {
        what: 'Next, previous breakpoint',
        commands: [
          { id: 'next-breakpoint', key: 'x', name: 'Next breakpoint' },
          { id: 'previous-breakpoint', key: 'X', name: 'Previous breakpoint' }
        ]
      }
    ]
  },
  {
    title: 'My tasks',
    menu: 'Marks',
    lines: [
      {
        what: 'Add your own task to the session',
        commands: [{ id: 'add-task', key: 'a', name: 'Add a task' }],
        ofTasks: true
      },
      { what: 'Task above, below (while a task has focus)', keys: ['ArrowUp', 'ArrowDown'], ofTasks: true },
      { what: 'Move the task up, down', keys: ['Alt ↑', 'Alt ↓'], ofTasks: true },
      { what: 'Edit, remove the task', keys: ['Enter', 'Del'], ofTasks: true }
    ]
  },
  {
    title: 'Find and go',
    menu: 'Go',
    lines: [
      { what: 'Find in the log', commands: [{ id: 'find', key: '/', alternative: 'Mod+f', name: 'Find' }] },
      {
        what: 'Next, previous match',
        commands: [
          { id: 'next-hit', key: 'n', name: 'Next match' },
          { id: 'previous-hit', key: 'N', name: 'Previous match' }
        ]
      },
      {
        what: 'Filter rows (keys then skip hidden rows)',
        commands: [{ id: 'filter', key: 'F', name: 'Filter rows' }]
      },
      { what: 'Save the filter as a view, apply a view', commands: [{ id: 'views', key: 'V', name: 'Saved views' }] },
      { what: 'Filter by a value of a row (click it), or exclude it', keys: ['Alt', 'Alt Shift'] },
      {
        what: 'Menu of the row: filter by its values, run to it (or right-click it)',
        commands: [{ id: 'row-menu', key: 'c', name: 'Row menu' }]
      },
      { what: 'Exclude the focused value of the filter, or include it again', keys: ['x'] },
      {
        what: 'In the timeline: next match, expand the collapsed turn, or give the result its own row',
        keys: ['Enter']
      },
      { what: 'Go to a line, event or time', commands: [{ id: 'go-to', key: 'g', name: 'Go to' }] }
    ]
  },
  {
    title: 'Scrubber (while focused)',
    menu: 'View',
    lines: [
      { what: 'Zoom in, out (or use the mouse wheel)', keys: ['+', '-'] },
      { what: 'Show the whole session (or double-click)', keys: ['0'] },
      { what: 'Move forward, back by 5% of the view', keys: ['PageUp', 'PageDown'] }
    ]
  },
  {
    title: 'Todos over time (while focused)',
    menu: 'View',
    lines: [
      { what: 'Item above, below', keys: ['ArrowUp', 'ArrowDown'] },
      { what: 'Next, previous change of the item; collapse/expand a track', keys: ['Enter', 'Shift+Enter'] },
      { what: 'Zoom in, zoom out, show the whole session', keys: ['+', '-', '0'] }
    ]
  },
  {
    title: 'Files (while focused)',
    menu: 'View',
    lines: [
      { what: 'Previous, next version of the file', keys: ['Alt ←', 'Alt →'] },
      { what: 'Line above, below (with Shift: select both)', keys: ['ArrowUp', 'ArrowDown'] },
      { what: 'Go to the event that wrote the line', keys: ['Enter'] },
      { what: 'All events about the selected lines', keys: ['Shift+Enter'] }
    ]
  },
  {
    title: 'Comparison (while focused)',
    menu: 'View',
    lines: [
      { what: 'Row above, below', keys: ['ArrowUp', 'ArrowDown'], ofFiles: true },
      { what: 'Next, previous difference', keys: ['d', 'D'], ofFiles: true },
      { what: 'Fold or show rows without a difference', keys: ['z'], ofFiles: true },
      { what: 'Open the step in its log, in the other log', keys: ['Enter', 'Shift+Enter'], ofFiles: true }
    ]
  },
  {
    title: 'Library',
    menu: 'View',
    lines: [
      {
        what: 'Switch between the library and the log',
        commands: [{ id: 'library', key: 'l', name: 'Library' }],
        ofLibrary: true
      },
      { what: 'Session above, below (with Shift: select both)', keys: ['ArrowUp', 'ArrowDown'], ofLibrary: true },
      { what: 'Group above, below', keys: ['Alt ↑', 'Alt ↓'], ofLibrary: true },
      { what: 'Collapse, expand the group', keys: ['ArrowLeft', 'ArrowRight'], ofLibrary: true },
      { what: 'Open the session, or the log at the match', keys: ['Enter'], ofLibrary: true },
      { what: 'Show or hide the preview', keys: [' '], ofLibrary: true },
      { what: 'Search all sessions, filter sessions, saved views', keys: ['/', 'F', 'V'], ofLibrary: true }
    ]
  },
  {
    title: 'Window',
    menu: 'View',
    lines: [
      {
        what: 'Search all commands',
        commands: [{ id: 'palette', key: 'Mod+k', name: 'Command palette' }]
      },
      {
        what: 'Open a log',
        commands: [{ id: 'open', key: 'Mod+o', name: 'Open a log…' }],
        ofFiles: true,
        menu: 'File'
      },
      {
        what: 'Export the session or a part of it',
        commands: [{ id: 'export', key: 'd', name: 'Export' }],
        ofExports: true,
        menu: 'File'
      },
      {
        what: 'Compare the session with another one',
        commands: [{ id: 'compare', key: 'C', name: 'Compare with…' }],
        ofFiles: true
      },
      {
        what: 'Copy a link to the event',
        commands: [{ id: 'copy-link', key: 'y', name: 'Copy link to event' }],
        ofExports: true,
        menu: 'File'
      },
      {
        what: 'Start a live run',
        commands: [{ id: 'new-run', key: 'r', name: 'New run' }],
        ofRuns: true,
        menu: 'File'
      },
      {
        what: 'Go on with the session, in a live run',
        commands: [{ id: 'go-on', key: 'R', name: 'Go on with the session' }],
        ofRuns: true,
        menu: 'File'
      },
      {
        what: 'Go to the oldest request of a live run',
        commands: [{ id: 'oldest-ask', key: 'Alt+a', name: 'Oldest request' }],
        ofRuns: true,
        menu: 'Go'
      },
      {
        what: 'Widen or restore the inspector',
        commands: [{ id: 'widen-inspector', key: 'w', name: 'Widen the inspector' }]
      },
      {
        what: 'Switch between todos over time and the timeline',
        commands: [{ id: 'todos', key: 'v', name: 'Todos over time' }]
      },
      {
        what: 'Switch between the analysis and the timeline',
        commands: [{ id: 'analysis', key: 'A', name: 'Analysis' }]
      },
      {
        what: 'Switch between the files and the timeline',
        commands: [{ id: 'files', key: 'Y', name: 'Files' }]
      },
      { what: 'Collapse/expand turn', commands: [{ id: 'toggle-turn', key: 'z', name: 'Collapse/expand turn' }] },
      {
        what: 'Collapse/expand all turns',
        commands: [{ id: 'toggle-turns', key: 'Z', name: 'Collapse/expand all turns' }]
      },
      {
        what: 'Show or hide log issues',
        commands: [{ id: 'issues', key: 'I', name: 'Log issues' }]
      },
      {
        what: 'Show or hide findings',
        commands: [{ id: 'findings', key: 'D', name: 'Findings' }]
      },
      {
        what: 'Show keyboard shortcuts',
        commands: [{ id: 'keys', key: '?', name: 'Keyboard shortcuts' }],
        menu: 'Help'
      },
      { what: 'Close the open panel, stop the search, clear its matches', keys: ['Escape'] }
    ]
  }
] as const satisfies readonly KeyGroup[]

type Line = (typeof keyGroups)[number]['lines'][number]
export type CommandId = Extract<Line, { commands: unknown }>['commands'][number]['id']

/** A command with its group, line and menu. */
export type Command = CommandWords & {
  readonly id: CommandId
  readonly menu: MenuName
  readonly group: string
  readonly what: string
}

/** All commands in table order. */
export const commands: readonly Command[] = keyGroups.flatMap((group) =>
  group.lines.flatMap((line) =>
    'commands' in line
      ? line.commands.map((command) => ({
          ...command,
          menu: 'menu' in line ? line.menu : group.menu,
          group: group.title,
          what: line.what
        }))
      : []
  )
)

export const commandIds = commands.map(({ id }) => id)
