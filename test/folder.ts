import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the tests of a file put their logs: each file has its own, also where several share a process. */
export let folder = ''

/** Before a file is imported. */
export function renewFolder(): string {
  folder = mkdtempSync(join(tmpdir(), 'playhead-test-file-'))
  return folder
}
