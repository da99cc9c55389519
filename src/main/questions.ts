import { BrowserWindow, dialog, shell, type MessageBoxOptions } from 'electron'
import type { DeepLink } from '#backend/desktop/deep-link.ts'
import type { checkForUpdate } from '#backend/update-check.ts'
import { HostError } from '#contract/host-error.ts'

/** Empty: cancelled. */
export async function showOpenDialog(what: 'files' | 'folder'): Promise<string[]> {
  const { filePaths } = await dialog.showOpenDialog({
    title: what === 'files' ? 'Open a log' : 'Open a folder',
    properties: what === 'files' ? ['openFile', 'multiSelections'] : ['openDirectory'],
    filters: [
      { name: 'Logs', extensions: ['jsonl', 'json', 'ndjson', 'log', 'txt'] },
      { name: 'All files', extensions: ['*'] }
    ]
  })
  return filePaths
}

/** Null: cancelled. */
export async function showSaveDialog(name: string): Promise<string | null> {
  const { filePath } = await dialog.showSaveDialog({ title: 'Export', defaultPath: name })
  return filePath || null
}

/** Opens a web address in the browser after the person has confirmed it. Other addresses are ignored. */
export async function offerLink(url: string): Promise<void> {
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) return
  const { href } = new URL(url)
  const agreed = await confirm({
    message: 'Open this address in the browser?',
    detail: href.slice(0, 2000),
    buttons: ['Open', 'Cancel']
  })
  if (agreed) await shell.openExternal(href)
}

/** Confirms a link of another program or a web page. Null: the link is invalid. */
export async function confirmLink(link: DeepLink | null): Promise<boolean> {
  if (link)
    return await confirm({
      message: 'A link asks to open this log',
      detail:
        link.where === undefined ? link.path : `${link.path}\n\nIt shows the rows of: ${link.where.slice(0, 500)}`,
      buttons: ['Open', 'Cancel']
    })
  const detail =
    'A link to a log has the form playhead://open?path=PATH, with an absolute path. Add &seq=NUMBER for an event, and &where=QUERY for a filter.'
  return await confirm({ type: 'warning', message: 'This link is not valid', detail, buttons: ['Close'], cancelId: 0 })
}

export async function showUpdateCheck(looked: ReturnType<typeof checkForUpdate>): Promise<void> {
  const say = (type: 'info' | 'warning', message: string, detail = ''): Promise<number> =>
    ask({ type, message, detail, buttons: ['Close'], cancelId: 0 })
  try {
    const release = await looked
    if (!release) await say('info', 'Playhead is up to date')
    else if (
      await confirm({
        message: `Version ${release.version} is available`,
        detail: release.url,
        buttons: ['Open', 'Cancel']
      })
    )
      await shell.openExternal(release.url)
  } catch (error) {
    await say('warning', 'Could not check for updates', error instanceof HostError ? error.message : '')
  }
}

/** Closing Playhead stops its agents. `count`: running agents; 0 asks nothing. */
export function confirmStop(count: number): boolean {
  if (count === 0) return true
  const message = count === 1 ? 'An agent is running' : `${count} agents are running`
  const detail = `Closing Playhead stops ${count === 1 ? 'it' : 'them'}. Output up to then is recorded.`
  const buttons = ['Stop and close', 'Cancel']
  return dialog.showMessageBoxSync({ type: 'question', message, detail, buttons, defaultId: 1, cancelId: 1 }) === 0
}

/** For a page that crashed or hangs. True: reload it. */
export async function offerReload(message: string, detail: string, otherwise: string): Promise<boolean> {
  return (await ask({ type: 'error', message, detail, buttons: ['Reload', otherwise], defaultId: 0 })) === 0
}

let asking = false

/** One question at a time: a page could make many links. */
async function confirm(options: MessageBoxOptions): Promise<boolean> {
  if (asking) return false
  asking = true
  try {
    return (await ask({ type: 'question', defaultId: 1, ...options })) === 0
  } finally {
    asking = false
  }
}

/** The number of the button; closing the dialog counts as the second one. */
async function ask(options: MessageBoxOptions): Promise<number> {
  const [window] = BrowserWindow.getAllWindows()
  const all = { cancelId: 1, noLink: true, ...options }
  return (await (window ? dialog.showMessageBox(window, all) : dialog.showMessageBox(all))).response
}
