import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { inventedRollout } from '../../../test/invented-rollout.ts'
import { LogFile } from './log-file.ts'
import type { LogSource } from './log-source.ts'
import { openLog } from './open-log.ts'
import { UnpackedLog } from './unpacked-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-packed-'))
const temporary = join(folder, 'tmp')
beforeAll(() => {
  mkdirSync(temporary)
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const packed = readFileSync(join(import.meta.dirname, '../../../test/fixtures/compressed/rollout.jsonl.zst'))
const text = Buffer.from(inventedRollout())

let files = 0
function file(bytes: Uint8Array): string {
  const path = join(folder, `${files++}.jsonl.zst`)
  writeFileSync(path, bytes)
  return path
}

interface Read {
  readonly bytes: Buffer
  readonly error: unknown
}

/** All there is to read, up to the failure if there is one. */
async function readAll(source: LogSource): Promise<Read> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of source.chunks()) chunks.push(Buffer.from(chunk))
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error }
  }
  return { bytes: Buffer.concat(chunks), error: null }
}

async function readPacked(bytes: Uint8Array): Promise<Read> {
  const source = await openLog(file(bytes))
  try {
    return await readAll(source)
  } finally {
    await source.close()
  }
}

const copies = () => readdirSync(temporary)

describe('a compressed log', () => {
  test('is read as its text, by parts and again, and leaves nothing behind', async () => {
    const before = readdirSync(folder).length
    const source = await openLog(file(packed))
    expect(source).toBeInstanceOf(UnpackedLog)
    const guess = await source.size()
    const { bytes, error } = await readAll(source)
    expect([error, bytes.equals(text)]).toEqual([null, true])
    expect(guess).toBeLessThan(text.length)
    expect(await source.size()).toBe(text.length)
    expect((await source.read(1000, 500)).equals(text.subarray(1000, 1500))).toBe(true)
    expect((await source.read(text.length - 3, 500)).equals(text.subarray(-3))).toBe(true)
    expect((await readAll(source)).bytes.equals(text)).toBe(true)
    const part: Buffer[] = []
    for await (const chunk of source.chunks({ from: 10, to: 300_010, chunkBytes: 999 })) part.push(Buffer.from(chunk))
    expect(part[0]).toHaveLength(999)
    expect(Buffer.concat(part).equals(text.subarray(10, 300_010))).toBe(true)
    await source.close()
    expect(copies()).toEqual([])
    expect(readdirSync(folder)).toHaveLength(before + 1)
  })

  test('may be read by several at once', async () => {
    const source = await openLog(file(packed))
    const all = await Promise.all([readAll(source), readAll(source), readAll(source)])
    for (const { bytes, error } of all) expect([error, bytes.equals(text)]).toEqual([null, true])
    await source.close()
  })

  test('may be closed before its end, while it is read', async () => {
    const source = await openLog(file(packed))
    const chunks = source.chunks()
    await chunks.next()
    await Promise.all([source.close(), readAll(source).catch(() => {})])
    expect(copies()).toEqual([])
  })

  test('is told by its bytes, not by its name', async () => {
    const plain = await openLog(file(Buffer.from('{"type":"init"}\n')))
    expect((await readAll(plain)).bytes.toString()).toBe('{"type":"init"}\n')
    expect(plain).toBeInstanceOf(LogFile)
    await plain.close()
  })

  test('may have several frames', async () => {
    const { bytes, error } = await readPacked(Buffer.concat([packed, packed, packed]))
    expect([error, bytes.equals(Buffer.concat([text, text, text]))]).toEqual([null, true])
  })

  test('that breaks off is shown as far as it goes, with a word about that', async () => {
    for (const length of [packed.length - 1, packed.length >> 1, 5000, 20]) {
      const { bytes, error } = await readPacked(packed.subarray(0, length))
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/unpacked further: it ends too early/)
      })
      expect(text.subarray(0, bytes.length).equals(bytes)).toBe(true)
      if (length > packed.length >> 2) expect(bytes.length).toBeGreaterThan(100_000)
    }
  })

  test('that is followed by something else says so, after all of it', async () => {
    const { bytes, error } = await readPacked(Buffer.concat([packed, Buffer.from('something else')]))
    expect(bytes.equals(text)).toBe(true)
    expect(error).toMatchObject({ message: expect.stringMatching(/a Zstandard frame was expected/) })
  })

  test('that is damaged gives text, or a word about it, and nothing else', async () => {
    let failed = 0
    for (let i = 0; i < 60; i++) {
      const bytes = Buffer.from(packed)
      const at = 4 + ((i * 7919) % (bytes.length - 4))
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (i % 8))
      const { error } = await readPacked(bytes)
      if (error !== null) {
        failed++
        expect(error).toMatchObject({ name: 'HostError', code: 'unavailable' })
      }
    }
    // Damage that still means something to the decoder gives other text: without a checksum nobody can tell.
    expect(failed).toBeGreaterThan(5)
  })

  test('that unpacks to too much is read up to the limit', async () => {
    // 128 KiB of one byte, as often as is asked for, in four bytes each.
    const run = [0x02, 0x00, 0x10, 0x61]
    const bomb = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, ...Array.from({ length: 5000 }, () => run).flat()])
    const source = new UnpackedLog(await LogFile.open(file(bomb)), { bytes: 3_000_000 })
    const { bytes, error } = await readAll(source)
    expect(bytes).toHaveLength(3_000_000)
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/unpacks to more than/) })
    expect(await source.size()).toBe(3_000_000)
    await source.close()
  })

  test('of 32 KB that is a gigabyte of line feeds is given up early, with what to do', async () => {
    const run = [0x02, 0x00, 0x10, 0x0a]
    const bomb = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, ...Array.from({ length: 8192 }, () => run).flat()])
    const { bytes, error } = await readPacked(bomb)
    expect([bomb.length, bytes.length]).toEqual([32_774, 16 << 20])
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/more than 500 times its size, so only its first 16 MiB are read.*zstd -d/)
    })
    expect(copies()).toEqual([])
  })

  test('leaves room for everything else in the temporary folder', async () => {
    for (const [free, isRead] of [
      [200 << 20, true],
      [100 << 20, false]
    ] as const) {
      const source = new UnpackedLog(await LogFile.open(file(packed)), {}, async () => ({ free, total: 2 ** 40 }))
      const { bytes, error } = await readAll(source)
      await source.close()
      expect(bytes.length).toBe(isRead ? text.length : 0)
      if (!isRead) expect(error).toMatchObject({ message: expect.stringMatching(/too little space in .*TMPDIR/) })
    }
    expect(copies()).toEqual([])
  })
})
