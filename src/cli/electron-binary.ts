import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Path of the Electron program that is installed below `root`, null if there is none. Looks where the package would put it:
 * asking the package itself would start a download.
 */
export function electronBinary(root: string, variables: NodeJS.ProcessEnv): string | null {
  const given = variables['ELECTRON_EXEC_PATH']
  if (given) return existsSync(given) ? given : null
  const folder = join(root, 'node_modules', 'electron')
  try {
    const name = readFileSync(join(folder, 'path.txt'), 'utf8').trim()
    const binary = join(variables['ELECTRON_OVERRIDE_DIST_PATH'] || join(folder, 'dist'), name)
    return name !== '' && existsSync(binary) ? binary : null
  } catch {
    return null
  }
}
