import { describe, expect, test } from 'vitest'
import { logFormats } from '#core/formats/registry.ts'
import { isJsonObject, type JsonValue } from '#core/json.ts'
import { readCard } from '#core/library/read-card.ts'
import { namesInFolder } from '#core/paths/path-names.ts'
import { file, playhead } from '../command-line.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { openLog } from './read-log.ts'
import { counterOf } from './session-counts.ts'

/** A session in a folder of Windows has the same files inside as the same session in a folder of another system, in every format. */

const windows = String.raw`C:\Users\Ada\tide`

/** The log with all JSON written anew, and its folder and the paths below it in all texts as `to` writes them. */
function moved(bytes: Uint8Array, folder: string, to: string): Uint8Array {
  const { framing } = openLog(bytes)
  const text = new TextDecoder().decode(bytes)
  const within = new RegExp(
    String.raw`(?<![\w/.-])${folder.replaceAll('.', '\\.')}((?:/[\w.@+ -]*[\w@+-])*)(?![\w-])`,
    'g'
  )
  const inText = (one: string): string => {
    const inner = /^\s*[{[]/.test(one) ? parsed(one) : undefined
    if (inner !== undefined) return JSON.stringify(inValue(inner))
    if (to === folder) return one
    // In an address, a folder of Windows follows a slash, and has slashes.
    return one
      .replaceAll(`file://${folder}`, `file:///${to.replaceAll('\\', '/')}`)
      .replace(within, (_, below: string) => to + below.replaceAll('/', '\\'))
  }
  const inValue = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return inText(value)
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map(inValue)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [inText(name), inValue(member ?? null)]))
  }
  const inLine = (line: string): string => {
    const value = parsed(line)
    return value === undefined ? line : JSON.stringify(inValue(value))
  }
  return new TextEncoder().encode(framing === 'document' ? inLine(text) : text.split('\n').map(inLine).join('\n'))
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

const cardOf = (bytes: Uint8Array) =>
  readCard({ ...openLog(bytes), path: '/log', head: bytes, tail: null, companion: null })

/** The folder that the session states; null: none, or one of Windows. */
function folderOf(bytes: Uint8Array): string | null {
  const { project } = cardOf(bytes)
  return project?.startsWith('/') === true && project.length > 1 ? project : null
}

async function told(name: string, bytes: Uint8Array, folder: string) {
  const log = openLog(bytes)
  const at = file(name, Buffer.from(bytes))
  const within = (path: string): string | null => namesInFolder(path, folder)?.join('/') ?? null
  const { out } = await playhead('files', at, '--json')
  const files = out
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Readonly<Record<string, unknown>>]))
    .map(({ path, ...of }) => ({ ...of, name: within(String(path)) }))
  const project = cardOf(bytes).project ?? ''
  const counter = counterOf(log)
  return {
    files,
    patch: (await playhead('patch', at)).out,
    project: within(project) ?? project,
    changed: [...counter.changedFiles].map(within),
    counts: { ...counter.counts, outputBytes: null }
  }
}

const formats = logFormats.flatMap(({ id }) => {
  const logs = allFixtures().flatMap((fixture) => {
    if (fixture.formatId !== id) return []
    const bytes = bytesOfFixture(fixture)
    const folder = folderOf(bytes)
    return folder === null ? [] : [{ name: fixture.name, bytes, folder }]
  })
  if (id !== null && logs.length === 0) console.warn(`windows-folders.test.ts: no fixture of ${id} states a folder`)
  return id === null || logs.length === 0 ? [] : [{ id, logs }]
})

test('most formats state a folder', () => {
  expect(formats.length).toBeGreaterThan(logFormats.length / 2)
})

describe.each(formats)('$id', ({ id, logs }) => {
  test.each(logs)('$name', async ({ name, bytes, folder }) => {
    const posix = await told(`${id}-${name}`, moved(bytes, folder, folder), folder)
    expect(await told(`${id}-${name}-windows`, moved(bytes, folder, windows), windows)).toEqual(posix)
  })
})
