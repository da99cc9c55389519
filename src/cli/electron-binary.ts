import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { findProgram } from '#backend/live-runs/find-program.ts'
import { ProgramVersions } from '#backend/live-runs/program-version.ts'

/** The page is built for Chromium 140 (`electron.vite.config.ts`), which Electron 38 contains. */
const oldestElectron = 38

/** `reason` follows "because". */
export type FoundElectron = { readonly path: string } | { readonly path: null; readonly reason: string }

/**
 * In this order: `ELECTRON_EXEC_PATH`, the installed package, programs on PATH. Only the latter are run for their
 * version.
 */
export async function findElectron(
  root: string,
  variables: NodeJS.ProcessEnv,
  platform: NodeJS.Platform
): Promise<FoundElectron> {
  const given = variables['ELECTRON_EXEC_PATH']
  if (given) {
    return existsSync(given)
      ? { path: given }
      : { path: null, reason: 'ELECTRON_EXEC_PATH names a file that does not exist' }
  }
  const own = ownElectron(root, variables)
  if (own !== null) return { path: own }
  const onPath = systemElectrons(variables, platform)
  const versions = new ProgramVersions()
  let reason = "Electron's program is not installed"
  for (const path of onPath) {
    const version = await versions.of(path, ['--version'], variables)
    if (version !== null && Number.parseInt(version, 10) >= oldestElectron) return { path }
    reason =
      version === null
        ? `${path} does not report its Electron version`
        : `${path} is Electron ${version}, but Playhead needs ${oldestElectron} or newer`
  }
  return { path: null, reason }
}

function systemElectrons(variables: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const folders = (variables['PATH'] ?? variables['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  const endings = platform === 'win32' ? ['.exe'] : []
  return [...new Set(folders)].flatMap((folder) => {
    const found = findProgram('electron', { folders: [folder], endings })
    if (found === null) return []
    const file = realpathSync(found)
    // npm puts a script on PATH that downloads Electron if its program is missing.
    if (basename(file) !== 'cli.js') return [found]
    const binary = binaryOf(dirname(file), variables)
    return binary === null ? [] : [binary]
  })
}

/**
 * The Electron program in or beside the package at `root`; null: none. Loading the electron package itself would start
 * a download.
 */
export function ownElectron(root: string, variables: NodeJS.ProcessEnv): string | null {
  const below = join(root, 'node_modules')
  // `npm install playhead electron` puts them side by side.
  const folders = basename(dirname(root)) === 'node_modules' ? [below, dirname(root)] : [below]
  for (const folder of folders) {
    const binary = binaryOf(join(folder, 'electron'), variables)
    if (binary !== null) return binary
  }
  return null
}

function binaryOf(folder: string, variables: NodeJS.ProcessEnv): string | null {
  try {
    const name = readFileSync(join(folder, 'path.txt'), 'utf8').trim()
    const binary = join(variables['ELECTRON_OVERRIDE_DIST_PATH'] || join(folder, 'dist'), name)
    return name !== '' && existsSync(binary) ? binary : null
  } catch {
    return null
  }
}
