import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { folder } from './folder.ts'

/** Programs for live runs to start, and what of them is alive (on Linux): found here in other ways than by what is tested. */

/** A new folder. */
export function newFolder(): string {
  return mkdtempSync(join(folder, 'of-'))
}

let runs = 0

/** An id that no other run on this machine has. */
export function newRun(): string {
  return `test-${process.pid}-${Date.now()}-${String(runs++).padStart(3, '0')}`
}

/** A program, of the lines of a shell script. `mode`: its permissions. */
export function program(folder: string, lines: readonly string[], { head = '#!/bin/sh', mode = 0o755 } = {}): string {
  const path = join(folder, `program-${runs++}`)
  writeFileSync(path, [head, ...lines, ''].join('\n'), { mode })
  return path
}

export function isAlive(pid: number): boolean {
  const state = /^State:\s+(\w)/m.exec(textOf(`/proc/${pid}/status`))?.[1]
  // One that is on its way out has given its memory back, and its command line with it.
  return state !== undefined && state !== 'Z' && state !== 'X' && textOf(`/proc/${pid}/cmdline`) !== ''
}

/** Those whose environment or command line names a run, its watchdog among them, as "PID: command line". */
export function processesOf(run: string): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || !isAlive(Number(name))) return []
    const commandLine = textOf(`/proc/${name}/cmdline`)
    const isOfRun = textOf(`/proc/${name}/environ`).includes(`=${run}\0`) || commandLine.includes(run)
    return isOfRun ? `${name}: ${commandLine.replaceAll('\0', ' ').slice(0, 100)}` : []
  })
}

/** The numbers that programs have noted in a file, one a line. */
export function notedPids(file: string): number[] {
  return textOf(file).split('\n').filter(Boolean).map(Number)
}

export function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** A module of the source, built for plain Node: for a process that is killed. Gives its file. */
export async function builtModule(source: string): Promise<string> {
  const outDir = newFolder()
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { target: 'node', noExternal: true },
    build: { ssr: source, outDir, minify: false, rollupOptions: { output: { entryFileNames: 'module.mjs' } } }
  })
  return join(outDir, 'module.mjs')
}
