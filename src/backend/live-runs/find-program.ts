import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, extname, isAbsolute, join, resolve, sep } from 'node:path'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import { isNewerVersion, isVersion } from '../versions.ts'

/** Where to search for programs. */
export interface ProgramPlaces {
  readonly folders: readonly string[]
  /** File extensions of programs on Windows, in lower case, with the dot; elsewhere empty. */
  readonly endings: readonly string[]
}

/** The folders of PATH, then those of the agents' installers: a desktop app's PATH lacks what shell profiles add. */
export function programPlaces(
  variables: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  home = homedir()
): ProgramPlaces {
  const onPath = foldersOnPath(variables).filter((folder) => isAbsolute(folder))
  const installed = Object.values(agentPrograms).flatMap(({ installFolders }) => installFolders)
  const shared = ['.npm-global/bin', '.bun/bin', '.volta/bin', '.local/share/mise/shims']
  const known = ['.local/bin', ...installed, ...shared]
  const own =
    platform === 'win32'
      ? []
      : [...known.map((folder) => join(home, folder)), '/usr/local/bin', '/opt/homebrew/bin', ...nodeVersions(home)]
  const endings = platform === 'win32' ? (variables['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';') : []
  return { folders: [...new Set([...onPath, ...own])], endings: endings.filter((ending) => ending !== '') }
}

/** Relative folders of PATH are ignored: who can write to the working folder could plant a program. */
export function relativeFolders(variables: NodeJS.ProcessEnv): string[] {
  return foldersOnPath(variables).filter((folder) => folder !== '' && !isAbsolute(folder))
}

function foldersOnPath(variables: NodeJS.ProcessEnv): string[] {
  return (variables['PATH'] ?? variables['Path'] ?? '').split(delimiter)
}

/** The folders of nvm's Node versions, newest first. */
function nodeVersions(home: string): string[] {
  const folder = join(home, '.nvm', 'versions', 'node')
  try {
    const versions = readdirSync(folder).filter(isVersion)
    return versions.sort((a, b) => (isNewerVersion(a, b) ? -1 : 1)).map((version) => join(folder, version, 'bin'))
  } catch {
    return []
  }
}

/** The first executable file of this name; null: none. */
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

/** Whether it is a path and not a name. */
export function isPath(command: string): boolean {
  return command.includes('/') || command.includes(sep) || command.startsWith('~')
}

/** Expands `~` and makes the path absolute. */
export function pathOf(command: string, home = homedir()): string {
  return command === '~' || /^~[/\\]/.test(command) ? join(home, command.slice(1)) : resolve(command)
}

/** Why a file is no program, to follow its path in a sentence; null: it is one. */
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
