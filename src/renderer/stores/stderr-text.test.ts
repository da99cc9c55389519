import { describe, expect, it } from 'vitest'
import { HostError } from '#contract/host-error.ts'
import type { Handlers } from '#contract/methods.ts'
import { runsHost, testRun } from '../../../test/page/runs.ts'
import { StderrText } from './stderr-text.ts'

function stderrOf(text: string, handlers: Partial<Handlers> = {}) {
  const { host } = runsHost([testRun()], { stderr: text, handlers })
  return { stderr: new StderrText(host, 'run-1'), length: new TextEncoder().encode(text).length }
}

describe('the standard error of a run', () => {
  it('is read to its end, and on from there', async () => {
    const { stderr, length } = stderrOf('one\nzwölf\n界\n')
    stderr.readTo(5)
    await expect.poll(() => stderr.text).toBe('one\nzwölf\n界\n')
    stderr.readTo(length)
    expect([stderr.text, stderr.skipped, stderr.error]).toEqual(['one\nzwölf\n界\n', 0, null])
  })

  it('joins characters across pieces', async () => {
    const all = new TextEncoder().encode('a界b')
    const { stderr } = stderrOf('', {
      'run.stderr': async ({ from }) => ({ from, length: all.length, bytes: all.slice(from, from + 2).buffer })
    })
    stderr.readTo(all.length)
    await expect.poll(() => stderr.text).toBe('a界b')
  })

  it('keeps only the end of a long text, from a whole line on', async () => {
    const line = `${'界'.repeat(30)} and more\n`
    const { stderr, length } = stderrOf(line.repeat(40_000))
    stderr.readTo(length)
    await expect.poll(() => stderr.text.length).toBeGreaterThan(100_000)
    expect(stderr.text.startsWith(line)).toBe(true)
    expect(stderr.skipped + new TextEncoder().encode(stderr.text).length).toBe(length)
  })

  it('keeps a limited length while it grows', async () => {
    const line = 'x'.repeat(999) + '\n'
    const { stderr, length } = stderrOf(line.repeat(3000))
    for (let to = 100_000; to < length; to += 100_000) {
      stderr.readTo(to)
      await expect.poll(() => stderr.skipped + stderr.text.length).toBeGreaterThanOrEqual(to)
      expect(stderr.text.length).toBeLessThanOrEqual(2 * 524_288)
      expect(stderr.text.startsWith(line)).toBe(true)
    }
  })

  it('reports a read error, and continues at the same place', async () => {
    let broken = true
    const text = new TextEncoder().encode('all of it')
    const { stderr } = stderrOf('', {
      'run.stderr': async ({ from }) => {
        if (broken && from > 0) throw new HostError('internal', 'Not now.')
        return { from, length: text.length, bytes: text.slice(from, from + 3).buffer }
      }
    })
    stderr.readTo(text.length)
    await expect.poll(() => stderr.error).toBe('Not now.')
    broken = false
    stderr.retry()
    await expect.poll(() => stderr.text).toBe('all of it')
    expect(stderr.error).toBeNull()
  })
})
