/** `type`s of stream-json: docs/formats/claude-stream-json.md#types-that-mean-no-event. */
export const streamRecordTypes: ReadonlySet<string> = new Set([
  ...['rate_limit_event', 'tool_progress', 'tool_use_summary', 'auth_status', 'prompt_suggestion', 'active_goal'],
  ...['conversation_reset', 'command_lifecycle', 'control_request', 'control_response', 'control_cancel_request'],
  ...['keep_alive', 'transcript_mirror'],
  // docs/formats/claude-stream-json.md#blocks-at-the-top-level-are-read
  ...['tool_use', 'tool_result', 'content_block_delta', 'content_block_start', 'content_block_stop'],
  ...['message_start', 'message_delta', 'message_stop', 'ping']
])

/** `system` subtypes of stream-json: docs/formats/claude-stream-json.md#system-records-by-subtype. */
export const streamSubtypes: ReadonlySet<string> = new Set([
  ...['init', 'status', 'compact_boundary', 'api_retry', 'hook_started', 'hook_progress', 'hook_response'],
  ...['task_started', 'task_progress', 'task_updated', 'task_notification', 'background_tasks_changed'],
  ...['thinking_tokens', 'permission_denied', 'informational', 'notification', 'local_command_output'],
  ...['model_refusal_fallback', 'model_refusal_no_fallback', 'session_state_changed', 'commands_changed'],
  ...['memory_recall', 'files_persisted', 'plugin_install', 'elicitation_complete', 'mirror_error'],
  ...['session_writes_lost', 'worker_shutting_down', 'control_request_progress', 'session_title_changed']
])

/** Bookkeeping `type`s of transcripts: docs/formats/claude-transcript.md#bookkeeping-lines-mean-no-event. */
export const transcriptRecordTypes: ReadonlySet<string> = new Set([
  ...['progress', 'summary', 'queue-operation', 'file-history-snapshot', 'file-history-delta'],
  ...['api-request', 'api-request-shape', 'api-request-blob', 'custom-title', 'ai-title', 'agent-name', 'agent-color'],
  ...['agent-setting', 'tag', 'mode', 'permission-mode', 'last-prompt', 'bridge-session', 'pr-link', 'frame-link'],
  ...['worktree-state', 'cost-state', 'tools-used', 'atis-latch', 'isolation-latch', 'session-owner'],
  ...['content-replacement', 'continued-in', 'ended-by-model', 'relocated', 'derived-from', 'fork-context-ref'],
  ...['observer-ref', 'attribution-snapshot', 'memory-mode', 'history-suppression', 'speculation-accept']
])

/** `system` subtypes of transcripts: docs/formats/claude-transcript.md#system-lines-with-text-are-a-status. */
export const transcriptSubtypes: ReadonlySet<string> = new Set([
  ...['compact_boundary', 'microcompact_boundary', 'api_error', 'stop_hook_summary', 'turn_duration'],
  ...['local_command', 'informational', 'away_summary', 'scheduled_task_fire', 'bridge_status'],
  ...['model_refusal_fallback', 'model_refusal_no_fallback']
])
