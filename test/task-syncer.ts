import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { TaskStore } from '#backend/tasks/task-store.ts'

/**
 * A program, or a thread, that puts one list after the other into a store: `rounds` of them (0: without end), each of `size` todos that say
 * whose list they are of. `halts`: it stops in the middle of the last one, having said so, until it is killed.
 */
export interface Syncing {
  readonly path: string
  readonly session: string
  readonly writer: string
  readonly rounds: number
  readonly size: number
  readonly halts: boolean
}

const { path, session, writer, rounds, size, halts } = (workerData ?? JSON.parse(process.argv[2] ?? '')) as Syncing
let round = 0
const store = await TaskStore.open(path, { waitMs: 60_000, now: () => timeIn() })

function say(words: string): void {
  if (parentPort === null) writeSync(1, `${words}\n`)
  else parentPort.postMessage(words)
}

/** The store asks for the time in the middle of what it does. */
function timeIn(): number {
  if (halts && round === rounds) {
    say('in the middle')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  return Date.now()
}

for (round = 1; round <= rounds || rounds === 0; round++) {
  // Each a list of another length than the one before.
  const count = size + (round % 3)
  const list = `${writer} ${round} ${count}`
  store.syncSdkTasks(
    session,
    Array.from({ length: count }, (_, i) => ({ content: `${list} ${i} ${'x'.repeat(500)}`, status: 'pending' }))
  )
  if (round === 1) say('begun')
}
store.close()
