import { createWriteStream, type Stats } from 'node:fs'
import { chmod, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { HostError } from '#contract/host-error.ts'
import { writeFailure } from '../write-failure.ts'
import { draftOf, forgetDraft, removeDeadDrafts } from './draft-files.ts'
import { Output } from './output.ts'

const ownerOnly = 0o600

/** A file that is complete after `finish` and unchanged after `discard`. */
export interface OutputFile {
  readonly output: Output
  finish(): Promise<void>
  discard(): Promise<void>
}

/**
 * Opens a file that replaces an old one when complete. Pipes and devices are written directly. Throws a `HostError` for
 * `input`, the log, by any path or link. New files are for the owner only; old permissions stay as far as the log has them.
 */
export async function outputFile(path: string, input: string): Promise<OutputFile> {
  const present = await statOf(path)
  const read = await statOf(input)
  if (present && read && present.dev === read.dev && present.ino === read.ino) {
    throw new HostError('bad-params', `${path} is the log itself. Choose another file.`)
  }
  if (present?.isDirectory()) throw new HostError('bad-params', `${path} is a folder. Choose a file.`)
  return present && !present.isFile() ? await direct(path) : await replacing(path, present, read?.mode ?? ownerOnly)
}

async function direct(path: string): Promise<OutputFile> {
  const stream = await opened(createWriteStream(path), path)
  return {
    output: new Output(stream, path),
    finish: () => ended(stream, path),
    discard: async () => void stream.destroy()
  }
}

async function replacing(path: string, present: Stats | null, logMode: number): Promise<OutputFile> {
  // A link stays; its target is replaced.
  const target = present ? await realpath(path) : resolve(path)
  await removeDeadDrafts(dirname(target))
  const draft = draftOf(target)
  const stream = await opened(
    createWriteStream(draft, { flags: 'wx', mode: logMode & ownerOnly, flush: true }),
    path
  ).catch((error: unknown) => {
    forgetDraft(draft)
    throw error
  })
  return {
    output: new Output(stream, path),
    async finish() {
      await ended(stream, path)
      try {
        if (present) await chmod(draft, present.mode & logMode & 0o777)
        await rename(draft, target)
      } catch (error) {
        throw writeFailure(path, error)
      }
      forgetDraft(draft)
    },
    async discard() {
      stream.destroy()
      await rm(draft, { force: true })
      forgetDraft(draft)
    }
  }
}

async function opened<S extends Writable>(stream: S, path: string): Promise<S> {
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve())
    stream.once('error', (error: NodeJS.ErrnoException) => {
      reject(writeFailure(path, error))
    })
  })
  return stream
}

async function ended(stream: Writable, path: string): Promise<void> {
  stream.end()
  await finished(stream).catch((error: unknown) => {
    throw writeFailure(path, error)
  })
}

async function statOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path)
  } catch {
    return null
  }
}
