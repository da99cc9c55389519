import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claudeFolderRun } from '../../../test/invented-runs.ts'
import { FolderWatch } from './folder-watch.ts'
import { Run } from './run.ts'
import { RunWatches } from './run-watches.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'playhead-run-watches-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true })
})

test('asked to look at all files, it sees what nobody told of', async () => {
  // As it is on a network mount, or of what was written while the machine slept.
  vi.spyOn(FolderWatch, 'start').mockReturnValue(null)
  const run = await Run.open({ path: claudeFolderRun(root), format: null, single: false })
  const watches = new RunWatches(run, () => {})
  const beside = run.files[1]?.source.path ?? ''
  expect((await watches.look()).differs).toBe(false)
  writeFileSync(join(root, 'another'), '')
  renameSync(join(root, 'another'), beside)
  watches.lookAtAll()
  const { differs, changing } = await watches.look()
  // It counts as being written until it was left alone for a moment.
  expect(differs || changing).toBe(true)
  watches.close()
  await run.close()
})
