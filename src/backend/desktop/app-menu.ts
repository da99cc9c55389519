import { type Command, type CommandId, commands, type MenuName } from '#contract/commands.ts'

/** An item for Electron's `Menu.buildFromTemplate`. */
export interface MenuEntry {
  readonly label?: string
  readonly role?:
    | 'about'
    | 'appMenu'
    | 'close'
    | 'editMenu'
    | 'quit'
    | 'reload'
    | 'resetZoom'
    | 'toggleDevTools'
    | 'togglefullscreen'
    | 'windowMenu'
    | 'zoomIn'
    | 'zoomOut'
  readonly type?: 'separator'
  readonly accelerator?: string
  readonly registerAccelerator?: boolean
  readonly enabled?: boolean
  readonly click?: () => void
  submenu?: MenuEntry[]
}

export interface MenuActions {
  open(): void
  openRecent(path: string): void
  clearRecent(): void
  command(id: CommandId): void
  /** Null: there is no update address, so no item. */
  readonly checkForUpdates: (() => void) | null
}

const separator: MenuEntry = { type: 'separator' }

/** All menus of the app. `recent`: paths, latest first. */
export function appMenu(platform: NodeJS.Platform, recent: readonly string[], actions: MenuActions): MenuEntry[] {
  const isMac = platform === 'darwin'
  const page = (name: MenuName): MenuEntry[] =>
    commands.filter(({ menu }) => menu === name).map((command) => commandEntry(command, isMac, actions))
  const file: MenuEntry[] = [
    ...page('File'),
    { label: 'Open &Recent', submenu: recentEntries(recent, actions) },
    separator,
    { role: isMac ? 'close' : 'quit' }
  ]
  const view: MenuEntry[] = [
    ...page('View'),
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    separator,
    { role: 'togglefullscreen' },
    separator,
    { role: 'reload' },
    { role: 'toggleDevTools' }
  ]
  return [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    { label: '&File', submenu: file },
    { role: 'editMenu' },
    { label: '&View', submenu: view },
    { label: '&Go', submenu: page('Go') },
    { label: '&Step', submenu: page('Step') },
    { label: '&Play', submenu: page('Play') },
    { label: '&Marks', submenu: page('Marks') },
    { role: 'windowMenu' },
    {
      label: '&Help',
      submenu: [
        ...page('Help'),
        ...(actions.checkForUpdates
          ? [separator, { label: 'Check for &updates…', click: actions.checkForUpdates }]
          : []),
        ...(isMac ? [] : [separator, { role: 'about' as const }])
      ]
    }
  ]
}

function recentEntries(recent: readonly string[], actions: MenuActions): MenuEntry[] {
  if (recent.length === 0) return [{ label: 'No recent logs', enabled: false }]
  const logs = recent.map((path) => ({ label: path.replaceAll('&', '&&'), click: () => actions.openRecent(path) }))
  return [...logs, separator, { label: '&Clear', click: () => actions.clearRecent() }]
}

/** The page handles keys, so they can be typed in fields. macOS takes accelerators from it, so there labels have them. */
function commandEntry({ id, key, name }: Command, isMac: boolean, actions: MenuActions): MenuEntry {
  // Works without the page.
  if (id === 'open') return { label: name, accelerator: acceleratorOf(key), click: () => actions.open() }
  const click = (): void => actions.command(id)
  const accelerator = acceleratorOf(key)
  return isMac
    ? { label: `${name} (${accelerator})`, click }
    : { label: name, accelerator, registerAccelerator: false, click }
}

const acceleratorNames: Readonly<Record<string, string>> = { ' ': 'Space', ArrowLeft: 'Left', ArrowRight: 'Right' }

/** A key of `commands` as an Electron accelerator. */
function acceleratorOf(key: string): string {
  const [, modifier, letter] = /^(Mod|Alt)\+(.+)$/.exec(key) ?? []
  if (letter !== undefined) return `${modifier === 'Mod' ? 'CmdOrCtrl' : 'Alt'}+${acceleratorOf(letter)}`
  const [shift, plain] = key.startsWith('Shift+') ? ['Shift+', key.slice('Shift+'.length)] : ['', key]
  if (/^[A-Z]$/.test(plain)) return `Shift+${plain}`
  return shift + (acceleratorNames[plain] ?? (plain.length === 1 ? plain.toUpperCase() : plain))
}
