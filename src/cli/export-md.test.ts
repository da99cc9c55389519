import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { environment, file, folder, playhead, sink } from '../../test/command-line.ts'
import { run } from './run.ts'

const init = { type: 'system', subtype: 'init', cwd: '/x', model: 'm', tools: [], session_id: 's' }
const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`
const said = {
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text: `use ${secret}` }] },
  session_id: 's',
  parent_tool_use_id: null
}
const log = `${JSON.stringify(init)}\n${JSON.stringify(said)}\n`

describe('export --to md', () => {
  test('prints a report; secrets are out, and it is said how many', async () => {
    const { code, out, err } = await playhead('export', file('md.jsonl', log), '--to', 'md')
    expect(code).toBe(0)
    expect(out).toMatch(/^# Run of Claude Code: md\.jsonl\n/)
    expect(out).toContain('use \\[redacted: GitHub token\\]')
    expect(err).toContain('1 secret redacted (1 GitHub token)')
    expect(out).not.toContain(secret)
  })

  test('--no-redact keeps them, and the report says so', async () => {
    const { out, err } = await playhead('export', file('kept.jsonl', log), '--to', 'md', '--no-redact')
    expect(out).toContain(secret)
    expect(out).toContain('nothing; secrets were kept')
    expect(err).not.toContain('redacted')
  })

  test('the same log gives the same report', async () => {
    const path = file('same.jsonl', log)
    expect((await playhead('export', path, '--to', 'md')).out).toBe((await playhead('export', path, '--to', 'md')).out)
  })

  test('-o writes a file, devices too, and never the log', async () => {
    const path = file('out.jsonl', log)
    const target = join(folder, 'report.md')
    expect(await playhead('export', path, '--to', 'md', '-o', target)).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining(`a report written to ${target}`)
    })
    expect(readFileSync(target, 'utf8')).toMatch(/^# Run of/)
    expect((await playhead('export', path, '--to', 'md', '-o', '/dev/null')).code).toBe(0)
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
    expect(await playhead('export', path, '--to', 'md', '-o', path)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is the log itself/)
    })
    expect(readFileSync(path, 'utf8')).toBe(log)
  })

  test('nobody has to read it to its end', async () => {
    const gone = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('gone'), { code: 'EPIPE' }))
      }
    })
    const err = sink()
    const code = await run(
      ['export', file('pipe.jsonl', log), '--to', 'md'],
      environment({ stdout: gone, stderr: err.stream })
    )
    expect([code, err.text()]).toEqual([0, ''])
  })

  test('a log that cannot be read, an option of another kind', async () => {
    expect(await playhead('export', join(folder, 'none.jsonl'), '--to', 'md')).toMatchObject({ code: 2, out: '' })
    expect(await playhead('export', file('raw.jsonl', log), '--to', 'md', '--raw')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--raw/)
    })
  })
})
