import { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// node run-main.js FOLDER ARGUMENTS…: what `electron FOLDER ARGUMENTS…` does, on the stand-in for Electron.
const [folder = '', ...args] = process.argv.slice(2)
process.argv = ['electron', folder, ...args]
register('./resolve-electron.js', import.meta.url)
await import(pathToFileURL(join(folder, 'out/main/index.js')).href)
