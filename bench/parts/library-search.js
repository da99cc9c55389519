import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { figure } from '../figures.js'
import { libraryFolder, logsOf } from '../library-logs.js'
import { librarySearch } from '../library-program.js'
import { folder } from '../logs.js'
import { has, median, timeProgram } from '../processes.js'

const rounds = 5
/** What is looked for, how `rg` is asked for the same, and how much longer it may take. */
const searches = [
  { name: 'literal that is not there', text: 'zebra crossing', args: ['-F'], caseSensitive: true, most: 1.5 },
  { name: 'literal, there now and then', text: 'parse_chunk', args: ['-F'], caseSensitive: true, most: 1.5 },
  { name: 'literal, in most logs', text: 'README.md', args: ['-F'], caseSensitive: true, most: 1.5 },
  { name: 'literal, any case', text: 'ECONNREFUSED', args: ['-i', '-F'], caseSensitive: false },
  { name: 'regular expression', text: 'file-?[0-9]+\\.ts', args: [], caseSensitive: true, regex: true }
]

/** Search in the logs of a library, beside ripgrep in the same files. */
export async function run() {
  if (!(await has('rg'))) throw new Error('rg (ripgrep) is not installed')
  const library = libraryFolder()
  const logs = logsOf(library)
  const { LibrarySearch, createWorker } = await librarySearch()
  const sessions = logs.map(({ path, bytes }) => ({ card: { id: path, path, bytes }, subagents: [] }))
  const figures = []
  for (const one of searches) figures.push(...(await searched(one)))
  return [...figures, ...(await indexed())]

  async function searched({ name, text, args, caseSensitive, regex = false, most = null }) {
    const theirs = []
    const ours = []
    for (let round = 0; round < rounds; round++) {
      theirs.push((await timeProgram('rg', ['-c', '-uuu', ...args, text, library])).ms)
      ours.push(await searchOnce({ text, regex, caseSensitive }))
    }
    const rg = median(theirs, (ms) => ms)
    const { ms, firstMs, shownMs, hits } = median(ours, (one) => one.ms)
    const note = `${ms.toFixed(0)} ms, rg ${rg.toFixed(0)} ms, ${hits} lines in ${logs.length} logs`
    const figures = [figure(`${name}, beside rg -c ${args.join(' ')}`, ms / rg, 'x', { most, note })]
    if (hits > 0) {
      const others = ours.slice(1).map((one) => one.shownMs.toFixed(0))
      figures.push(
        figure('  its first hit is there, with its text', shownMs, 'ms', {
          most: regex || !caseSensitive ? null : 100,
          note: `told of after ${firstMs.toFixed(0)} ms; from no thread on ${ours[0].shownMs.toFixed(0)} ms, later ${others.join(', ')} ms`
        })
      )
    }
    return figures
  }

  /** What the index of a library costs that is four times as large as this one, or more, and what it saves. */
  async function indexed() {
    const cache = join(folder, 'library-index')
    rmSync(cache, { recursive: true, force: true })
    const scanning = search
    search = new LibrarySearch({
      createWorker,
      cache,
      found: (now) => hear(now),
      problem: () => {},
      patienceMs: 0,
      indexedFromBytes: 0
    })
    const before = process.cpuUsage()
    await search.fill(sessions, new AbortController().signal)
    const { user, system } = process.cpuUsage(before)
    const gigabytes = logs.reduce((sum, log) => sum + log.bytes, 0) / 2 ** 30
    const index = logsOf(cache).reduce((sum, log) => sum + log.bytes, 0) / 2 ** 30
    const query = { text: 'zebra crossing', regex: false, caseSensitive: true }
    const times = { with: [], without: [] }
    for (let round = 0; round < rounds; round++) {
      times.with.push((await searchOnce(query)).ms)
      const own = search
      search = scanning
      times.without.push((await searchOnce(query)).ms)
      search = own
    }
    await search.close()
    rmSync(cache, { recursive: true, force: true })
    const [ms, scanMs] = [median(times.with), median(times.without)]
    return [
      figure('index: its size, of the logs', (100 * index) / gigabytes, '%', { most: 6 }),
      figure('index: made, for each GB of logs', (user + system) / 1e6 / gigabytes, 'CPU s'),
      figure('literal that is not there, with the index beside without', ms / scanMs, 'x', {
        most: 1,
        note: `${ms.toFixed(0)} ms, without ${scanMs.toFixed(0)} ms`
      })
    ]
  }

  /** One search from its call to its end, and until the text of the first hit is there. The first one starts the threads. */
  async function searchOnce(query) {
    const began = performance.now()
    let firstMs = NaN
    let shownMs = NaN
    let showing = null
    return await new Promise((resolve, reject) => {
      search ??= new LibrarySearch({
        createWorker,
        cache: null,
        found: (now) => hear(now),
        problem: reject,
        patienceMs: 0
      })
      const heard = async (progress) => {
        if (progress.hits > 0 && showing === null) {
          firstMs = performance.now() - began
          showing = search.hits({ find: progress.find, from: 0, count: 1, perSession: 1 })
          await showing
          shownMs = performance.now() - began
        }
        if (progress.searching) return
        const ms = performance.now() - began
        await showing
        search.endFind(progress.find)
        resolve({ ms, firstMs, shownMs, hits: progress.hits })
      }
      hear = (progress) => void heard(progress).catch(reject)
      search.find(sessions, { texts: [query], without: [] })
    })
  }
}

let search = null
let hear = () => {}
