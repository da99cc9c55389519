import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Path of the Electron program that is installed with the package at `root`, below it or beside it; null if there is none. Looks where
 * the package would put it: asking the package itself would start a download.
 */
export function electronBinary(root: string, variables: NodeJS.ProcessEnv): string | null {
  const given = variables['ELECTRON_EXEC_PATH']
  if (given) return existsSync(given) ? given : null
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
