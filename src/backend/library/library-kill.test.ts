import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { SessionCard } from '#core/library/session-card.ts'
import { bundleForNode } from '../../../test/node-worker-plugin.ts'
import { OpenLibrary } from '../../../test/open-library.ts'
import { times } from '../../../test/thorough.ts'

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'playhead-library-kill-')))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const sessions = 300
const kills = times(15, 50)

function fill(home: string): void {
  for (let i = 0; i < sessions; i++) {
    const file = join(home, `.claude/projects/-work-${i % 7}/s${i}.jsonl`)
    const base = { sessionId: `s${i}`, cwd: `/work/${i % 7}`, version: '2.1.56', isSidechain: false }
    const at = (second: number): string => new Date(Date.UTC(2026, 0, 2, 3, i % 60, second)).toISOString()
    const lines: object[] = [
      { ...base, type: 'user', uuid: 'u', timestamp: at(0), message: { role: 'user', content: `Task ${i}` } }
    ]
    for (let n = 1; n < 20 + (i % 30); n++) {
      const message = { id: `m${n}`, role: 'assistant', model: 'm', content: [{ type: 'text', text: 'x'.repeat(500) }] }
      lines.push({ ...base, type: 'assistant', uuid: `u${n}`, timestamp: at(n % 60), message })
    }
    fs.mkdirSync(dirname(file), { recursive: true })
    fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    fs.utimesSync(file, new Date(Date.UTC(2026, 0, 3)), new Date(Date.UTC(2026, 0, 3, 0, 0, i)))
  }
}

async function cardsOf(
  home: string,
  cache: string
): Promise<{ cards: SessionCard[]; problems: string[]; read: number }> {
  const one = new OpenLibrary({ home, cache })
  await one.idle()
  const cards = await one.cards()
  await one.library.close()
  return { cards, problems: one.problems, read: one.bytes.read }
}

test('a library that is killed (kill -9) while it is filled shows the same at the next start', async () => {
  const home = join(root, 'home')
  const cache = join(root, 'cache')
  fill(home)
  const { cards: expected } = await cardsOf(home, join(root, 'cache-whole'))
  expect(expected).toHaveLength(sessions)
  const program = await bundleForNode(join(import.meta.dirname, '../../../test/library-program.ts'), root)
  const said: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    // It begins anew now and then: most moments of a fill are in its first second.
    if (kill % 5 === 0) fs.rmSync(cache, { recursive: true, force: true })
    const child = spawn(process.execPath, [program, home, cache], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text))
    const exited = once(child, 'exit')
    // As soon as it has begun to write, and some time later.
    while (!fs.existsSync(join(cache, 'library.db')) && child.exitCode === null) await pause(1)
    await pause((kill * 37) % 150)
    child.kill('SIGKILL')
    await exited
  }
  expect(said.join('')).not.toContain('problem')
  const { cards, problems } = await cardsOf(home, cache)
  expect(problems).toEqual([])
  expect(cards).toEqual(expected)
  const again = await cardsOf(home, cache)
  expect(again.cards).toEqual(expected)
  expect(again.read).toBe(0)
})
