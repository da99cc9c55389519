import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join, relative, resolve } from 'node:path'
import { chromium, expect, type Page } from '@playwright/test'
import { ownElectron } from '../../src/cli/electron-binary.ts'
import { hasDisplay } from '../../src/cli/browser.ts'
import { startDouble } from '../electron-double/double-app.ts'
import { type DesktopApp, startElectron } from './desktop-app.ts'
import { grid, seqOf, slider, statusBar } from './page-parts.ts'
import { root, sample as sampleRun, test as base } from './playhead-server.ts'

/** As the system writes paths. */
const sample = resolve(sampleRun)
const executablePath = ownElectron(root, process.env)
const canShow = hasDisplay({ platform: process.platform, variables: process.env })
/** Why the tests run on the stand-in only; null: they run on Electron, too. */
const noElectron =
  executablePath === null
    ? 'no Electron program here: run npx install-electron, or set ELECTRON_EXEC_PATH'
    : canShow
      ? null
      : 'no display here'

type StartApp = (...args: string[]) => Promise<DesktopApp>

declare global {
  interface Window {
    playheadFiles?: { pathOf(file: File): string }
  }
}

/** Chooses an item of the app's menus by its label, with its key behind it or not. */
async function choose(app: DesktopApp, label: string): Promise<void> {
  const chosen = await app.evaluate(({ Menu }, wanted) => {
    const menus = [Menu.getApplicationMenu()]
    for (const menu of menus) {
      for (const item of menu?.items ?? []) {
        if (item.submenu) menus.push(item.submenu)
        else if (item.label === wanted || item.label.startsWith(`${wanted} (`)) {
          item.click()
          return true
        }
      }
    }
    return false
  }, label)
  expect([label, chosen]).toEqual([label, true])
}

async function labelsOf(app: DesktopApp): Promise<string[]> {
  return await app.evaluate(({ Menu }) => {
    const menus = [Menu.getApplicationMenu()]
    for (const menu of menus) menus.push(...(menu?.items ?? []).flatMap(({ submenu }) => (submenu ? [submenu] : [])))
    return menus.flatMap((menu) => (menu?.items ?? []).map(({ label }) => label))
  })
}

/** Answers the questions that come with the numbers of buttons, later ones with the last; what was asked so far. */
async function dialogAnswers(app: DesktopApp, answers: readonly number[]): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }, given) => {
    const asked: string[] = []
    Reflect.set(dialog, 'asked', asked)
    dialog.showMessageBox = (...args: unknown[]) => {
      const { message, detail } = args.at(-1) as { message: string; detail: string }
      const response = given[Math.min(asked.push(`${message} ${detail}`), given.length) - 1] ?? 1
      return Promise.resolve({ response, checkboxChecked: false })
    }
  }, answers)
  return () => app.evaluate(({ dialog }) => Reflect.get(dialog, 'asked') as string[])
}

/** The files of the built page, by their paths in it. Licences lie beside it and are served by nobody. */
const renderer = join(root, 'out/renderer')
const built = readdirSync(renderer, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
  .map(({ parentPath, name }) => relative(renderer, join(parentPath, name)).replaceAll('\\', '/'))
const builtDigests = Object.fromEntries(
  built.map((path) => [
    path,
    createHash('sha256')
      .update(readFileSync(join(renderer, path)))
      .digest('hex')
  ])
)

/** The same files as a page gets them from its host. */
async function digestsOf(page: Page): Promise<Record<string, string>> {
  const got = await page.evaluate(async (paths) => {
    const digest = async (path: string): Promise<[string, string]> => {
      const bytes = await (await fetch(new URL(path, location.origin))).arrayBuffer()
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
      return [path, [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')]
    }
    return await Promise.all(paths.map(digest))
  }, built)
  return Object.fromEntries(got)
}

for (const kind of ['stand-in', 'Electron'] as const) {
  const test = base.extend<{ startApp: StartApp }>({
    startApp: async ({ browser }, use, info) => {
      const apps: DesktopApp[] = []
      await use(async (...args) => {
        const home = info.outputPath('home')
        const folders = { PLAYHEAD_STATE_DIR: info.outputPath('state'), PLAYHEAD_CACHE_DIR: info.outputPath('cache') }
        // No sessions but its own.
        const env = { ...folders, HOME: home, USERPROFILE: home }
        const options = { root, args, env, profile: info.outputPath('profile') }
        const app =
          kind === 'stand-in' ? await startDouble(browser, options) : await startElectron(executablePath ?? '', options)
        apps.push(app)
        return app
      })
      for (const app of apps) await app.close()
    }
  })

  test.describe(`the app on ${kind === 'Electron' ? 'Electron' : 'the stand-in for Electron'}`, () => {
    test.beforeEach(() => test.skip(kind === 'Electron' && noElectron !== null, noElectron ?? ''))

    test('starts on the log of its argument', async ({ startApp }) => {
      const app = await startApp(sample)
      const page = await app.firstWindow()
      await expect(statusBar(page)).toContainText('Indexed')
      await expect(grid(page).getByRole('row').nth(1)).toBeVisible()
      const url = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL())
      expect(url).toBe('playhead://app/')
      expect(await page.evaluate(() => ['require', 'process', 'module'].filter((name) => name in window))).toEqual([])
      expect(await page.evaluate(() => Object.keys(window.playheadFiles ?? {}))).toEqual(['pathOf'])
    })

    test('without a log shows the library', async ({ startApp }) => {
      const app = await startApp()
      const page = await app.firstWindow()
      await page.getByRole('button', { name: 'Open the sample log' }).click()
      await expect(statusBar(page)).toContainText('Indexed')
    })

    test('a second start shows its log in the first and ends', async ({ startApp }) => {
      const app = await startApp()
      const page = await app.firstWindow()
      await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      expect(await app.startAgain([sample])).toBe(0)
      await expect(page).toHaveTitle(/sample-run\.jsonl/)
      await expect(statusBar(page)).toContainText('Indexed')
      expect(app.windows()).toHaveLength(1)
    })

    test('a file that the system names is opened', async ({ startApp }) => {
      const app = await startApp()
      const page = await app.firstWindow()
      await app.evaluate(({ app: own }, path) => void own.emit('open-file', { preventDefault() {} }, path), sample)
      await expect(page).toHaveTitle(/sample-run\.jsonl/)
    })

    test('a file that is dropped on the window is opened where it lies', async ({ startApp }) => {
      const app = await startApp()
      const page = await app.firstWindow()
      await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      app.placeFile(sample)
      // A file that was chosen has its path; then it is dropped.
      await page.evaluate(() => {
        const input = document.createElement('input')
        input.type = 'file'
        document.body.append(input)
      })
      await page.locator('body > input').setInputFiles(sample)
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        for (const file of document.querySelector<HTMLInputElement>('body > input')?.files ?? [])
          dataTransfer.items.add(file)
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      })
      await expect(page).toHaveTitle(/sample-run\.jsonl/)
      await expect(statusBar(page)).toContainText('Indexed')
    })

    test('a folder that is dropped opens its session with the logs of its subagents', async ({ startApp }) => {
      test.skip(kind === 'Electron', 'a folder can be put into a drop by the stand-in only')
      const app = await startApp()
      const page = await app.firstWindow()
      await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      const folder = join(root, 'test/fixtures/session-with-subagents')
      app.placeFile(folder)
      // A browser has a folder among the files of a drop, too.
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([], 'session-with-subagents'))
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      })
      await expect(statusBar(page)).toContainText('Indexed')
      await expect(slider(page)).toHaveAttribute('aria-valuemax', '18')
    })

    test('a folder is chosen in the dialog of the system', async ({ startApp }) => {
      const app = await startApp()
      const page = await app.firstWindow()
      await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      const folder = join(root, 'test/fixtures/session-with-subagents')
      await app.evaluate(({ dialog }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
      }, folder)
      await page.getByRole('button', { name: 'Open a log' }).first().click()
      await page.getByRole('button', { name: 'Choose folder…' }).click()
      await expect(slider(page)).toHaveAttribute('aria-valuemax', '18')
    })

    test('menus do what keys do', async ({ startApp }) => {
      const app = await startApp(sample)
      const page = await app.firstWindow()
      await expect(statusBar(page)).toContainText('Indexed')
      const before = await seqOf(page)
      await choose(app, 'Next event')
      await expect.poll(() => seqOf(page)).toBe(before + 1)
      await choose(app, 'Last event')
      await expect.poll(() => seqOf(page)).toBe(Number(await slider(page).getAttribute('aria-valuemax')))
      await choose(app, 'Log issues')
      await expect(page.getByRole('button', { name: /^Log issues/ })).toHaveAttribute('aria-pressed', 'true')
      await page.keyboard.press('I')
      await expect(page.getByRole('button', { name: /^Log issues/ })).toHaveAttribute('aria-pressed', 'false')
      await choose(app, 'Keyboard shortcuts')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await choose(app, 'Go to')
      await expect(page.getByRole('dialog', { name: 'Go to' })).toBeVisible()
    })

    test('the menu opens logs with the dialog of the system, and those that were open before', async ({ startApp }) => {
      const other = base.info().outputPath('other.jsonl')
      copyFileSync(sample, other)
      const app = await startApp()
      const page = await app.firstWindow()
      await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      await app.evaluate(({ dialog }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
      }, other)
      await choose(app, 'Open a log…')
      await expect(page).toHaveTitle(/other\.jsonl/)
      await expect.poll(() => labelsOf(app)).toContain(other)
      await page
        .getByRole('button', { name: /^Close/ })
        .first()
        .click()
      await expect(page.getByRole('region', { name: 'Recent' })).toContainText('other.jsonl')
      await choose(app, other)
      await expect(page).toHaveTitle(/other\.jsonl/)
      await page
        .getByRole('button', { name: /^Close/ })
        .first()
        .click()
      await choose(app, '&Clear')
      await expect(page.getByRole('region', { name: 'Recent' })).toHaveCount(0)
      expect(await labelsOf(app)).not.toContain(other)
    })

    test('an export goes where the dialog of the system says', async ({ startApp }) => {
      const app = await startApp(sample)
      const page = await app.firstWindow()
      await expect(statusBar(page)).toContainText('Indexed')
      const target = base.info().outputPath('exported.jsonl')
      await app.evaluate(({ dialog }) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: '' })
      })
      await choose(app, 'Export')
      const asked = page.getByRole('dialog', { name: 'Export' })
      await asked.getByRole('button', { name: 'Export' }).click()
      // Who cancels there is where they were.
      await expect(asked.getByRole('button', { name: 'Export' })).toBeEnabled()
      await expect(asked).not.toContainText('Saved')
      await app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
      }, target)
      await asked.getByRole('button', { name: 'Export' }).click()
      await expect(asked).toContainText(`Saved ${target}.`)
      const lines = readFileSync(target, 'utf8').trimEnd().split('\n')
      expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toContain('todo_list')
    })

    test('the policy of the page refuses a script that was put into it', async ({ startApp }) => {
      const app = await startApp()
      const page = await app.firstWindow()
      await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      const refused = await page.evaluate(async () => {
        const blocked: string[] = []
        document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective))
        const errors: string[] = []
        const isTold = async (directive: string): Promise<void> => {
          while (!blocked.includes(directive)) await new Promise((resolve) => setTimeout(resolve, 20))
        }
        const attempt = (run: () => unknown): void => {
          try {
            run()
            errors.push('none')
          } catch (error) {
            errors.push(error instanceof TypeError ? 'TypeError' : String(error))
          }
        }
        // Where a text would become HTML, a script, or the address of one.
        const box = document.createElement('div')
        const script = document.createElement('script')
        attempt(() => (box.innerHTML = '<img src=x onerror="window.injected = true">'))
        attempt(() => box.insertAdjacentHTML('beforeend', '<b>text</b>'))
        attempt(() => document.write('<b>text</b>'))
        attempt(() => new DOMParser().parseFromString('<b>text</b>', 'text/html'))
        attempt(() => (script.textContent = 'window.injected = true'))
        attempt(() => (script.src = 'https://example.org/a.js'))
        attempt(() => new Worker('/assets/a.js'))
        attempt(() => box.setAttribute('onclick', 'window.injected = true'))
        attempt(() => Reflect.get(window, 'trustedTypes').createPolicy('any', {}))
        await isTold('require-trusted-types-for')
        await isTold('trusted-types')
        // What needs no text.
        const inline = document.createElement('script')
        inline.append('window.injected = true')
        const styled = document.createElement('p')
        styled.setAttribute('style', 'color: red')
        const image = document.createElement('img')
        image.src = 'https://example.org/a.png'
        document.body.append(inline, styled, image)
        await fetch('https://example.org/').catch(() => {})
        for (const directive of ['style-src-attr', 'img-src', 'connect-src']) await isTold(directive)
        return { errors, inBox: box.childNodes.length, injected: 'injected' in window }
      })
      expect(refused).toEqual({ errors: Array(9).fill('TypeError'), inBox: 0, injected: false })
    })

    test('the page leads nowhere: navigation, frames, new windows and downloads are denied', async ({ startApp }) => {
      const app = await startApp(sample)
      const page = await app.firstWindow()
      await expect(statusBar(page)).toContainText('Indexed')
      const asked = await dialogAnswers(app, [1])
      const url = page.url()
      await page.evaluate(() => {
        location.href = 'https://example.org/'
      })
      await page.evaluate(() => {
        const frame = document.createElement('iframe')
        frame.src = 'https://example.org/frame'
        document.body.append(frame)
      })
      await page.evaluate(() => {
        const link = document.createElement('a')
        link.href = 'https://example.org/window'
        link.target = '_blank'
        link.rel = 'noopener'
        document.body.append(link)
        link.click()
      })
      await expect.poll(asked).toEqual(['Open this address in the browser? https://example.org/window'])
      await page.evaluate(() => {
        const link = document.createElement('a')
        link.href = URL.createObjectURL(new Blob(['x']))
        link.download = 'x.txt'
        link.click()
      })
      await page.keyboard.press('End')
      await expect.poll(() => seqOf(page)).toBe(Number(await slider(page).getAttribute('aria-valuemax')))
      expect([page.url(), app.windows().length]).toEqual([url, 1])
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
    })

    test('a link opens a log at an event, if the person agrees, and the app copies the same link', async ({
      startApp
    }) => {
      const app = await startApp()
      const page = await app.firstWindow()
      await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      const asked = await dialogAnswers(app, [1, 0])
      const query = 'seq:<50 -issue:violation'
      const link = `playhead://open?path=${encodeURIComponent(sample)}&seq=7&where=${encodeURIComponent(query)}`
      expect(await app.startAgain([link])).toBe(0)
      await expect.poll(asked).toHaveLength(1)
      await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      expect(await app.startAgain([link])).toBe(0)
      await expect(page).toHaveTitle(/sample-run\.jsonl/)
      await expect.poll(() => seqOf(page)).toBe(7)
      expect(await asked()).toEqual(
        Array(2).fill(`A link asks to open this log ${sample}\n\nIt shows the rows of: ${query}`)
      )
      await expect(page.getByRole('combobox', { name: 'Filter' })).toHaveValue(query)
      // What the system's clipboard holds is nobody's business here.
      const copied = await page.evaluateHandle(() => {
        const texts: string[] = []
        navigator.clipboard.writeText = async (text) => void texts.push(text)
        return texts
      })
      await page.keyboard.press('y')
      await expect.poll(() => copied.jsonValue()).toEqual([link])
    })

    test('a log whose thread dies says so and opens again', async ({ startApp }) => {
      const other = base.info().outputPath('other.jsonl')
      copyFileSync(sample, other)
      const app = await startApp(sample)
      const page = await app.firstWindow()
      await expect(statusBar(page)).toContainText('Indexed')
      // That of the library has started.
      await expect(page.getByRole('button', { name: 'Library' })).toBeVisible()
      // Threads that start from now on can be ended from here.
      await app.evaluate(() => {
        const threads = process.getBuiltinModule('node:worker_threads')
        const { Worker } = threads
        threads.Worker = class extends Worker {
          constructor(...args: ConstructorParameters<typeof Worker>) {
            super(...args)
            Reflect.set(process, 'lastThread', this)
          }
        }
        process.getBuiltinModule('node:module').syncBuiltinESMExports()
      })
      await app.evaluate(({ app: own }, path) => void own.emit('open-file', { preventDefault() {} }, path), other)
      await expect(page).toHaveTitle(/other\.jsonl/)
      await expect(statusBar(page)).toContainText('Indexed')
      await page.keyboard.press('End')
      await expect.poll(() => seqOf(page)).toBeGreaterThan(0)
      const last = await seqOf(page)
      await app.evaluate(() => (Reflect.get(process, 'lastThread') as { terminate(): Promise<number> }).terminate())
      await expect(page.getByRole('alert')).toContainText('Playhead failed to read this log')
      await page.getByRole('button', { name: 'Open again' }).click()
      await expect(page.getByRole('alert')).toHaveCount(0)
      await expect(page).toHaveTitle(/other\.jsonl/)
      await expect.poll(() => seqOf(page)).toBe(last)
      await page.reload()
      await expect(statusBar(page)).toContainText('Indexed')
      await expect(page).toHaveTitle(/other\.jsonl/)
    })

    test('a page that crashed is offered again, with its logs', async ({ startApp }) => {
      const app = await startApp(sample)
      await expect(statusBar(await app.firstWindow())).toContainText('Indexed')
      const asked = await dialogAnswers(app, [0])
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer())
      await expect.poll(asked).toEqual([expect.stringContaining('The Playhead window has crashed')])
      const titleNow = () =>
        app.evaluate(async ({ BrowserWindow }) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents
          return (await contents?.executeJavaScript('document.title').catch(() => null)) as unknown
        })
      await expect.poll(titleNow).toBe('sample-run.jsonl · Playhead')
    })

    test('the window is where it was the last time', async ({ startApp }) => {
      const bounds = { x: 60, y: 40, width: 1200, height: 720 }
      const first = await startApp()
      await expect((await first.firstWindow()).getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      await first.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds)
      await first.close()
      const second = await startApp()
      await expect((await second.firstWindow()).getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      const now = () => second.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds())
      await expect.poll(now).toEqual(bounds)
    })

    test('the next start shows the same event of the same log, unless it is for another log', async ({
      startApp
    }, info) => {
      const first = await startApp(sample)
      const before = await first.firstWindow()
      await expect(statusBar(before)).toContainText('Indexed')
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await before.keyboard.press(key)
      await expect.poll(() => before.evaluate(() => localStorage.getItem('playhead.place'))).toContain('seq=3')
      await first.close()
      const second = await startApp()
      await expect(slider(await second.firstWindow())).toHaveAttribute('aria-valuenow', '3')
      await second.close()
      const other = info.outputPath('other.jsonl')
      copyFileSync(sample, other)
      const third = await (await startApp(other)).firstWindow()
      await expect(statusBar(third)).toContainText('Indexed')
      await expect(slider(third)).toHaveAttribute('aria-valuenow', '0')
      await expect(third).toHaveTitle('other.jsonl · Playhead')
    })

    test('a run that ends while nobody looks is said, and a click shows it', async ({ startApp }) => {
      const file = base.info().outputPath('live.jsonl')
      copyFileSync(sample, file)
      const app = await startApp(file)
      const page = await app.firstWindow()
      await expect(statusBar(page)).toContainText('Indexed')
      test.skip(app.kind === 'Electron', 'the system shows notifications, and a test cannot click them')
      expect(await app.startAgain([sample])).toBe(0)
      await expect(page).toHaveTitle(/sample-run\.jsonl/)
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.blur())
      appendFileSync(
        file,
        `${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Over' })}\n`
      )
      const said = () =>
        app.evaluate(({ Notification }) =>
          (Reflect.get(Notification, 'shown') as { title: string }[]).map(({ title }) => title)
        )
      await expect.poll(said).toEqual(['live.jsonl: done'])
      await app.evaluate(({ Notification }) => {
        for (const each of Reflect.get(Notification, 'shown') as NodeJS.EventEmitter[]) each.emit('click')
      })
      await expect(page).toHaveTitle(/live\.jsonl/)
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null)).toBe(true)
    })

    test('closing the window ends the app', async ({ startApp }) => {
      const app = await startApp(sample)
      await expect(statusBar(await app.firstWindow())).toContainText('Indexed')
      await app.evaluate(({ BrowserWindow }) => void setImmediate(() => BrowserWindow.getAllWindows()[0]?.close()))
      expect(await app.exited()).toBe(0)
    })

    test('its page is that of the browser host, byte for byte', async ({ startApp, serve, page: served }) => {
      const app = await startApp()
      const page = await app.firstWindow()
      await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
      await served.goto(await serve())
      expect(await digestsOf(page)).toEqual(builtDigests)
      expect(await digestsOf(served)).toEqual(builtDigests)
    })

    test('what only Electron can show: its scheme, and a page in a process and a sandbox of its own', async ({
      startApp
    }) => {
      test.skip(kind === 'stand-in', 'the stand-in has no sandbox, no scheme playhead: and no processes for pages')
      const app = await startApp(sample)
      const page = await app.firstWindow()
      expect(page.url()).toBe('playhead://app/')
      const [pagePid, mainPid] = await app.evaluate(({ BrowserWindow }) => [
        BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
        process.pid
      ])
      expect(pagePid).not.toBe(mainPid)
      const preferences = await app.evaluate(({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        // Not in Electron's types, but the one place where it says what is in force.
        const read: unknown = contents === undefined ? undefined : Reflect.get(contents, 'getLastWebPreferences')
        return typeof read === 'function' ? (read.call(contents) as object) : {}
      })
      const hardened = { sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true }
      expect(preferences).toMatchObject(hardened)
    })
  })
}

base('a window of the browser host in app mode shows the same page', async ({ serve }, info) => {
  const xvfb = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'Xvfb'))
    .find((path) => existsSync(path))
  base.skip(xvfb === undefined, 'no Xvfb here: a window needs a display')
  const display = spawn(xvfb ?? '', ['-displayfd', '1', '-screen', '0', '1440x900x24'], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  try {
    const [number] = (await once(display.stdout, 'data')) as [Buffer]
    const url = await serve(sample)
    const { executablePath: browserPath, args } = info.project.use.launchOptions ?? {}
    const context = await chromium.launchPersistentContext(info.outputPath('browser'), {
      headless: false,
      viewport: null,
      ...(browserPath === undefined ? {} : { executablePath: browserPath }),
      args: [...(args ?? []), `--app=${url}`],
      env: { ...process.env, DISPLAY: `:${number.toString().trim()}` }
    })
    const [page] = context.pages()
    if (!page) throw new Error('there is no window')
    await expect(statusBar(page)).toContainText('Indexed')
    expect(await page.evaluate(() => matchMedia('(display-mode: standalone)').matches)).toBe(true)
    expect(await digestsOf(page)).toEqual(builtDigests)
    await context.close()
  } finally {
    display.kill()
  }
})
