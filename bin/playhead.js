#!/usr/bin/env node
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from './prepare.js'

const load = (file) => import(pathToFileURL(join(root, 'out/main', file)).href)

/** An agent waits for the hook, so it never installs or builds, and a failure does not fail the agent's tool. */
async function hook() {
  try {
    await load('hook.js')
  } catch (error) {
    process.stderr.write(`playhead: ${error.message}; start playhead once by hand, which builds it\n`)
  }
}

async function command() {
  try {
    await prepare()
  } catch (error) {
    process.stderr.write(`playhead: ${error.message}\n`)
    process.exit(2)
  }
  await load('cli.js')
}

if (process.argv.length === 3 && process.argv[2] === 'hook') await hook()
else await command()
