#!/usr/bin/env node
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from './prepare.js'

try {
  await prepare()
} catch (error) {
  process.stderr.write(`playhead: ${error.message}\n`)
  process.exit(2)
}
await import(pathToFileURL(join(root, 'out/main/cli.js')).href)
