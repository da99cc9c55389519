import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { queryKeys } from '../../out/core/query/query-keys.js'
import { blockFigure, figure } from '../figures.js'
import { measureFilter } from '../filter-screen.js'
import { folder, rowsLog } from '../logs.js'
import { cpuMs, jsonOf, least, within } from '../processes.js'
import { withPage } from '../screen.js'
import { findOnce, forget, openAsPage, withServer } from '../server.js'

const rounds = 7
/** Terms that the index answers: no byte of the log is read. One of each key, and some together. */
const columnQueries = [
  'kind:tool',
  'type:tool.started',
  'track:main',
  'model:*sonnet*',
  'tool:Bash',
  'mcp:github',
  'status:error',
  'dur:>10s',
  'gap:>5m',
  'at:14:05..14:10',
  'seq:100000..900000',
  'line:1000..500000',
  'turn:>3',
  'todo:=in_progress',
  'changed:todo',
  'issue:violation',
  'finding:idle',
  'has:error',
  'has:issue',
  'has:todo',
  'has:usage',
  'has:finding',
  'has:bookmark',
  'in:>1k',
  'out:>1k',
  'tokens:>10k',
  'cost:>0.50',
  'ctx:>100k',
  'size:>1kb',
  'agent:claude*',
  'format:claude*',
  'tool:shell dur:>10s',
  'gap:>5m -track:main',
  'todo:=in_progress tool:edit OR has:error',
  'has:issue OR has:usage',
  'ctx:>100k model:*sonnet*',
  'turn:>3 size:>1kb'
]
const asksColumn = ({ cost }) => cost === 'column' || cost === 'interval'
const missing = queryKeys.rows.find(
  (key) => asksColumn(key) && !columnQueries.some((text) => text.startsWith(`${key.name}:`))
)
if (missing !== undefined) throw new Error(`no query of a column asks for ${missing.name}:`)

const textQueries = [
  { name: 'one text', query: '"npm test"', texts: ['npm test'], most: 1.3 },
  { name: 'one text on few rows', query: '"zebra crossing"', texts: ['zebra crossing'], most: 1.3 },
  { name: 'a text and columns', query: 'tool:Bash status:error "npm test"', texts: ['npm test'], most: 1.3 },
  { name: 'two texts', query: '"npm test" OR "zebra crossing"', texts: ['npm test', 'zebra crossing'], most: 1.3 }
]
/** Takes longer than anyone waits in a line of many a's. */
const endless = '/(a+)+$/'

/** Queries of a million rows: the CPU of those that the index answers, and those with a text beside Find on the same log. */
export async function run() {
  const path = rowsLog()
  forget()
  const found = await withServer(async ({ connect, pid }) => {
    const page = await connect()
    const opened = await openAsPage(page, path)
    const ask = async (text, isQuery) => {
      const before = cpuMs(pid)
      const params = { log: opened.log, text, regex: false, caseSensitive: false, isQuery, as: 'filter bench' }
      const answer = await within(60, text, findOnce(page, params))
      if (answer.error !== null) throw new Error(`${text}: ${answer.error}`)
      const cpu = cpuMs(pid) - before
      await page.call('log.endFind', { log: opened.log, find: answer.find })
      return { ...answer, cpu }
    }
    const figures = []
    for (const { name, query, texts, most } of textQueries) {
      const ours = []
      const theirs = []
      for (let round = 0; round < rounds; round++) {
        ours.push(await ask(query, true))
        for (const text of texts) theirs.push(await ask(text, false))
      }
      const [{ ms, hits }, find] = [least(ours, (one) => one.ms), least(theirs, (one) => one.ms)]
      const note = `${ms.toFixed(0)} ms, Find ${find.ms.toFixed(0)} ms, ${hits} rows`
      figures.push(figure(`${name}, beside Find of one`, ms / find.ms, 'x', { most, note }))
      const [cpu, findCpu] = [least(ours.map((one) => one.cpu)), least(theirs.map((one) => one.cpu))]
      figures.push(
        figure(`${name}: CPU beside that of Find`, cpu / findCpu, 'x', { most, note: `${cpu.toFixed(0)} ms` })
      )
    }
    return { found: figures }
  })
  const columns = await columnFigures(path)
  return [
    ...columns,
    ...found.found,
    await stopped(),
    blockFigure('block of the main thread, at most', found, 50),
    ...(await screenFigures(path))
  ]
}

/** What the page does at once, at most, while a person types queries. The processor's time: what else the machine does is not in it. */
async function screenFigures(path) {
  forget()
  const { found } = await withServer(async ({ url, connect }) => {
    await openAsPage(await connect(), path)
    return { found: await withPage(url, measureFilter) }
  })
  return found.map(({ name, ms, wallMs }) =>
    figure(`page: ${name}`, ms, 'ms', { most: 50, note: `${wallMs.toFixed(0)} ms with what else the machine did` })
  )
}

/** The evaluation alone, in one process: in a server, most of the time goes into starting it, and into finding and sending rows. */
async function columnFigures(path) {
  const { rows, queries } = await jsonOf('./queries.js', path, rounds, ...columnQueries)
  return queries.map(({ text, times }) => {
    const { cpu, found } = least(times, (one) => one.cpu)
    return figure(`CPU of ${text}`, cpu, 'ms', { most: 20, note: `${found} of ${rows} rows` })
  })
}

/** How long an endless expression runs before it is ended with a sentence. */
async function stopped() {
  const path = join(folder, 'endless.jsonl')
  const content = [{ type: 'text', text: `${'a'.repeat(5000)}!` }]
  writeFileSync(path, `${JSON.stringify({ type: 'user', message: { role: 'user', content }, session_id: 'bench' })}\n`)
  const { answer } = await withServer(async ({ connect }) => {
    const page = await connect()
    const { log } = await openAsPage(page, path)
    const params = { log, text: endless, regex: false, caseSensitive: false, isQuery: true, as: 'filter bench' }
    return { answer: await within(20, endless, findOnce(page, params)) }
  })
  return figure(`end of ${endless}`, answer.ms, 'ms', { most: 1500, note: answer.error ?? 'it was not stopped' })
}
