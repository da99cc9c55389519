import { BrowserWindow, dialog, shell, type MessageBoxOptions } from 'electron'
import type { DeepLink } from '#backend/desktop/deep-link.ts'
import type { checkForUpdate } from '#backend/update-check.ts'
import { HostError } from '#contract/host-error.ts'

/** Asks the person for logs, or for a folder with some; empty: they cancelled. */
export async function askForFiles(what: 'files' | 'folder'): Promise<string[]> {
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

/** Asks the person where to save a file of that name; null: they cancelled. */
export async function askWhere(name: string): Promise<string | null> {
  const { filePath } = await dialog.showSaveDialog({ title: 'Export', defaultPath: name })
  return filePath || null
}

/** Leaves Playhead only for web addresses, and only if the person who clicked sees where to and agrees. */
export async function offerLink(url: string): Promise<void> {
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) return
  const { href } = new URL(url)
  const agreed = await agrees({
    message: 'Open this address in the browser?',
    detail: href.slice(0, 2000),
    buttons: ['Open', 'Cancel']
  })
  if (agreed) await shell.openExternal(href)
}

/** Another program, or a page in a browser, asks to open a log: the person sees which. `null`: it is no link that can be followed. */
export async function agreesToLink(link: DeepLink | null): Promise<boolean> {
  if (link)
    return await agrees({ message: 'A link asks to open this log', detail: link.path, buttons: ['Open', 'Cancel'] })
  const detail =
    'A link to a log has the form playhead://open?path=PATH, with an absolute path. Add &seq=NUMBER for an event.'
  return await agrees({ type: 'warning', message: 'This link is not valid', detail, buttons: ['Close'], cancelId: 0 })
}

/** What came of looking for a newer version: a link to it, or that there is none, or why that is not known. */
export async function tellOfUpdate(looked: ReturnType<typeof checkForUpdate>): Promise<void> {
  const say = (type: 'info' | 'warning', message: string, detail = ''): Promise<number> =>
    ask({ type, message, detail, buttons: ['Close'], cancelId: 0 })
  try {
    const release = await looked
    if (!release) await say('info', 'Playhead is up to date')
    else if (
      await agrees({
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

/** Agents stop when Playhead is closed. `count`: of those at work; where there is none nobody is asked. */
export function agreesToStop(count: number): boolean {
  if (count === 0) return true
  const message = count === 1 ? 'An agent is running' : `${count} agents are running`
  const detail = `Closing Playhead stops ${count === 1 ? 'it' : 'them'}. Output up to then is recorded.`
  const buttons = ['Stop and close', 'Cancel']
  return dialog.showMessageBoxSync({ type: 'question', message, detail, buttons, defaultId: 1, cancelId: 1 }) === 0
}

/** Said once the page has died or hangs. True: it is to be loaded again. */
export async function offersReload(message: string, detail: string, otherwise: string): Promise<boolean> {
  return (await ask({ type: 'error', message, detail, buttons: ['Reload', otherwise], defaultId: 0 })) === 0
}

let asking = false

/** Who makes links in numbers gets one question, not as many. */
async function agrees(options: MessageBoxOptions): Promise<boolean> {
  if (asking) return false
  asking = true
  try {
    return (await ask({ type: 'question', defaultId: 1, ...options })) === 0
  } finally {
    asking = false
  }
}

/** The number of the button; closing the question is the second one. */
async function ask(options: MessageBoxOptions): Promise<number> {
  const [window] = BrowserWindow.getAllWindows()
  const all = { cancelId: 1, noLink: true, ...options }
  return (await (window ? dialog.showMessageBox(window, all) : dialog.showMessageBox(all))).response
}
