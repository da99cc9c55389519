import { expect, test } from 'vitest'
import { claudeTranscript } from '#core/formats/claude/transcript.ts'
import { FileSteps } from '#core/files/file-steps.ts'
import type { RunFiles } from '#core/files/run-files.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { isChangeStep } from '#core/files/run-files.ts'
import { TouchedFiles } from '#renderer/stores/touched-files.ts'
import { claudeBash, claudeCall, claudeRead, filesOf } from '../files-of.ts'

const edit = (filePath: string, oldString: string, newString: string) =>
  claudeCall(
    'Edit',
    { file_path: filePath, old_string: oldString, new_string: newString },
    { filePath, oldString, newString }
  )
const write = (filePath: string, content: string) =>
  claudeCall('Write', { file_path: filePath, content }, { type: 'create', filePath, content })

const records = [
  ...claudeBash('npm test'),
  ...claudeRead('/w/a.ts', 'one\ntwo\n'),
  ...claudeRead('/w/b.ts', 'x\ny\n'),
  ...edit('/w/a.ts', 'two', '2'),
  ...claudeBash('sed -i s/x/z/ b.ts'),
  ...write('/w/c.ts', 'new\n'),
  ...claudeBash('npm run format'),
  ...claudeRead('/w/a.ts', 'one\n2\n'),
  ...claudeBash('git mv c.ts d.ts'),
  ...claudeBash('rm b.ts'),
  ...edit('/w/d.ts', 'new', 'newer')
]

/** Answers as a host does, a few steps at a time. `settled`: what is final. */
function fetchOf(
  files: RunFiles,
  most: number,
  settled = { files: files.paths.length, steps: files.steps, doubts: files.doubts }
) {
  return async ({ file, step, doubt }: { file: number; step: number; doubt: number }) => {
    const steps = files.columnsOfSteps(step, Math.max(0, Math.min(most, files.steps - step)))
    return {
      ...{ read: 1, rows: 1, problem: null, folder: files.sessionFolder, further: files.further, settled },
      total: { files: files.paths.length, steps: files.steps, doubts: files.doubts },
      paths: files.paths.slice(file, file + most),
      ...{ stepFile: steps.file, stepRow: steps.row, stepKind: steps.kind },
      ...files.columnsOfDoubts(doubt, Math.max(0, Math.min(most, files.doubts - doubt)))
    }
  }
}

const columnsOf = ({ rows }: RunIndex) => ({
  rows: rows.rows,
  seq: Int32Array.from({ length: rows.rows }, (_, row) => rows.seqOf(row))
})

async function loaded(touched: TouchedFiles): Promise<TouchedFiles> {
  const stop = touched.watch()
  await expect.poll(() => touched.isComplete).toBe(true)
  stop()
  return touched
}

test('the page counts as the index of files does, at every event', async () => {
  const { index, contents } = await filesOf(claudeTranscript, records)
  const { files } = contents
  const touched = await loaded(new TouchedFiles(fetchOf(files, 2), columnsOf(index)))
  expect(touched.paths).toEqual(files.paths)
  for (let seq = -1; seq < index.rows.events; seq++) {
    const states = touched.at(seq)
    expect(touched.at(seq)).toBe(states)
    for (const [file, counts] of files.counts(index, seq).entries()) {
      const doubted = counts === null || counts.deleted ? null : files.worstDoubt(index, file, counts.lastSeq, seq)
      expect({
        ...{ seq, file, reads: states.reads[file], edits: states.edits[file], last: states.last[file] },
        ...{ created: states.created[file], deleted: states.deleted[file], isDoubted: (states.doubt[file] ?? -1) >= 0 }
      }).toEqual({
        ...{ seq, file, reads: counts?.reads ?? 0, edits: counts?.edits ?? 0, last: counts?.lastSeq ?? -1 },
        ...{ created: counts?.created === true ? 1 : 0, deleted: counts?.deleted === true ? 1 : 0 },
        isDoubted: doubted !== null
      })
    }
  }
})

test('versions of a file are its events, and its state changes with each of them', async () => {
  const { index, contents } = await filesOf(claudeTranscript, records)
  const { files } = contents
  const touched = await loaded(new TouchedFiles(fetchOf(files, 100), columnsOf(index)))
  const a = touched.numberOf('/w/a.ts')
  const versions = touched.versionsOf(a)
  expect(versions.map(({ what, isChange }) => [what, isChange])).toEqual([
    ['shown', false],
    ['replaced', true],
    ['shown', false]
  ])
  const steps = new FileSteps(files, index, a)
  expect(versions.map(({ row }) => row)).toEqual(Array.from({ length: steps.count }, (_, at) => steps.at(at)?.row))
  expect(versions.every((step) => isChangeStep(step) === step.isChange)).toBe(true)
  const [first = -1, second = -1] = versions.map(({ seq }) => seq)
  for (const { seq } of versions) expect(touched.stateSeq(a, seq)).toBe(seq)
  // An event about another file changes nothing, a command that may change all files does.
  expect(touched.stateSeq(a, first + 1)).toBe(first)
  expect(touched.stateSeq(a, second + 10)).toBeGreaterThan(second)
})

test('a file is found by its path, or by an event and the end of its path', async () => {
  const { index, contents } = await filesOf(claudeTranscript, records)
  const touched = await loaded(new TouchedFiles(fetchOf(contents.files, 100), columnsOf(index)))
  const c = touched.numberOf('/w/c.ts')
  const [created] = touched.versionsOf(c)
  expect(touched.numberOf('./c.ts', created?.row ?? null)).toBe(c)
  expect(touched.numberOf('c.ts')).toBe(c)
  expect(touched.numberOf('none.ts')).toBe(-1)
  expect(touched.numberOf('/elsewhere/other.ts', 0)).toBe(-1)
})

test('steps that are not settled are loaded again when the log grows', async () => {
  const start = await filesOf(claudeTranscript, records.slice(0, 9))
  const whole = await filesOf(claudeTranscript, records)
  let files = start.contents.files
  const settled = { files: 1, steps: 1, doubts: 1 }
  const columns = columnsOf(whole.index)
  const touched = await loaded(new TouchedFiles(async (from) => await fetchOf(files, 100, settled)(from), columns))
  expect(touched.paths).toEqual(start.contents.files.paths)
  files = whole.contents.files
  const stop = touched.watch()
  touched.onGrown()
  await expect.poll(() => touched.steps).toBe(files.steps)
  expect(touched.paths).toEqual(files.paths)
  expect(touched.at(Infinity).last).toEqual(
    Int32Array.from(files.counts(whole.index, Infinity), (counts) => counts?.lastSeq ?? -1)
  )
  stop()
})
