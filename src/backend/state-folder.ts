import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where Playhead keeps what it remembers between starts. `PLAYHEAD_STATE_DIR` overrides the platform's own place. */
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
