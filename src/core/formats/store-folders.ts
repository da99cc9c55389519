import type { StoreSystem } from './log-store.ts'

/** Joins paths with the platform's separator. `parts` have none. */
export function below({ platform }: StoreSystem, folder: string, ...parts: readonly string[]): string {
  const separator = platform === 'win32' ? '\\' : '/'
  const base = folder.replace(platform === 'win32' ? /[\\/]+$/ : /\/+$/, '')
  return [base, ...parts].join(separator)
}

/** The absolute folder in an environment variable; null if unset or relative. `~` is the home folder. */
export function folderIn(system: StoreSystem, variable: string): string | null {
  const value = system.variables[variable]?.trim() ?? ''
  if (value === '~') return system.home
  if (/^~[\\/]/.test(value)) return below(system, system.home, ...value.slice(2).split(/[\\/]/))
  const isAbsolute = system.platform === 'win32' ? /^(?:[a-z]:[\\/]|\\\\)/i.test(value) : value.startsWith('/')
  // A relative one depends on the agent's working folder.
  return isAbsolute ? value : null
}
