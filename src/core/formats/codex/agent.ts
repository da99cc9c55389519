import type { Agent } from '../agent.ts'
import { scriptCalls } from './script-calls.ts'

export const codex: Agent = {
  name: 'OpenAI Codex',
  label: 'Codex',
  words: ['codex'],
  tools: {
    shell: [
      ...['shell', 'shell_command', 'local_shell', 'local_shell_call', 'command_execution'],
      ...['exec_command', 'exec', 'write_stdin', 'wait']
    ],
    read: ['view_image'],
    list: ['list_dir'],
    edit: ['apply_patch', 'patch', 'file_change'],
    search: ['grep_files'],
    web: ['web_search', 'web_search_call'],
    agent: ['spawn_agent', 'collab_tool_call']
  },
  asking: ['request_user_input'],
  scriptCalls
}
