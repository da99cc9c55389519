import { readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import * as z from 'zod'
import { LiveRun } from '#contract/live-runs.ts'
import { writeWhole } from '../whole-file.ts'

/** A process, told from a later one that has its number. */
export const ProcessMark = z.object({ pid: z.int().min(1), startTime: z.string().nullable() })
export type ProcessMark = z.infer<typeof ProcessMark>

/** The Playhead that started a run. `host`: the machine it runs on; several may share a person's home. */
export const RunOwner = ProcessMark.extend({ host: z.string() })
export type RunOwner = z.infer<typeof RunOwner>

/** What `run.json` holds: the run as it was when it last changed, and who is responsible for it. The prompt lies beside it. */
export const RunManifest = LiveRun.omit({ own: true, prompt: true }).extend({
  manifest: z.literal(1),
  owner: RunOwner,
  /** The agent; null: it has not been started, or that is not known. */
  process: ProcessMark.nullable()
})
export type RunManifest = z.infer<typeof RunManifest>

const maxBytes = 4 << 20

/** As `readManifest`, before it returns: for many at once, of which each costs little. */
export function readManifestNow(file: string): RunManifest {
  if (statSync(file).size > maxBytes) throw new RangeError('too large for a manifest')
  return RunManifest.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Throws where there is none, or none that can be understood. */
export async function readManifest(file: string): Promise<RunManifest> {
  if ((await stat(file)).size > maxBytes) throw new RangeError('too large for a manifest')
  return RunManifest.parse(JSON.parse(await readFile(file, 'utf8')))
}

/** Atomic: a reader finds the one before or this one, also after a crash. */
export async function writeManifest(file: string, manifest: RunManifest): Promise<void> {
  await writeWhole(file, JSON.stringify(manifest, null, 2))
}
