// Two long lists of made-up steps are aligned. Run as a process: the length of the first list, the share of repeated steps.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { alignSteps } from '../out/core/compare/align-steps.js'
import { textHash } from '../out/core/formats/text-hash.js'
import { peakBytes } from './processes.js'
import { numbers } from './random-text.js'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')

const [length, repeated] = process.argv.slice(2).map(Number)
const random = numbers(20261125)
const step = (seq, target) => ({
  ...{ kind: 'call', tool: 'shell', target, hash: textHash(target), seq },
  ...{ outcome: 'ok', resultHash: 1 }
})
const [a, b] = [[], []]
for (let at = 0; at < length; at++) {
  const target = random() < repeated ? `gh pr checks ${Math.floor(random() * 5)}` : `npm test -- src/part-${at}.test.ts`
  a.push(step(at, target))
  const fate = random()
  if (fate > 0.1) b.push(step(at, target))
  if (fate > 0.86) b.push(step(at, `npm run lint -- src/other-${at}.ts`))
}
gc()
const before = process.memoryUsage.rss()
const cpu = process.cpuUsage()
const { pairs } = alignSteps(a, b)
const { user, system } = process.cpuUsage(cpu)
console.log(
  JSON.stringify({
    lengths: [a.length, b.length],
    ms: (user + system) / 1000,
    bytes: Math.max(0, peakBytes(process.pid) - before),
    pairs: pairs.filter((other) => other >= 0).length
  })
)
