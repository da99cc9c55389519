import { readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import * as z from 'zod'
import { LiveRun } from '#contract/live-runs.ts'
import { writeWhole } from '../whole-file.ts'

/** Identifies a process, also after its id is reused. */
export const ProcessIdentity = z.object({ pid: z.int().min(1), startTime: z.string().nullable() })
export type ProcessIdentity = z.infer<typeof ProcessIdentity>

/** The Playhead that started a run. `host` is its machine, as a home folder may be shared. */
export const RunOwner = ProcessIdentity.extend({ host: z.string() })
export type RunOwner = z.infer<typeof RunOwner>

/** The content of `run.json`: the last state of the run, and its owner. The prompt has a file of its own. */
export const RunManifest = LiveRun.omit({ own: true, prompt: true }).extend({
  manifest: z.literal(1),
  owner: RunOwner,
  /** The agent; null: not started, or unknown. */
  process: ProcessIdentity.nullable()
})
export type RunManifest = z.infer<typeof RunManifest>

const maxBytes = 4 << 20

/** As `readManifest`, synchronously: faster for many small files. */
export function readManifestNow(file: string): RunManifest {
  if (statSync(file).size > maxBytes) throw new RangeError('too large for a manifest')
  return RunManifest.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Throws if it is missing or invalid. */
export async function readManifest(file: string): Promise<RunManifest> {
  if ((await stat(file)).size > maxBytes) throw new RangeError('too large for a manifest')
  return RunManifest.parse(JSON.parse(await readFile(file, 'utf8')))
}

/** Atomic, also across a crash. */
export async function writeManifest(file: string, manifest: RunManifest): Promise<void> {
  await writeWhole(file, JSON.stringify(manifest, null, 2))
}
