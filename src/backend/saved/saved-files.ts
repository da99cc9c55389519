import { createHash } from 'node:crypto'
import type { LogSource } from '../sources/log-source.ts'
import type { Run } from '../sources/run.ts'

/** What is compared of a file that may have grown: pieces of what was read of it. */
const sampleBytes = 4096
const samples = 16

/** A file of a run as it was when something was kept of it: plain values. */
export interface SavedFile {
  readonly name: string | null
  /** What else the fold was told of it (`RunFile`). */
  readonly callId: string | null
  /** Which file it is. */
  readonly device: string
  readonly inode: string
  readonly born: string
  /** Its length and when it was written last, as the system said. */
  readonly bytes: number
  readonly modified: string
  /** Bytes that were read of it, as far as they were kept. */
  readonly indexed: number
  /** Of samples of those bytes. */
  readonly print: string
}

/** The files of a run as they are now. `indexed`: by the number of a file, how many of its bytes were read. Rejects where one cannot be read. */
export async function savedFiles(run: Run, indexed: (file: number) => number): Promise<SavedFile[]> {
  const callIds = new Map(run.found.files.map(({ name, callId }) => [name, callId]))
  return await Promise.all(
    run.files.map(({ name, source }, i) => {
      return savedFile(name, name === undefined ? undefined : callIds.get(name), source, indexed(i))
    })
  )
}

async function savedFile(
  name: string | undefined,
  callId: string | undefined,
  source: LogSource,
  indexed: number
): Promise<SavedFile> {
  const { device, inode, born, bytes, modified } = await source.facts()
  return {
    name: name ?? null,
    callId: callId ?? null,
    ...{ device: String(device), inode: String(inode), born: String(born), bytes, modified: String(modified), indexed },
    print: await printOf(source, indexed)
  }
}

async function printOf(source: LogSource, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  const last = Math.max(0, bytes - sampleBytes)
  for (let sample = 0; sample < samples; sample++) {
    const at = Math.floor((last * sample) / (samples - 1))
    hash.update(await source.read(at, Math.min(sampleBytes, bytes - at)))
  }
  return hash.digest('base64url')
}
