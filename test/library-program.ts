import { ReadBytes } from '#backend/library/read-bytes.ts'
import { SessionLibrary } from '#backend/library/session-library.ts'

/** A program that fills a library, to be killed: `node module.mjs HOME CACHE`. Says how far it is, a line each time. */
const [home = '', cache = ''] = process.argv.slice(2)
const library = new SessionLibrary({
  ...{ cache, state: null, roots: null, bytes: new ReadBytes(), now: Date.now },
  system: { home, platform: 'linux', variables: {} },
  changed: ({ phase, done }) => process.stdout.write(`${phase} ${done}\n`),
  problem: (sentence) => process.stdout.write(`problem ${sentence}\n`)
})
library.start()
