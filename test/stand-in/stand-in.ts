import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Play } from './play.ts'

/** What a stand-in was started with. */
export interface StandInSeen {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly pid: number
  /** All that it read on standard input. */
  readonly prompt: string
  /** The process that it did not end. */
  readonly leftBehind: number | null
}

/** A program that behaves as an agent did when it was recorded. */
export interface StandIn {
  /** Its file. */
  readonly command: string
  /** Once it was started. */
  seen(): StandInSeen
}

/** Makes a program of `play` in `folder`, which is made too. */
export function standIn(folder: string, play: Play): StandIn {
  mkdirSync(folder, { recursive: true })
  const [playFile, seenFile] = [join(folder, 'play.json'), join(folder, 'seen.json')]
  writeFileSync(playFile, JSON.stringify(play))
  const agent = fileURLToPath(new URL('agent.js', import.meta.url))
  const started = [process.execPath, agent, playFile, seenFile].map(quoted).join(' ')
  const command = program(folder, play.agent, `exec ${started} "$@"`, play.version)
  return { command, seen: () => JSON.parse(readFileSync(seenFile, 'utf8')) as StandInSeen }
}

/** A program that runs a script of the shell, unless it is asked for its version; gives its path. */
export function program(folder: string, name: string, script: string, version = '1.2.3'): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  const asked = `if [ "$*" = --version ]; then echo ${quoted(version)}; exit; fi`
  writeFileSync(path, `#!/bin/sh\n${asked}\n${script}\n`, { mode: 0o755 })
  return path
}

/** A word for `sh`. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
