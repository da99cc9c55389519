import type { StoreSystem } from './log-store.ts'

/** A folder below another one, in the form of the platform. `parts` have no separators. */
export function below({ platform }: StoreSystem, folder: string, ...parts: readonly string[]): string {
  const separator = platform === 'win32' ? '\\' : '/'
  const base = folder.replace(platform === 'win32' ? /[\\/]+$/ : /\/+$/, '')
  return [base, ...parts].join(separator)
}

/** The folder that a variable names: absolute, or null where it is not set or names none. `~` is the home folder. */
export function folderIn(system: StoreSystem, variable: string): string | null {
  const value = system.variables[variable]?.trim() ?? ''
  if (value === '~') return system.home
  if (/^~[\\/]/.test(value)) return below(system, system.home, ...value.slice(2).split(/[\\/]/))
  const isAbsolute = system.platform === 'win32' ? /^(?:[a-z]:[\\/]|\\\\)/i.test(value) : value.startsWith('/')
  // What a relative one means depends on the folder that the agent was started in.
  return isAbsolute ? value : null
}
