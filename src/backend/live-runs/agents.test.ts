import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative as relativePath } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Agents } from './agents.ts'
import { findProgram, programPlaces } from './find-program.ts'
import { processStart } from './process-start.ts'
import { ProgramVersions } from './program-version.ts'

let folder = ''
let bin = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'playhead agents ')))
  bin = join(folder, 'bin')
  mkdirSync(bin)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, script: string, mode = 0o755): string {
  const file = join(bin, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, mode)
  return file
}

/** Nothing but what a test puts there is found. */
function agents(versions = new ProgramVersions()): Agents {
  return new Agents({
    state: join(folder, 'state'),
    variables: { PATH: bin, HOME: folder },
    platform: 'linux',
    versions
  })
}

const one = async (from: Agents, name: string) => (await from.list()).find(({ agent }) => agent === name)

describe('an agent', () => {
  test('is found on PATH, with the version it states', async () => {
    const command = program('claude', 'echo "2.1.330 (Claude Code)"')
    expect(await one(agents(), 'claude')).toMatchObject({
      title: 'Claude Code',
      program: 'claude',
      chosen: null,
      command,
      version: '2.1.330',
      problem: null
    })
  })

  test('has modes of which the first is not dangerous, and each dangerous one is marked', async () => {
    const all = await agents().list()
    expect(all.map(({ modes }) => modes[0]?.dangerous)).toEqual([false, false, false])
    const marked = all.map(({ modes }) => modes.filter(({ dangerous }) => dangerous).map(({ id }) => id))
    expect(marked).toEqual([['bypassPermissions'], ['danger-full-access'], ['yolo']])
  })

  test('that is not installed says so, with the line that installs it', async () => {
    expect(await one(agents(), 'codex')).toMatchObject({
      command: null,
      version: null,
      problem:
        'Codex is not installed: codex was not found on PATH. Install it with "npm install -g @openai/codex", or set its path.',
      install: 'npm install -g @openai/codex'
    })
  })

  test('is none where a folder, or a file that may not be run, has its name', async () => {
    mkdirSync(join(bin, 'codex'))
    program('claude', 'echo 1.2.3', 0o644)
    const found = await agents().list()
    expect(found.map(({ command }) => command)).toEqual([null, null, null])
  })

  test('is the one a person set, by path or by name, also for the next one who asks', async () => {
    const mine = program('my claude', 'echo 9.8.7')
    expect(await agents().setCommand('claude', mine)).toMatchObject({ chosen: mine, command: mine, version: '9.8.7' })
    expect(await one(agents(), 'claude')).toMatchObject({ chosen: mine, command: mine, version: '9.8.7' })
    const next = program('next', 'echo 1.0.0')
    expect(await agents().setCommand('claude', 'next')).toMatchObject({ chosen: 'next', command: next })
    expect(await agents().setCommand('claude', null)).toMatchObject({ chosen: null, command: null })
  })

  test('that a person set says what is wrong with the path', async () => {
    const some = agents()
    const problem = async (path: string) => (await some.setCommand('gemini', path)).problem
    expect(await problem(join(folder, 'nowhere'))).toBe(
      `The command for Gemini CLI, ${join(folder, 'nowhere')}, does not exist. Set another command, or clear it.`
    )
    expect(await problem(bin)).toMatch(/is a folder/)
    expect(await problem(program('plain', 'echo', 0o644))).toMatch(/is not executable/)
    expect(await problem('no-such-name')).toMatch(/^The command for Gemini CLI, no-such-name, was not found on PATH/)
  })

  test('set at the same time as others is kept beside them', async () => {
    const some = agents()
    await Promise.all([some.setCommand('claude', 'a'), some.setCommand('codex', 'b'), some.setCommand('gemini', 'c')])
    const kept = JSON.parse(readFileSync(join(folder, 'state', 'agents.json'), 'utf8')) as unknown
    expect(kept).toEqual({ version: 1, commands: { claude: 'a', codex: 'b', gemini: 'c' } })
  })

  test('is found by its own name where what was set cannot be read', async () => {
    const command = program('claude', 'echo 1.2.3')
    mkdirSync(join(folder, 'state'))
    writeFileSync(join(folder, 'state', 'agents.json'), '{"version":1,"commands":{"claude":7}}')
    expect(await one(agents(), 'claude')).toMatchObject({ command, chosen: null })
  })

  test('is found where nvm puts it, of its newest Node, though PATH knows nothing of it', async () => {
    const versions = ['v9.9.9', 'v20.1.0', 'v18.0.0'].map((version) =>
      join(folder, '.nvm/versions/node', version, 'bin')
    )
    for (const at of versions) {
      mkdirSync(at, { recursive: true })
      writeFileSync(join(at, 'codex'), '#!/bin/sh\n', { mode: 0o755 })
    }
    mkdirSync(join(folder, '.nvm/versions/node/system'))
    const places = programPlaces({ PATH: bin }, 'linux', folder)
    expect(findProgram('codex', places)).toBe(join(versions[1] ?? '', 'codex'))
    expect(findProgram('codex', { ...places, folders: [bin] })).toBeNull()
  })

  test('is not looked for in relative folders of PATH, which is said where it is in no other', async () => {
    program('codex', 'exit 0')
    const relative = relativePath(process.cwd(), bin)
    const inPath = async (PATH: string) =>
      await new Agents({ state: folder, variables: { PATH, HOME: folder }, platform: 'linux' }).find('codex')
    expect(await inPath(`${relative}${delimiter}${delimiter}bin`)).toMatchObject({
      command: null,
      problem: expect.stringContaining(
        ` Playhead ignores relative folders (${relative}, bin) on PATH. Write paths in full.`
      )
    })
    expect((await inPath('tools')).problem).toContain(' Playhead ignores the relative folder tools on PATH.')
    // An empty entry means the current folder as well; many have one, and nobody means it.
    expect((await inPath(delimiter)).problem).not.toContain('relative')
    expect(await inPath(`tools${delimiter}${bin}`)).toMatchObject({ command: join(bin, 'codex'), problem: null })
  })

  test('on Windows is a program, and no command file', async () => {
    writeFileSync(join(bin, 'claude.cmd'), '')
    chmodSync(join(bin, 'claude.cmd'), 0o755)
    const variables = { Path: bin, PATHEXT: '.EXE;.CMD' }
    const places = programPlaces(variables, 'win32', folder)
    expect(findProgram('claude', places)).toBe(join(bin, 'claude.cmd'))
    const windows = new Agents({ state: folder, variables, platform: 'win32' })
    expect(await windows.find('claude')).toMatchObject({
      command: null,
      problem: expect.stringMatching(/batch file/)
    })
    writeFileSync(join(bin, 'claude.exe'), '')
    chmodSync(join(bin, 'claude.exe'), 0o755)
    expect(findProgram('claude', places)).toBe(join(bin, 'claude.exe'))
  })

  test('gets the folder of its program behind PATH, where the interpreter of its script may lie', () => {
    expect(agents().environment('/opt/x/claude')['PATH']).toBe(`${bin}${delimiter}/opt/x`)
  })
})

describe('the version of a program', () => {
  const ask = async (versions: ProgramVersions, file: string) =>
    await versions.of(file, ['--version'], { PATH: process.env['PATH'] })

  test('is asked for once, until the file is another one', async () => {
    const versions = new ProgramVersions()
    const file = program('a', `echo x >> '${folder}/asked'; echo "tool 1.2.3-beta.4 (x)"`)
    expect([await ask(versions, file), await ask(versions, file)]).toEqual(['1.2.3-beta.4', '1.2.3-beta.4'])
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('x\n')
    program('a', 'echo 2.0.0')
    expect(await ask(versions, file)).toBe('2.0.0')
  })

  test('is that of the file behind a link, also where its time is that of the file before', async () => {
    const versions = new ProgramVersions()
    const then = new Date(499_162_500_000)
    for (const [name, version] of [
      ['one', '1.0.0'],
      ['two', '2.0.0']
    ] as const) {
      utimesSync(program(name, `echo ${version}`), then, then)
    }
    const link = join(folder, 'link')
    symlinkSync(join(bin, 'one'), link)
    expect(await ask(versions, link)).toBe('1.0.0')
    rmSync(link)
    symlinkSync(join(bin, 'two'), link)
    expect(await ask(versions, link)).toBe('2.0.0')
  })

  test.each([
    ['prints something else', 'echo "usage: x [options]"; echo 1.2'],
    ['prints for ever', 'while :; do echo 0123456789abcdef0123456789abcdef; done'],
    ['fails', 'exit 3'],
    ['says it on standard error', 'echo 1.2.3 >&2']
  ])('is not known where the program %s', async (_what, script) => {
    expect(await ask(new ProgramVersions(), program('a', script))).toBeNull()
  })

  test('is not known of a file that is none', async () => {
    const text = join(folder, 'text')
    writeFileSync(text, 'no program\n')
    chmodSync(text, 0o755)
    expect(await ask(new ProgramVersions(), join(folder, 'nowhere'))).toBeNull()
    expect(await ask(new ProgramVersions(), dirname(text))).toBeNull()
  })

  test('of a program that hangs is given up, and nothing of it goes on', async () => {
    const script = `sleep 1000 & echo $! > '${folder}/child'; echo $$ > '${folder}/own'; wait`
    const versions = new ProgramVersions(1000)
    expect(await ask(versions, program('a', script))).toBeNull()
    for (const name of ['child', 'own']) {
      const pid = Number(readFileSync(join(folder, name), 'utf8'))
      await expect.poll(() => processStart(pid)).toBeNull()
    }
  })

  test('of a program that leaves something behind is told, and that is ended', async () => {
    const script = `sleep 1000 & echo $! > '${folder}/child'; echo 3.2.1`
    expect(await ask(new ProgramVersions(), program('a', script))).toBe('3.2.1')
    const pid = Number(readFileSync(join(folder, 'child'), 'utf8'))
    await expect.poll(() => processStart(pid)).toBeNull()
  })
})
