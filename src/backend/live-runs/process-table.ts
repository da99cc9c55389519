import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { readProc } from './read-proc.ts'

/** A process as the system lists it. */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  /** Of processes that are sent signals together. */
  readonly group: number
  /** The session that it is in; its group where the system does not tell sessions. 0: none of those seen from here. */
  readonly session: number
  /** When it began, by a clock of the system's own: to be compared with others of this start of the machine, nothing else. */
  readonly started: number
  /** It has ended, and waits to be collected by its parent. */
  readonly ended: boolean
}

/** All processes. Empty on Windows. Throws where the system has no room to be asked (too many open files). */
export function processTable(): ProcessRow[] {
  if (process.platform === 'linux') return rowsOfProc()
  return process.platform === 'win32' ? [] : rowsOfPs()
}

/** The processes of Linux, from /proc; none where that is not mounted. */
export function rowsOfProc(): ProcessRow[] {
  return processIds().flatMap((pid) => rowOfProc(pid) ?? [])
}

/** The numbers of all processes, which costs far less than their rows; on Linux only, elsewhere none. */
export function processIds(): number[] {
  if (process.platform !== 'linux' || !existsSync('/proc/self')) return []
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
}

/** The processes of any other Unix, from the one program that all of them have. Throws where it cannot be run. */
export function rowsOfPs(): ProcessRow[] {
  const columns = ['pid', 'ppid', 'pgid', 'stat', 'lstart'].flatMap((column) => ['-o', `${column}=`])
  const text = execFileSync('ps', ['-A', ...columns], {
    encoding: 'utf8',
    // Its times are in the language and the zone of whoever asks.
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

/** One process; null: there is none of that number. */
export function processRow(pid: number): ProcessRow | null {
  if (process.platform === 'linux') return rowOfProc(pid)
  return processTable().find((row) => row.pid === pid) ?? null
}

function rowOfProc(pid: number): ProcessRow | null {
  const text = readProc(`/proc/${pid}/stat`)
  if (text === null) return null
  // The name of a program may have spaces and brackets in it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  const [threads, , started] = fields.slice(17)
  // Its first thread may have ended before the others.
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
