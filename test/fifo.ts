import { spawnSync } from 'node:child_process'

/** Makes a pipe with a name: whoever opens it to read waits until somebody writes. */
export function makeFifo(path: string): void {
  const { status, stderr } = spawnSync('sh', ['-c', 'mkfifo "$1"', 'sh', path], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mkfifo: ${stderr}`)
}
