import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Output } from '#backend/export/output.ts'
import { pageParts } from '#backend/export/page-parts.ts'
import { pageWriter } from '#backend/export/write-page.ts'
import { SharedRun } from '#contract/shared-page.ts'
import { Redactor } from '#core/export/redact.ts'
import { environment, file, folder, good, jsonl, say, sink } from '../../test/command-line.ts'
import { claudeFolderRun, codexRun } from '../../test/invented-runs.ts'
import { run } from './run.ts'

const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
const root = join(folder, 'root')
const code = 'const end = "</script><!-- \\u{1F600} -->"; console.log(end, "\x9b")'
mkdirSync(join(root, 'out', 'shared'), { recursive: true })
for (const name of ['page.js', 'thread.js']) writeFileSync(join(root, 'out', 'shared', name), code)
writeFileSync(join(root, 'out', 'shared', 'page.css'), '@font-face { src: url(data:font/woff2;base64,AAAA) }')

/** Looks drawn by chance. */
const drawn = (length: number): string => createHash('sha512').update('drawn').digest('hex').slice(0, length)
/** What is planted in a log: texts, and the part of each that must be gone. */
const planted: readonly (readonly [text: string, secret: string])[] = [
  ...[
    token,
    `sk-ant-api03-${drawn(93)}-${drawn(6)}AA`,
    `sk-proj-${drawn(120)}`,
    `AIza${drawn(35)}`,
    `AKIA${drawn(16)
      .toUpperCase()
      .replace(/[^A-Z2-7]/g, 'X')}`,
    `glpat-${drawn(20)}`,
    `xoxb-123456789012-123456789012-${drawn(24)}`,
    `sk_live_${drawn(24)}`,
    `npm_${drawn(36)}`,
    `hf_${drawn(34)}`,
    `eyJ${drawn(33)}.eyJ${drawn(80)}.${drawn(43)}`
  ].map((secret) => [secret, secret] as const),
  ['postgres://admin:hunter2secret@db.internal/app', 'hunter2secret'],
  ['DB_PASSWORD=correcthorse', 'correcthorse'],
  [`Authorization: Bearer x${drawn(39)}`, `x${drawn(39)}`],
  [`Cookie: session=y${drawn(31)}`, `y${drawn(31)}`],
  [`-----BEGIN PRIVATE KEY-----\nz${drawn(63)}\n-----END PRIVATE KEY-----`, `z${drawn(63)}`]
]

async function exported(...args: string[]): Promise<{ html: string; err: string; code: number }> {
  const out = sink(true)
  const err = sink()
  const code = await run(
    ['export', ...args, '--to', 'html'],
    environment({ stdout: out.stream, stderr: err.stream, root })
  )
  return { html: out.text(), err: err.text(), code }
}

function element(html: string, attributes: string): string {
  const from = html.indexOf(`<script ${attributes}>`) + `<script ${attributes}>`.length
  return html.slice(from, html.indexOf('</script', from))
}

const factsOf = (html: string): SharedRun =>
  SharedRun.parse(JSON.parse(element(html, 'type="application/json" id="playhead-facts"')))

/** The text of a file of the run. */
function textOf(html: string, number: number): Buffer {
  const elements = html.matchAll(
    new RegExp(`<script type="application/gzip" data-file="${number}">([^<]*)</script>`, 'g')
  )
  return gunzipSync(Buffer.concat([...elements].map(([, base64 = '']) => Buffer.from(base64, 'base64'))))
}

describe('export --to html', () => {
  test('holds the bytes of the log, with what the page has to know of it', async () => {
    const log = Buffer.concat([
      Buffer.from(`\ufeff${good}`),
      Buffer.from([0xff, 0xfe, 0x0d, 0x0a]),
      Buffer.from('{"cut')
    ])
    const { html, code } = await exported(file('held.jsonl', log), '--no-redact')
    expect(code).toBe(0)
    expect(textOf(html, 0)).toEqual(log)
    expect(factsOf(html)).toEqual({
      version: '1.2.3',
      name: 'held.jsonl',
      format: 'claude-stream-json',
      formatNote: null,
      notes: [],
      files: [{ framing: 'lines', bytes: log.length }],
      shared: { exportedAt: Date.UTC(2026, 0, 2), redacted: null }
    })
  })

  test('takes secrets out, counts them, and leaves all other bytes as they are', async () => {
    const damaged = Buffer.concat([Buffer.from('not JSON '), Buffer.from([0xff]), Buffer.from(` ${token}\r\n`)])
    const log = Buffer.concat([Buffer.from(`\ufeff${jsonl(say(`token ${token}`))}`), damaged, Buffer.from(good)])
    const { html } = await exported(file('secret.jsonl', log), '--format', 'claude-stream-json')
    const text = textOf(html, 0)
    expect(text.includes(token)).toBe(false)
    const mark = Buffer.from('[redacted: GitHub token]')
    const parts = log.toString('latin1').split(token)
    expect(text.toString('latin1')).toBe(parts.join(mark.toString('latin1')))
    const { shared, files } = factsOf(html)
    expect(shared.redacted).toEqual([{ kind: 'GitHub token', count: 2 }])
    expect(files).toEqual([{ framing: 'lines', bytes: text.length }])
    expect((await exported(file('none.jsonl', good))).html).toContain('"redacted":[]')
  })

  test('takes every planted secret out of the log and of the files of its subagents', async () => {
    const main = claudeFolderRun(mkdtempSync(join(folder, 'planted-')))
    const beside = join(dirname(main), 'session-1', 'subagents', 'agent-aaa.jsonl')
    const lines = planted.map(([text]) => JSON.stringify({ type: 'user', message: { role: 'user', content: text } }))
    for (const file of [main, beside]) appendFileSync(file, `${lines.join('\n')}\n`)
    const { html } = await exported(main)
    const { shared, files } = factsOf(html)
    const texts = files.map((_, number) => textOf(html, number).toString())
    expect(files.length).toBeGreaterThan(1)
    for (const [, secret] of planted) {
      expect(readFileSync(beside, 'utf8')).toContain(secret)
      expect(
        texts.some((text) => text.includes(secret)),
        secret
      ).toBe(false)
    }
    expect(shared.redacted?.length).toBeGreaterThan(12)
    expect(shared.redacted?.reduce((sum, { count }) => sum + count, 0)).toBe(2 * planted.length)
  })

  test('takes secrets out of the names of files and of what is said of them', async () => {
    const path = file(`run ${token}.jsonl`, good)
    const { html, err } = await exported(path)
    expect(html).not.toContain(token)
    expect(html).toContain('<title>run [redacted: GitHub token].jsonl · Playhead</title>')
    expect(factsOf(html)).toMatchObject({ name: 'run [redacted: GitHub token].jsonl' })
    expect(err).toContain('1 secret redacted')
  })

  test('takes secrets out of a document that are written on several of its lines', async () => {
    const secret = drawn(64)
    const key = ['-----BEGIN PRIVATE KEY-----', secret, '-----END PRIVATE KEY-----']
    const chat = {
      sessionId: 's',
      projectHash: 'h',
      messages: [
        {
          id: '1',
          type: 'user',
          timestamp: '2026-01-01T00:00:00.000Z',
          content: 'x',
          args: ['--password', 'hunter2hunter'],
          key
        }
      ]
    }
    const log = `\ufeff${JSON.stringify(chat, undefined, 2).replaceAll('\n', '\r\n')}\r\n`
    const { html } = await exported(file('chat.json', log))
    const text = textOf(html, 0).toString()
    expect(factsOf(html).files).toMatchObject([{ framing: 'document' }])
    expect(text).not.toMatch(new RegExp(`hunter2hunter|${secret}`))
    const mark = '[redacted: private key]'
    expect(text.replace('[redacted: password]', 'hunter2hunter')).toBe(
      log.replace(secret, mark).replace(key[2] ?? '', mark)
    )
    expect(factsOf(html).shared.redacted).toEqual([
      { kind: 'password', count: 1 },
      { kind: 'private key', count: 1 }
    ])
  })

  test('a binary file hides what it holds: it is not shared but when asked', async () => {
    const path = file('packed.jsonl.gz', gzipSync(jsonl(say(token))))
    expect(await exported(path)).toMatchObject({ code: 2, html: '', err: expect.stringMatching(/binary.*unpack/) })
    expect(await exported(path, '--no-redact')).toMatchObject({
      code: 2,
      html: expect.stringMatching(/^<!doctype html>/),
      err: expect.stringContaining('log format not recognized')
    })
  })

  test('says of what was taken out, and where it was written', async () => {
    const out = join(folder, 'page.html')
    const { err, html } = await exported(file('said.jsonl', jsonl(say(token), say(token))), '-o', out)
    expect(html).toBe('')
    expect(err).toContain('2 secrets redacted (2 GitHub token)')
    expect(err).toContain(`written to ${out}`)
    expect(readFileSync(out, 'utf8').startsWith('<!doctype html>')).toBe(true)
    expect((await exported(file('kept.jsonl', jsonl(say(token))), '--no-redact')).err).not.toContain('redacted')
  })

  test('runs only its own script and styles, whatever the log and its name hold', async () => {
    const evil = '</script><script>alert(1)</script><!--'
    const { html } = await exported(file('<b>&.jsonl', jsonl(say(evil), { type: evil })), '--no-redact')
    expect(html).not.toContain('alert(1)')
    expect(html).toContain('<title>&#60;b>&#38;.jsonl · Playhead</title>'.replaceAll('b>', 'b&#62;'))
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text)
    expect(scripts).toHaveLength(1)
    // What the code says is what was built.
    expect(scripts[0]).toBe(
      code
        .replace('</script', '\\x3c/script')
        .replace('<!--', '\\x3c!--')
        .replace('\x9b', String.raw`\u009b`)
    )
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src ${hash(scripts[0] ?? '')};`)
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
    expect(policy).toContain(`style-src ${hash(style)};`)
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types playhead-thread")
  })

  test('holds a long log in many elements', async () => {
    const noise = Array.from({ length: 60_000 }, (_, i) => createHash('sha512').update(`${i}`).digest('base64'))
    const { html } = await exported(file('long.jsonl', good + jsonl(...noise.map(say))), '--no-redact')
    expect(html.match(/<script type="application\/gzip"/g)?.length).toBeGreaterThan(1)
    expect(textOf(html, 0).toString()).toBe(good + jsonl(...noise.map(say)))
  })

  test('holds all files of a run, in the order in which they are read', async () => {
    const path = codexRun(mkdtempSync(join(folder, 'files-')))
    const { html } = await exported(path, '--no-redact')
    const [main, ...others] = factsOf(html).files
    expect(main).not.toHaveProperty('name')
    expect(others.length).toBeGreaterThan(0)
    expect(textOf(html, 0)).toEqual(readFileSync(path))
    for (const [i, { name = '' }] of others.entries()) {
      expect(textOf(html, i + 1)).toEqual(readFileSync(join(dirname(path), name)))
    }
    const alone = await exported(path, '--no-redact', '--single')
    expect(factsOf(alone.html).files).toHaveLength(1)
  })

  test('is refused where the run has more than a page can hold, and leaves no file', async () => {
    const source = { path: file('large.jsonl', good), format: null, single: false }
    const parts = await pageParts(join(root, 'out', 'shared'))
    const write = pageWriter({ parts, now: 0, maxBytes: 100 })
    const request = {
      source,
      raw: false,
      redactor: new Redactor(),
      events: null,
      prices: null,
      bookmarks: [],
      version: '0.0.0',
      read: () => {}
    }
    const written = write(new Output(sink().stream), request)
    await expect(written).rejects.toThrow(/more than 0 MB of text.*--single.*--to md/)
  })

  test('is refused where the page was not built', async () => {
    const err = sink()
    const path = file('unbuilt.jsonl', good)
    const code = await run(['export', path, '--to', 'html'], environment({ stderr: err.stream, root: folder }))
    expect([code, err.text()]).toEqual([2, expect.stringContaining('npm run build')])
  })
})
