/** What a tool does, as far as its name tells: of the tools that agents bring with them. */
export type ToolKind = 'shell' | 'read' | 'list' | 'write' | 'edit' | 'search' | 'web' | 'agent'

/** Names in lower case. */
const names: Readonly<Record<ToolKind, readonly string[]>> = {
  shell: [
    ...['bash', 'bashoutput', 'killshell', 'killbash', 'taskoutput', 'shell', 'shell_command', 'local_shell'],
    ...['local_shell_call', 'command_execution', 'exec_command', 'exec', 'write_stdin', 'wait', 'run_shell_command']
  ],
  read: ['read', 'read_file', 'read_many_files', 'notebookread', 'view_image'],
  list: ['ls', 'list_directory', 'list_dir'],
  write: ['write', 'write_file'],
  edit: ['edit', 'multiedit', 'notebookedit', 'apply_patch', 'patch', 'replace', 'file_change'],
  search: ['grep', 'glob', 'toolsearch', 'grep_search', 'search_file_content', 'grep_files'],
  web: ['webfetch', 'websearch', 'web_search', 'web_search_call', 'web_fetch', 'google_web_search'],
  agent: ['agent', 'task', 'spawn_agent', 'invoke_agent', 'collab_tool_call']
}

const kinds = new Map(
  Object.entries(names).flatMap(([kind, all]) => all.map((name) => [name, kind as ToolKind] as const))
)

/** Null for a tool of a server, and for one nobody knows. */
export function toolKind(name: string): ToolKind | null {
  return kinds.get(name.toLowerCase()) ?? null
}
