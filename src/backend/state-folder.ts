import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder for state kept between starts: `PLAYHEAD_STATE_DIR`, else the platform's. */
export function stateFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform
): string {
  const given = env['PLAYHEAD_STATE_DIR']
  if (given) return given
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Playhead')
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Playhead')
  return join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'playhead')
}

/** The database of tasks and tool results. */
export function tasksFile(state: string): string {
  return join(state, 'tasks.db')
}
