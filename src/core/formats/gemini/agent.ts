import type { Agent } from '../agent.ts'

export const gemini: Agent = {
  name: 'Google Gemini',
  label: 'Gemini CLI',
  words: ['gemini', 'gemini-cli'],
  tools: {
    shell: ['run_shell_command'],
    read: ['read_file', 'read_many_files'],
    list: ['list_directory'],
    write: ['write_file'],
    edit: ['replace'],
    search: ['glob', 'grep_search', 'search_file_content'],
    web: ['web_fetch', 'google_web_search'],
    agent: ['invoke_agent']
  },
  asking: ['ask_user', 'exit_plan_mode']
}
