import { cleanLog } from '../logs.js'
import { figure } from '../figures.js'
import { has, timeProgram } from '../processes.js'

/** Programs that people use for such logs, on the same lines (without those that are not JSON, at which jq ends). */
export async function programFigures(floorMs) {
  const path = cleanLog()
  const programs = [
    ['jq', ['-c', '.type', path]],
    ['lnav', ['-n', '-c', ':quit', path]],
    ['rg', ['-c', '-F', 'npm test', path]]
  ]
  const figures = []
  for (const [program, args] of programs) {
    if (!(await has(program))) continue
    const { ms } = await timeProgram(program, args)
    const shown = args.slice(0, -1).join(' ')
    figures.push(figure(`beside it: ${program} ${shown}`, ms / floorMs, 'x floor', { note: `${ms.toFixed(0)} ms` }))
  }
  return figures
}
