import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bin/prepare.js'

/** Logs of people, which are not part of the repository; the corpus tests read the same folder. */
export const corpus = join(root, '..', 'shared', 'corpus')
export const hasCorpus = existsSync(corpus)

/** Ids as agents write them: replaced ones keep their length, so a copy has the same shape as its model. */
const ids =
  /\b[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)|\b(?:toolu|msg|req|call|fc|rs|item)_[A-Za-z0-9]{8,}/g

/** The same id in each place of a copy, another one in each copy. */
const freshId = (id, copy) => {
  const digits = copy.toString(16).padStart(4, '0')
  return id.includes('_') ? id.slice(0, -4) + digits : digits + id.slice(4)
}

/**
 * Writes a log of at least `bytes` bytes and `lines` lines: all sessions of one format of the corpus, one after the other, again and again with
 * fresh ids. Sessions that were generated for tests are left out: their lines have lengths that no agent writes. So are lines longer than `longest`.
 */
export function makeRealLog(path, format, { bytes = 0, lines = 0, longest = Infinity }) {
  const folder = join(corpus, format)
  const models = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((model) => model.filter((line) => line.length <= longest))
  appendFileSync(path, '')
  let written = 0
  let linesWritten = 0
  const isEnough = () => written >= bytes && linesWritten >= lines
  for (let copy = 0; !isEnough(); copy++) {
    for (const model of models) {
      const text = model.join('\n')
      const whole = Buffer.from(`${copy === 0 ? text : text.replaceAll(ids, (id) => freshId(id, copy))}\n`)
      appendFileSync(path, whole)
      written += whole.length
      linesWritten += model.length
      if (isEnough()) break
    }
  }
}
