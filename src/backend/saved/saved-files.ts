import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { LogSource } from '../sources/log-source.ts'
import type { Run } from '../sources/run.ts'

/** Size of a sample of the content. */
const sampleBytes = 4096
const samples = 16

/** A file of a run when its index was saved. */
export const SavedFile = z.object({
  name: z.string().nullable(),
  /** See `RunFile`. */
  callId: z.string().nullable(),
  device: z.string(),
  inode: z.string(),
  born: z.string(),
  /** Size and mtime. */
  bytes: z.number(),
  modified: z.string(),
  /** Bytes that are in the index. */
  indexed: z.number(),
  /** A hash of samples of these bytes. */
  print: z.string()
})
export type SavedFile = z.infer<typeof SavedFile>

/** The current files of a run. `indexed` returns the bytes of a file that are in the index. Rejects if a file is unreadable. */
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
    print: await hashOf(source, indexed)
  }
}

async function hashOf(source: LogSource, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  const last = Math.max(0, bytes - sampleBytes)
  for (let sample = 0; sample < samples; sample++) {
    const at = Math.floor((last * sample) / (samples - 1))
    hash.update(await source.read(at, Math.min(sampleBytes, bytes - at)))
  }
  return hash.digest('base64url')
}
