import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { readProc } from './read-proc.ts'

/** A process as the system lists it. */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  /** The process group, for signals. */
  readonly group: number
  /** The process session, or the group where sessions are unknown. 0: in no visible one. */
  readonly session: number
  /** Start time by a system clock, comparable until the next reboot. */
  readonly started: number
  /** A zombie: it waits to be reaped. */
  readonly ended: boolean
}

/** All processes; empty on Windows. Throws if they cannot be listed now (too many open files). */
export function processTable(): ProcessRow[] {
  if (process.platform === 'linux') return rowsOfProc()
  return process.platform === 'win32' ? [] : rowsOfPs()
}

/** From /proc; empty if it is not mounted. */
export function rowsOfProc(): ProcessRow[] {
  return processIds().flatMap((pid) => rowOfProc(pid) ?? [])
}

/** Ids only, which is much cheaper than rows; empty on other systems than Linux. */
export function processIds(): number[] {
  if (process.platform !== 'linux' || !existsSync('/proc/self')) return []
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
}

/** From `ps`, on other Unix systems. Throws if it cannot be run. */
export function rowsOfPs(): ProcessRow[] {
  const columns = ['pid', 'ppid', 'pgid', 'stat', 'lstart'].flatMap((column) => ['-o', `${column}=`])
  const text = execFileSync('ps', ['-A', ...columns], {
    encoding: 'utf8',
    // Times depend on locale and time zone.
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/)
    if (state === undefined) return []
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(group),
      started: Date.parse(`${started.join(' ')} UTC`),
      ended: state.startsWith('Z')
    }
  })
}

/** One process; null: no such id. */
export function processRow(pid: number): ProcessRow | null {
  if (process.platform === 'linux') return rowOfProc(pid)
  return processTable().find((row) => row.pid === pid) ?? null
}

function rowOfProc(pid: number): ProcessRow | null {
  const text = readProc(`/proc/${pid}/stat`)
  if (text === null) return null
  // The name of the program may contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  const [threads, , started] = fields.slice(17)
  // The first thread may have ended before the others.
  const ended = (state === 'Z' || state === 'X') && Number(threads) < 2
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(started),
    ended
  }
}
