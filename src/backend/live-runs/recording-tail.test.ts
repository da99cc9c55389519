import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/run-processes.ts'
import { RecordingTail } from './recording-tail.ts'

test('reads records of any depth: one that is not read may be a request that its agent waits for', async () => {
  const recording = join(newFolder(), 'stdout.jsonl')
  const deep = `{"request_id":"deep","input":${'['.repeat(5000)}${']'.repeat(5000)}}`
  writeFileSync(recording, `{"request_id":"flat"}\nno record\n${deep}\n`)
  const ids: unknown[] = []
  const ends: number[] = []
  const tail = new RecordingTail(recording, {
    record: (record, end) => {
      ids.push((record as { request_id?: unknown }).request_id)
      ends.push(end)
    },
    caughtUp: () => {},
    problem: () => {}
  })
  await tail.end()
  expect(ids).toEqual(['flat', 'deep'])
  expect(ends).toEqual([22, 22 + 10 + deep.length + 1])
})

test('a record waits until the one before it is dealt with', async () => {
  const recording = join(newFolder(), 'stdout.jsonl')
  writeFileSync(recording, '{"id":1}\n{"id":2}\n{"id":3}')
  const told: string[] = []
  const tail = new RecordingTail(recording, {
    async record(record) {
      const { id } = record as { id: number }
      told.push(`${id} begins`)
      await new Promise((resume) => setImmediate(resume))
      told.push(`${id} ends`)
    },
    caughtUp: () => told.push('all'),
    problem: () => {}
  })
  await tail.end()
  expect(told.filter((each) => each !== 'all')).toEqual([1, 2, 3].flatMap((id) => [`${id} begins`, `${id} ends`]))
  expect(told.at(-1)).toBe('all')
})

test('a request behind damage is read', async () => {
  const recording = join(newFolder(), 'stdout.jsonl')
  writeFileSync(recording, '\0\0{"id":1}\n{"id":2}{"id":3}\n{"text":"cut{"id":4}\nsaid {"id":5}\n[{"id":6}]\n')
  const told: unknown[] = []
  const tail = new RecordingTail(recording, {
    record: (record, end) => void told.push([record, end]),
    caughtUp: () => {},
    problem: () => {}
  })
  await tail.end()
  expect(told).toEqual([
    [{ id: 1 }, 11],
    [{ id: 2 }, 19],
    [{ id: 3 }, 28],
    [{ id: 4 }, 49]
  ])
})
