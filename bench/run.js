// `npm run bench`: how fast and how large, as ratios to what any reader has to do, measured in the same run. CONTRIBUTING.md has its flags.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare, root } from '../bin/prepare.js'
import { printFigures } from './figures.js'
import { partModule, parts } from './parts.js'

/** Those that the command line asks for. Throws for a flag that is none. */
function wantedParts(flags) {
  if (flags.length === 0) return parts.filter(({ flag }) => flag === null)
  if (flags.includes('--all')) return parts
  const unknown = flags.find((flag) => !parts.some((part) => part.flag === flag))
  if (unknown !== undefined) {
    const known = parts.flatMap(({ flag }) => flag ?? []).join(', ')
    throw new Error(
      `${unknown}: there are ${known} and --all; without any the 200 MB log and the short rows are measured`
    )
  }
  return parts.filter(({ flag }) => flag !== null && flags.includes(flag))
}

/** What a part found, or why it found nothing. All its processes are ended with it, also when it takes too long. */
async function measured({ name, limitMs }) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./part.js', import.meta.url)), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, so that none of its servers is left behind.
    detached: true
  })
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All have ended.
    }
  }
  running.add(end)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    end()
  }, limitMs)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more) => (text += more))
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  end()
  running.delete(end)
  if (timedOut) return { error: `it took more than ${limitMs / 60_000} minutes` }
  if (code !== 0) return { error: 'it failed; what it said stands above' }
  return { found: JSON.parse(text) }
}

const running = new Set()
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143]
]) {
  process.on(signal, () => {
    for (const end of running) end()
    process.exit(code)
  })
}

function machine() {
  const [cpu] = cpus()
  return { cpu: cpu?.model, cores: cpus().length, memory: totalmem(), os: `${type()} ${release()}` }
}

const wanted = wantedParts(process.argv.slice(2))
await prepare()
const results = {}
for (const part of wanted) {
  const result = await measured(part)
  results[part.name] = result.found ?? { error: result.error }
  if (result.error !== undefined) {
    console.log(`\n${part.title}\n  not measured: ${result.error}`)
    process.exitCode = 1
    continue
  }
  const { print = printFigures } = await partModule(part.name)
  print(part.title, result.found)
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
console.log(`\n${JSON.stringify({ ...results, machine: machine(), node: process.version, playhead: version })}`)
