import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from './playhead-server.ts'

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Ends the server on a port as Ctrl-C does. */
export async function stopServer(state: string, port: number): Promise<void> {
  const { owner } = JSON.parse(readFileSync(join(state, 'servers', `${port}.json`), 'utf8')) as {
    owner: { pid: number }
  }
  process.kill(owner.pid, 'SIGINT')
  const answers = async (): Promise<boolean> =>
    await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false
    )
  await expect.poll(answers).toBe(false)
}
