import { describe, expect, test } from 'vitest'
import { commands } from '#contract/commands.ts'
import { appMenu, type MenuEntry } from './app-menu.ts'

function menu(platform: NodeJS.Platform, recent: string[] = [], asksForUpdates = false) {
  const done: string[] = []
  const template = appMenu(platform, recent, {
    open: () => done.push('open'),
    openRecent: (path) => done.push(`open ${path}`),
    clearRecent: () => done.push('clear'),
    command: (id) => done.push(id),
    checkForUpdates: asksForUpdates ? () => done.push('check for updates') : null
  })
  const all = (entries: readonly MenuEntry[]): MenuEntry[] =>
    entries.flatMap((entry) => [entry, ...all(entry.submenu ?? [])])
  return { template, entries: all(template), done }
}

describe.each(['linux', 'win32', 'darwin'] as const)('menus on %s', (platform) => {
  test('contain every command of the page once, with its key', () => {
    const { entries, done } = menu(platform)
    for (const { name } of commands) {
      const own = entries.filter(({ label }) => label === name || label?.startsWith(`${name} (`))
      expect([name, own.length]).toEqual([name, 1])
      own[0]?.click?.()
      expect(platform === 'darwin' ? own[0]?.label : own[0]?.accelerator).toMatch(/\S/)
    }
    expect(done).toEqual(commands.map(({ id }) => id))
  })

  test('take no keys from text fields', () => {
    for (const { accelerator, registerAccelerator } of menu(platform).entries) {
      if (accelerator !== undefined && !accelerator.includes('CmdOrCtrl')) expect(registerAccelerator).toBe(false)
    }
  })

  test('list recent logs', () => {
    const { entries, done } = menu(platform, ['/logs/a&b.jsonl'])
    for (const label of ['/logs/a&&b.jsonl', '&Clear', 'Open a log…'])
      entries.find((entry) => entry.label === label)?.click?.()
    expect(done).toEqual(['open /logs/a&b.jsonl', 'clear', 'open'])
  })

  test('check for updates only with an update address', () => {
    const label = 'Check for &updates…'
    expect(menu(platform).entries.find((entry) => entry.label === label)).toBeUndefined()
    const { entries, done } = menu(platform, [], true)
    entries.find((entry) => entry.label === label)?.click?.()
    expect(done).toEqual(['check for updates'])
  })

  test('contain zoom, full screen and quit', () => {
    const roles = menu(platform).entries.map(({ role }) => role)
    for (const role of ['zoomIn', 'zoomOut', 'resetZoom', 'togglefullscreen', 'editMenu'] as const) {
      expect(roles).toContain(role)
    }
    expect(roles).toContain(platform === 'darwin' ? 'appMenu' : 'quit')
  })
})

test('keys are Electron accelerators', () => {
  const { entries } = menu('linux')
  const keyOf = (name: string) => entries.find(({ label }) => label === name)?.accelerator
  expect(
    ['Next event', 'Next turn', 'Next prompt', 'Previous prompt', 'Play or pause', 'Pause at issues'].map(keyOf)
  ).toEqual(['Right', 'Shift+Right', 'P', 'Shift+P', 'Space', '!'])
})
