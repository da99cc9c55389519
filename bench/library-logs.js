import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bin/prepare.js'
import { folder, mixedLog, sizes } from './logs.js'

const corpus = join(root, '..', 'shared', 'corpus')
const longest = 12 << 20
const uuid = /([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/gi

/** A folder of many logs, as a person's: those of the corpus again and again, each time with ids of their own; without it, pieces of a made one. */
export function libraryFolder(mb = sizes.gigabyteMb) {
  const library = join(folder, `library-${mb}mb`)
  if (existsSync(library)) return library
  const partial = `${library}.partial`
  rmSync(partial, { recursive: true, force: true })
  const seeds = existsSync(corpus) ? realLogs() : madeLogs()
  for (let copy = 0, bytes = 0; bytes < mb << 20; copy++) {
    const at = join(partial, `${copy}`)
    mkdirSync(at, { recursive: true })
    const own = (_, first, rest) =>
      ((Number.parseInt(first, 16) ^ (copy * 0x9e3779b1)) >>> 0).toString(16).padStart(8, '0') + rest
    for (const [i, { name, text }] of seeds.entries()) {
      writeFileSync(join(at, `${i}-${name}`), text.replaceAll(uuid, own), 'latin1')
      bytes += text.length
    }
  }
  renameSync(partial, library)
  return library
}

/** The logs of such a folder, in no order. */
export function logsOf(library) {
  return readdirSync(library, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: statSync(path).size }))
}

function realLogs() {
  return readdirSync(corpus, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jsonl?|zst)$/.test(entry.name))
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'latin1') }))
    .filter(({ text }) => text.length < longest)
}

function madeLogs() {
  const text = readFileSync(mixedLog(), 'latin1')
  const logs = []
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from + (1 << 18)) + 1 || text.length
    logs.push({ name: 'log.jsonl', text: text.slice(from, end) })
    from = end
  }
  return logs
}
