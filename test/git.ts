import { execFileSync, spawnSync } from 'node:child_process'

/** This machine has git. */
export const hasGit = spawnSync('git', ['--version']).status === 0

/** Runs git in a folder, and gives what it printed. Throws where it fails. */
export function git(cwd: string, args: readonly string[], input?: string): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] })
}
