import { systemCode } from '../write-failure.ts'

const whys: Readonly<Record<string, string>> = {
  EIO: 'the disk reports an error',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its path is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOENT: 'it no longer exists',
  ESTALE: 'its disk is not available'
}

/** A sentence. */
export function folderProblem(error: unknown): string {
  const code = systemCode(error) ?? 'unknown'
  return `This folder cannot be read: ${code === 'EACCES' || code === 'EPERM' ? 'permission denied' : (whys[code] ?? code)}.`
}

/** A sentence. */
export function fileProblem(error: unknown): string {
  const code = systemCode(error) ?? 'unknown'
  return `This file cannot be read: ${code === 'EACCES' || code === 'EPERM' ? 'permission denied' : (whys[code] ?? code)}.`
}
