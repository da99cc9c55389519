import { figure } from '../figures.js'
import { mixedLog, sizes } from '../logs.js'
import { has, median, timeProgram, within } from '../processes.js'
import { findOnce, forget, openAsPage, withServer } from '../server.js'

const rounds = 3
/** What is looked for, how `rg` is asked for the same, and how much longer it may take. */
const searches = [
  { name: 'literal, there once', text: '8000-000000012345', args: ['-F'], caseSensitive: true, most: 4 },
  { name: 'literal, on every tenth line', text: 'npm test', args: ['-F'], caseSensitive: true, most: 4 },
  { name: 'literal, any case', text: 'NPM Test', args: ['-i', '-F'], caseSensitive: false },
  { name: 'literal that is not there', text: 'zebra crossing', args: ['-F'], caseSensitive: true, most: 4 },
  { name: 'regular expression', text: 'file-9[0-6]\\.ts', args: [], caseSensitive: true, regex: true }
]

/** Find over an indexed log beside ripgrep on the same file. */
export async function run() {
  if (!(await has('rg'))) throw new Error('rg (ripgrep) is not installed')
  const path = mixedLog(sizes.gigabyteMb)
  forget()
  const { found } = await withServer(async ({ connect }) => {
    const page = await connect()
    const { log } = await openAsPage(page, path)
    const figures = []
    for (const search of searches) figures.push(await searched(page, log, path, search))
    return { found: figures }
  })
  return found
}

async function searched(page, log, path, { name, text, args, regex = false, caseSensitive, most = null }) {
  const theirs = []
  const ours = []
  for (let round = 0; round < rounds; round++) {
    theirs.push((await timeProgram('rg', ['-c', ...args, text, path])).ms)
    ours.push(await within(120, name, findOnce(page, { log, text, regex, caseSensitive })))
  }
  const failed = ours.find(({ error }) => error !== null)
  if (failed !== undefined) throw new Error(failed.error)
  const { ms, hits, firstMs } = median(ours, (one) => one.ms)
  const rgMs = median(theirs)
  const note = `${ms.toFixed(0)} ms, rg ${rgMs.toFixed(0)} ms, ${hits} rows${hits > 0 ? `, the first after ${firstMs.toFixed(0)} ms` : ''}`
  return figure(`${name}, beside rg -c ${args.join(' ')}`, ms / rgMs, 'x', { most, note })
}
