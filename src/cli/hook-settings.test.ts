import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { installHook, uninstallHook } from './hook-settings.ts'

const root = mkdtempSync(join(tmpdir(), 'playhead-hook-settings-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const command = "/usr/bin/node '/opt/my apps/playhead/bin/playhead.js' hook"
const group = { matcher: '*', hooks: [{ type: 'command', command, timeout: 10 }] }
let count = 0
let folder: string
let file: string

beforeEach(() => {
  folder = join(root, String(count++))
  file = join(folder, '.claude', 'settings.local.json')
})

function given(text: string): string {
  mkdirSync(join(folder, '.claude'), { recursive: true })
  writeFileSync(file, text)
  return text
}
const text = (): string => readFileSync(file, 'utf8')
const settings = (): unknown => JSON.parse(text().replace(/^\ufeff/, ''))
const pretty = (value: unknown, indent: string | number = 2): string => `${JSON.stringify(value, null, indent)}\n`

describe('install', () => {
  test('where there are no settings, makes them', async () => {
    expect(await installHook(file, command)).toEqual({ did: 'added', backup: null })
    expect(text()).toBe(pretty({ hooks: { PostToolUse: [group] } }))
    expect(readdirSync(join(folder, '.claude'))).toEqual(['settings.local.json'])
  })

  test('twice is once', async () => {
    await installHook(file, command)
    const once = text()
    expect(await installHook(file, command)).toEqual({ did: 'nothing', backup: null })
    expect(text()).toBe(once)
  })

  test('a command of another place is brought up to date, where it stands', async () => {
    const others = { matcher: 'Edit', hooks: [{ type: 'command', command: 'prettier --write' }] }
    const old = { ...group, hooks: [{ type: 'command', command: '/old/playhead hook', timeout: 3 }] }
    given(pretty({ hooks: { PostToolUse: [old, others] } }))
    expect((await installHook(file, command)).did).toBe('updated')
    const updated = { ...group, hooks: [{ type: 'command', command, timeout: 3 }] }
    expect(text()).toBe(pretty({ hooks: { PostToolUse: [updated, others] } }))
  })

  test('keeps order, spaces, numbers and names that are there twice, and what it was is kept beside it', async () => {
    const before = given(
      '{\r\n\t"b": 1.0e+2,\r\n\t"a":[1,  2],\r\n\t"a": 12345678901234567890,\r\n\t"hooks" : {\r\n\t\t"Stop": [ ]\r\n\t}\r\n}\r\n'
    )
    const { did, backup } = await installHook(file, command)
    expect([did, backup]).toEqual(['added', `${file}.playhead-backup`])
    expect(readFileSync(`${file}.playhead-backup`, 'utf8')).toBe(before)
    const inserted = JSON.stringify([group], null, '\t').replaceAll('\n', '\r\n\t\t')
    expect(text()).toBe(before.replace('[ ]\r\n', `[ ],\r\n\t\t"PostToolUse": ${inserted}\r\n`))
  })

  test('stands behind the hooks of others', async () => {
    const others = [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'a' }] }]
    given(pretty({ model: 'm', hooks: { PreToolUse: [], PostToolUse: others } }, 4))
    await installHook(file, command)
    expect(text()).toBe(pretty({ model: 'm', hooks: { PreToolUse: [], PostToolUse: [...others, group] } }, 4))
  })

  test('one line stays one line; a mark before the text stays', async () => {
    given('\ufeff{"model":"m","hooks":{"PostToolUse":[{"hooks":[]}]}}')
    await installHook(file, command)
    expect(text()).toBe(`\ufeff{"model":"m","hooks":{"PostToolUse":[{"hooks":[]}, ${JSON.stringify(group)}]}}`)
  })

  test('an empty file is none', async () => {
    given(' \n')
    await installHook(file, command)
    expect(settings()).toEqual({ hooks: { PostToolUse: [group] } })
  })

  test.each([
    ['{ // comment\n}', 'is not JSON'],
    ['{"hooks": ', 'is not JSON'],
    ['[]', 'does not contain an object'],
    ['"text"', 'does not contain an object'],
    ['{"hooks": []}', 'has "hooks" that is not an object'],
    ['{"hooks": {"PostToolUse": {}}}', 'has "PostToolUse" that is not a list']
  ])('refuses %s and leaves it alone', async (before, what) => {
    given(before)
    for (const change of [() => installHook(file, command), () => uninstallHook(file)])
      await expect(change()).rejects.toThrow(
        expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(`${file} ${what}`) })
      )
    expect(text()).toBe(before)
    expect(readdirSync(join(folder, '.claude'))).toEqual(['settings.local.json'])
  })

  test('what cannot be read or written: says so', async () => {
    mkdirSync(file, { recursive: true })
    await expect(installHook(file, command)).rejects.toThrow(
      `${file} cannot be written: it is a folder. Nothing was changed.`
    )
    expect(readdirSync(file)).toEqual([])
    const plain = join(folder, 'plain')
    writeFileSync(plain, '')
    const below = join(plain, 'settings.json')
    await expect(installHook(below, command)).rejects.toThrow('a part of its path is not a folder')
  })

  test('a link stays a link, the file it leads to keeps its mode', async () => {
    if (process.platform === 'win32') return
    mkdirSync(join(folder, '.claude'), { recursive: true })
    const real = join(folder, 'dotfiles.json')
    writeFileSync(real, pretty({ model: 'm' }))
    chmodSync(real, 0o600)
    symlinkSync('../dotfiles.json', file)
    await installHook(file, command)
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(statSync(real).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ model: 'm', hooks: { PostToolUse: [group] } })
    await uninstallHook(file)
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toBe(pretty({ model: 'm' }))
  })

  test('a link to a file that is not there yet', async () => {
    if (process.platform === 'win32') return
    mkdirSync(join(folder, '.claude'), { recursive: true })
    symlinkSync(join(folder, 'later.json'), file)
    await installHook(file, command)
    expect(existsSync(join(folder, 'later.json'))).toBe(true)
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
  })
})

describe('uninstall', () => {
  test('of what it made alone: no file is left', async () => {
    await installHook(file, command)
    expect(await uninstallHook(file)).toEqual({ did: 'removed-file', backup: null })
    expect(readdirSync(join(folder, '.claude'))).toEqual([])
    expect(await uninstallHook(file)).toEqual({ did: 'nothing', backup: null })
  })

  test.each(['{}\n', '{ }', '{"hooks":{}}', '{"hooks": {"PostToolUse": []}}\n', '', ' \r\n'])(
    'of %j that was there: it is there again',
    async (before) => {
      given(before)
      await installHook(file, command)
      expect((await uninstallHook(file)).did).toBe('removed')
      expect(text()).toBe(before)
    }
  )

  test('keeps what a person changed since, and never brings an older hook back', async () => {
    given('{ }')
    await installHook(file, command)
    writeFileSync(file, text().replace('{', '{"model":"m",'))
    await uninstallHook(file)
    expect(settings()).toEqual({ model: 'm' })
    given('{ }')
    await installHook(file, 'playhead hook')
    expect((await installHook(file, command)).did).toBe('updated')
    await uninstallHook(file)
    expect(settings()).toEqual({})
  })

  test('takes out all of its own entries, also those a person moved, and no other', async () => {
    const mine = { type: 'command', command: 'playhead hook' }
    const other = { type: 'command', command: 'mine && playhead hook' }
    const more = [
      { type: 'command', command: 'echo playhead hook' },
      { type: 'command', command: '/x/not-playhead hook' },
      { type: 'command', command: 'playhead hooks' },
      { type: 'command', command: 'node other.js hook' },
      { type: 'command', command: `${'a'.repeat(5000)} hook!` },
      { type: 'prompt' }
    ]
    given(
      pretty({
        hooks: {
          PostToolUse: [{ matcher: 'Bash', hooks: [mine, other, mine] }, group, { hooks: more }, { hooks: [mine] }],
          PreToolUse: [{ hooks: [mine] }]
        }
      })
    )
    expect((await uninstallHook(file)).did).toBe('removed')
    expect(text()).toBe(
      pretty({
        hooks: {
          PostToolUse: [{ matcher: 'Bash', hooks: [other] }, { hooks: more }],
          PreToolUse: [{ hooks: [mine] }]
        }
      })
    )
  })

  test.each([
    'playhead hook',
    '/usr/local/bin/playhead hook',
    '/usr/bin/node /opt/playhead/bin/playhead.js hook',
    "'/usr/my bin/node' '/opt/it'\\''s/bin/playhead.js' hook",
    '"C:\\Program Files\\nodejs\\node.exe" "C:\\apps\\playhead\\bin\\playhead.js" hook',
    'C:/tools/playhead.cmd hook'
  ])('knows its own: %s', async (own) => {
    given(pretty({ model: 'm', hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: own }] }] } }))
    await uninstallHook(file)
    expect(settings()).toEqual({ model: 'm' })
  })

  test('nothing to do: the file is not touched', async () => {
    const before = given('{"model":  "m"}')
    expect(await uninstallHook(file)).toEqual({ did: 'nothing', backup: null })
    expect(text()).toBe(before)
    expect(readdirSync(join(folder, '.claude'))).toEqual(['settings.local.json'])
  })
})

test('whatever stood there before stands there again, to the byte', async () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((key) => key !== 'hooks' && key !== '__proto__')
  const value = fc.jsonValue({ maxDepth: 3 })
  const groups = fc.array(fc.record({ matcher: fc.string(), hooks: fc.array(fc.record({ command: fc.string() })) }), {
    minLength: 1,
    maxLength: 3
  })
  const hooks = fc.oneof(
    fc.constant(undefined),
    fc.constant({}),
    fc.constant({ PostToolUse: [] }),
    fc.record({ Stop: value }),
    fc.record({ PostToolUse: groups }),
    fc.record({ Stop: value, PostToolUse: groups })
  )
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true }),
      hooks,
      fc.constantFrom('', 1, 2, '\t'),
      fc.boolean(),
      async (others, own, indent, isWindows) => {
        const object = own === undefined ? others : { ...others, hooks: own }
        const json = JSON.stringify(object, null, indent)
        const before = given(isWindows ? json.replaceAll('\n', '\r\n') : json)
        await installHook(file, command)
        const after = settings() as { hooks: { PostToolUse: unknown[] } }
        expect(after.hooks.PostToolUse.at(-1)).toEqual(group)
        const { PostToolUse = [] } = (own ?? {}) as { PostToolUse?: unknown[] }
        expect({ ...after, hooks: undefined }).toEqual({ ...(JSON.parse(json) as object), hooks: undefined })
        expect(after.hooks.PostToolUse.slice(0, -1)).toEqual(PostToolUse)
        await uninstallHook(file)
        expect(text()).toBe(before)
      }
    ),
    { numRuns: 150 }
  )
})
