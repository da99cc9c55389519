import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, extname, isAbsolute, join, resolve, sep } from 'node:path'
import { isNewerVersion, isVersion } from '../versions.ts'

/** Where programs are looked for, and how they are told. */
export interface ProgramPlaces {
  readonly folders: readonly string[]
  /** Endings of programs on Windows, with their dot and in lower case; elsewhere none. */
  readonly endings: readonly string[]
}

/**
 * The folders of PATH, then those into which the agents' installers put them: an app that was started from a desktop has
 * a PATH that knows nothing of what a shell's start files add to it.
 */
export function programPlaces(
  variables: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  home = homedir()
): ProgramPlaces {
  const onPath = foldersOnPath(variables).filter((folder) => isAbsolute(folder))
  const known = ['.local/bin', '.claude/local', '.npm-global/bin', '.bun/bin', '.volta/bin', '.local/share/mise/shims']
  const own =
    platform === 'win32'
      ? []
      : [...known.map((folder) => join(home, folder)), '/usr/local/bin', '/opt/homebrew/bin', ...nodeVersions(home)]
  const endings = platform === 'win32' ? (variables['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';') : []
  return { folders: [...new Set([...onPath, ...own])], endings: endings.filter((ending) => ending !== '') }
}

/**
 * The folders of PATH that are named relative to whatever folder a program runs in. They are left out: which program that is would depend on where Playhead
 * was started, and whoever can write into that folder could have theirs run.
 */
export function relativeFolders(variables: NodeJS.ProcessEnv): string[] {
  return foldersOnPath(variables).filter((folder) => folder !== '' && !isAbsolute(folder))
}

function foldersOnPath(variables: NodeJS.ProcessEnv): string[] {
  return (variables['PATH'] ?? variables['Path'] ?? '').split(delimiter)
}

/** Where nvm has a Node for each version, whose packages lie beside it; the newest first. */
function nodeVersions(home: string): string[] {
  const folder = join(home, '.nvm', 'versions', 'node')
  try {
    const versions = readdirSync(folder).filter(isVersion)
    return versions.sort((a, b) => (isNewerVersion(a, b) ? -1 : 1)).map((version) => join(folder, version, 'bin'))
  } catch {
    return []
  }
}

/** The file of a program of this name, the first one that may be run; null: there is none. */
export function findProgram(name: string, { folders, endings }: ProgramPlaces): string | null {
  const names =
    endings.length === 0 || endings.includes(extname(name).toLowerCase())
      ? [name]
      : endings.map((ending) => name + ending)
  for (const folder of folders) {
    const found = names.map((file) => join(folder, file)).find((file) => problemOf(file) === null)
    if (found !== undefined) return found
  }
  return null
}

/** Whether a person meant a file and not a name. */
export function isPath(command: string): boolean {
  return command.includes('/') || command.includes(sep) || command.startsWith('~')
}

/** The file a person means; `~` is their home. */
export function pathOf(command: string, home = homedir()): string {
  return command === '~' || /^~[/\\]/.test(command) ? join(home, command.slice(1)) : resolve(command)
}

/** Why a file is no program, to go on a sentence that begins with its path; null: it is one. */
export function problemOf(file: string): string | null {
  try {
    const facts = statSync(file)
    if (facts.isDirectory()) return 'is a folder'
    if (!facts.isFile()) return 'is not a regular file'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES'
      ? 'cannot be accessed'
      : 'does not exist'
  }
  try {
    accessSync(file, constants.X_OK)
    return null
  } catch {
    return 'is not executable'
  }
}
