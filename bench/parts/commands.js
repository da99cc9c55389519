import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/prepare.js'
import { figure } from '../figures.js'
import { folder, runLog, sizes } from '../logs.js'
import { median, timeProgram } from '../processes.js'

const rounds = 3
const commands = [
  ['export', 2],
  ['check', 2],
  ['todos', 2],
  ['stats', null]
]

/** The commands that read a whole log, each as a process, beside the least a process needs that reads it. */
export async function run() {
  const [large, small] = [runLog(), runLog(Math.ceil(sizes.mixedMb / 4))]
  const out = join(folder, 'command.out')
  const cli = (command, path) =>
    timeProgram(process.execPath, [join(root, 'out/main/cli.js'), command, path, ...json(command)], { out })
  const floors = []
  const times = commands.map(() => [])
  for (let round = 0; round < rounds; round++) {
    floors.push(await timeProgram(process.execPath, [join(root, 'bench/floor.js'), large]))
    for (const [i, [command]] of commands.entries())
      times[i].push({ ...(await cli(command, large)), written: statSync(out).size })
  }
  const floorMs = median(floors.map(({ ms }) => ms))
  const figures = [figure(`floor, as a process (${sizes.mixedMb} MB)`, floorMs, 'ms')]
  for (const [i, [command, most]] of commands.entries()) {
    const { ms, peakBytes, written } = median(times[i], (time) => time.ms)
    const less = await cli(command, small)
    const note = `${ms.toFixed(0)} ms, ${(written / 1e6).toFixed(1)} MB written`
    figures.push(figure(`${command} ${json(command).join(' ')}`, ms / floorMs, 'x floor', { most, note }))
    const growth = `${(less.peakBytes / 1e6).toFixed(0)} MB for a quarter of the log, ${(peakBytes / 1e6).toFixed(0)} MB for all`
    figures.push(
      figure('  memory: how much more for the whole log', peakBytes / less.peakBytes, 'x', {
        most: most && 1.2,
        note: growth
      })
    )
  }
  rmSync(out)
  return figures
}

const json = (command) => (command === 'export' ? [] : ['--json'])
