// `npm start [-- FILE…]`
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fetchElectron } from './fetch-electron.js'
import { prepare, root } from './prepare.js'

// npm runs scripts in the package's folder; INIT_CWD is the folder of the person.
const folder = process.env.npm_lifecycle_event === 'start' ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd()
const words = process.argv.slice(2)
const files = words.map((word) => (word.startsWith('-') ? word : resolve(folder, word)))

try {
  await prepare()
  await fetchElectron()
} catch (error) {
  process.stderr.write(`playhead: ${error.message}\n`)
  process.exit(2)
}
process.argv.splice(2, Infinity, 'open', ...files)
await import(pathToFileURL(join(root, 'out/main/cli.js')).href)
