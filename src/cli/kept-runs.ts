import { closeSync, openSync, readSync } from 'node:fs'
import type { Spared } from '#contract/live-runs.ts'
import { bytesText } from '#core/measure-text.ts'
import { oneLine } from '#core/index/one-line.ts'
import { isAbandoned } from '#backend/live-runs/kept-runs.ts'
import { RunArchive, type RunFolder } from '#backend/live-runs/run-archive.ts'
import { runFiles, type RunFiles, runsFolder } from '#backend/live-runs/run-folder.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { type Command, exitFine, exitUsage, parseCommandLine, UsageError } from './command.ts'
import { durationMs } from '#core/duration-ms.ts'
import { type Environment, say } from './environment.ts'
import { Output } from '#backend/export/output.ts'

const options = {
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  'older-than': { type: 'string' },
  keep: { type: 'string' }
} as const

type Flags = Readonly<{ json?: boolean; 'dry-run'?: boolean; 'older-than'?: string; keep?: string }>

export const runs: Command = {
  usage: 'runs [list | remove ID… | prune [--older-than 90d] [--keep N]] [--dry-run] [--json]',
  summary: 'list the live runs that Playhead recorded, or delete some',
  details: [
    'list               All runs, newest first, with their sizes.',
    '                   --json prints one line per run: id, agent, state, startedAt, endedAt (ms since the epoch), folder, recording, bytes.',
    '                   If run.json cannot be read, the state is "unreadable".',
    'remove ID…         Delete these runs: recording, prompt and standard error. This cannot be undone.',
    'prune              Delete runs that ended longer ago than --older-than (s, m, h, d).',
    '                   --keep N keeps the newest N. Runs with bookmarks or breakpoints stay. Unreadable runs stay.',
    '--dry-run          Show what would be deleted, and delete nothing.',
    '',
    'Active runs are never deleted. Lost runs stay until you settle them. Recordings outside the run folder (run -o LOG) stay.',
    'Exit codes: 0 success, 2 wrong use, or a named run could not be deleted.'
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const [word = 'list', ...ids] = positionals
    const state = stateFolder(environment.variables, environment.platform)
    const archive = new RunArchive(state)
    if (word !== 'prune' && (values.keep !== undefined || values['older-than'] !== undefined))
      throw new UsageError('--older-than and --keep need "runs prune"')
    if (word !== 'remove' && ids.length > 0) throw new UsageError(`unexpected argument "${ids[0]}"`)
    if (word === 'list') return await list(archive, runsFolder(state), values, environment)
    if (word === 'remove') return await remove(archive, ids, values, environment)
    if (word === 'prune') return await prune(archive, values, environment)
    throw new UsageError(`unknown subcommand "${word}"; use list, remove or prune`)
  }
}

async function list(archive: RunArchive, folder: string, flags: Flags, environment: Environment): Promise<number> {
  if (flags['dry-run'] === true) throw new UsageError('--dry-run needs "runs remove" or "runs prune"')
  const output = new Output(environment.stdout)
  const found = await archive.folders()
  for (const each of found) {
    const files = runFiles(folder, each.run)
    const state = await stateOf(each, files)
    output.line(flags.json === true ? asJson(each, files, state) : asText(each, files, state))
    if (output.isFull) await output.flush()
  }
  await output.flush()
  say(environment, `${counted(found.length)}, ${bytesText(sum(found))} in ${folder}`)
  return exitFine
}

async function remove(
  archive: RunArchive,
  ids: readonly string[],
  flags: Flags,
  environment: Environment
): Promise<number> {
  if (ids.length === 0) throw new UsageError('no runs given; "playhead runs" lists their ids')
  const isDry = flags['dry-run'] === true
  const { removed, spared } = await archive.remove([...new Set(ids)], { named: true, isDry })
  await report(removed, spared, flags, environment)
  return spared.length === 0 ? exitFine : exitUsage
}

async function prune(archive: RunArchive, flags: Flags, environment: Environment): Promise<number> {
  const { keep, 'older-than': age } = flags
  if (keep === undefined && age === undefined)
    throw new UsageError('no runs selected; give --older-than 90d, --keep N, or both')
  if (keep !== undefined && !/^\d{1,7}$/.test(keep))
    throw new UsageError(`--keep ${keep}: give a whole number of runs to keep`)
  const ms = age === undefined ? null : durationMs(age)
  if (age !== undefined && ms === null) throw new UsageError(`--older-than ${age}: write it like 90d or 12h`)
  const endedBefore = ms === null ? null : environment.now() - ms
  const plan = await archive.plan({ keep: keep === undefined ? null : Number(keep), endedBefore })
  const isDry = flags['dry-run'] === true
  const ids = plan.runs.map(({ run }) => run)
  const { removed, spared } = await archive.remove(ids, { named: false, isDry })
  await report(removed, [...plan.spared, ...spared], flags, environment)
  return spared.length === 0 ? exitFine : exitUsage
}

/** Prints removed runs on stdout, kept runs and the freed bytes on stderr. */
async function report(
  removed: readonly RunFolder[],
  spared: readonly Spared[],
  flags: Flags,
  environment: Environment
): Promise<void> {
  const isDry = flags['dry-run'] === true
  const output = new Output(environment.stdout)
  for (const { run, bytes } of removed) {
    output.line(
      flags.json === true ? JSON.stringify({ id: run, bytes, removed: !isDry }) : `${run}  ${bytesText(bytes)}`
    )
  }
  await output.flush()
  for (const { run, why } of spared) say(environment, `${run} was kept: ${why}`)
  say(environment, `${isDry ? 'would delete' : 'deleted'} ${counted(removed.length)}, ${bytesText(sum(removed))}`)
}

async function stateOf({ manifest }: RunFolder, files: RunFiles): Promise<string> {
  if (manifest === null) return 'unreadable'
  return manifest.endedAt === null && (await isAbandoned(manifest, files)) ? 'lost' : manifest.state
}

function asJson({ run, bytes, manifest }: RunFolder, { folder }: RunFiles, state: string): string {
  const { agent = null, startedAt = null, endedAt = null, recording = null } = manifest ?? {}
  return JSON.stringify({ id: run, agent, state, startedAt, endedAt, folder, recording, bytes })
}

function asText({ run, bytes, manifest }: RunFolder, { prompt }: RunFiles, state: string): string {
  const time = manifest === null ? '' : new Date(manifest.startedAt).toISOString().slice(0, 16).replace('T', ' ')
  const agent = manifest?.agent ?? ''
  const columns = [run.padEnd(28), time.padEnd(16), agent.padEnd(6), state.padEnd(10), bytesText(bytes).padStart(8)]
  return `${columns.join('  ')}  ${promptStart(prompt)}`.trimEnd()
}

/** The first words of a prompt. */
function promptStart(file: string): string {
  try {
    const opened = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(200)
      return oneLine(bytes.toString('utf8', 0, readSync(opened, bytes, 0, bytes.length, 0))).slice(0, 60)
    } finally {
      closeSync(opened)
    }
  } catch {
    return ''
  }
}

function sum(folders: readonly RunFolder[]): number {
  return folders.reduce((all, { bytes }) => all + bytes, 0)
}

function counted(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`
}
