import { appendFileSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DescriptorPool } from './descriptor-pool.ts'
import { LogFile } from './log-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-few-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('only so many files are open at a time, however many are read at once, and each is read as itself', async () => {
  const most = 3
  const few = new DescriptorPool(most)
  let opened = 0
  let peak = 0
  const names = Array.from({ length: 40 }, (_, i) => `file ${i}`)
  const paths = names.map((name) => file(name, name))
  const owners = names.map(() => ({}))
  const read = async (i: number): Promise<string> =>
    await few.use(
      owners[i] as object,
      async () => {
        const handle = await open(paths[i] as string)
        peak = Math.max(peak, ++opened)
        const close = handle.close.bind(handle)
        handle.close = async () => {
          opened--
          await close()
        }
        return handle
      },
      async (handle) => {
        const bytes = Buffer.alloc(100)
        const { bytesRead } = await handle.read(bytes, 0, 100, 0)
        return bytes.toString('utf8', 0, bytesRead)
      }
    )
  const asked = [...names.keys(), ...names.keys()]
  expect(await Promise.all(asked.map(read))).toEqual([...names, ...names])
  expect(peak).toBeLessThanOrEqual(most + 1)
  await Promise.all(owners.map((owner) => few.close(owner)))
  expect(opened).toBe(0)
})

test('one that cannot be opened leaves room for others, and is tried again', async () => {
  const few = new DescriptorPool(1)
  const owner = {}
  const path = join(folder, 'later')
  const use = async (): Promise<number> =>
    await few.use(
      owner,
      () => open(path),
      async (handle) => (await handle.stat()).size
    )
  await expect(Promise.all([use(), use()])).rejects.toMatchObject({ code: 'ENOENT' })
  writeFileSync(path, 'four')
  expect(await use()).toBe(4)
  await few.close(owner)
})

test('where the system has no descriptor left, those that are not used are closed and it is asked again', async () => {
  const few = new DescriptorPool(8)
  const path = file('kept', 'kept')
  let closed = false
  await few.use(
    {},
    async () => {
      const handle = await open(path)
      const close = handle.close.bind(handle)
      handle.close = async () => {
        closed = true
        await close()
      }
      return handle
    },
    async () => {}
  )
  const other = {}
  const openOnceClosed = async (): Promise<FileHandle> => {
    if (closed) return await open(path)
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  }
  expect(await few.use(other, openOnceClosed, async (handle) => (await handle.stat()).size)).toBe(4)
  await few.close(other)
})

test('a log that is opened again is the same one, or is not read', async () => {
  const few = new DescriptorPool(1)
  const path = file('log', 'what was read')
  const log = await LogFile.open(path, few)
  const other = await LogFile.open(file('other', 'other'), few)
  const textOf = async (of: LogFile): Promise<string> => (await of.read(0, 100)).toString()
  expect([await textOf(log), await textOf(other), await textOf(log)]).toEqual([
    'what was read',
    'other',
    'what was read'
  ])
  appendFileSync(path, ' and more')
  await textOf(other)
  expect([await textOf(log), await log.size()]).toEqual(['what was read and more', 22])
  await textOf(other)
  renameSync(file('new', 'what is read not'), path)
  await expect(textOf(log)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await log.size()).toBe(22)
  unlinkSync(path)
  await expect(textOf(log)).rejects.toMatchObject({ code: 'ENOENT' })
  await Promise.all([log.close(), other.close()])
})
