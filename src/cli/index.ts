import { createWriteStream, fstatSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { heedErrors } from '#backend/export/output.ts'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { v8Flags } from '#backend/indexer/log-worker.ts'
import { isJsonObject, stringAt } from '#core/json.ts'
import { run } from './run.ts'

/** Built to `out/main/cli.js`, two folders below package.json. */
const root = join(import.meta.dirname, '..', '..')

function versionOf(file: string): string {
  const stated: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const version = isJsonObject(stated) ? stringAt(stated, 'version') : undefined
  if (version === undefined) throw new Error(`${file} states no version`)
  return version
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}

/** In `> FILE`, Node's own stream drops what a full disk does not accept. */
function standardOutput(): Writable {
  const stream = fstatSync(1).isFile() ? createWriteStream('', { fd: 1, autoClose: false }) : process.stdout
  heedErrors(stream)
  return stream
}

setFlagsFromString(v8Flags)
process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: standardOutput(),
  stderr: process.stderr,
  variables: process.env,
  platform: process.platform,
  home: homedir(),
  isRoot: process.getuid?.() === 0,
  version: versionOf(join(root, 'package.json')),
  root,
  createWorker,
  createLibrary: async (options) => (await import('#backend/library/library.ts')).createLibrary(options),
  now: Date.now,
  untilStopped
})
