/** Looks of real logs that show another content than was told, by line. `stale`: the view said that it may have changed. */
export const wrongLooks: readonly string[] = [
  'claude-stream-json/presmihaylov__claudecontrol__879828b3.jsonl 115 stale',
  'claude-transcript/d-kimuson__claude-code-viewer__fa5d7b90.jsonl 219 stale',
  'claude-transcript/d-kimuson__claude-code-viewer__fa5d7b90.jsonl 221 stale',
  'claude-transcript/d-kimuson__claude-code-viewer__fa5d7b90.jsonl 242 stale',
  'claude-transcript/d-kimuson__claude-code-viewer__fa5d7b90.jsonl 244 stale',
  'claude-transcript/d-kimuson__claude-code-viewer__fa5d7b90.jsonl 246 stale',
  'claude-transcript/dagster-io__erk__a98d6941.jsonl 936 stale',
  'claude-transcript/entireio__cli__1a2aeb4e.jsonl 255 stale',
  'claude-transcript/entireio__cli__64321a2b.jsonl 132 stale',
  'claude-transcript/entireio__cli__64321a2b.jsonl 225 stale',
  'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl 212 stale',
  'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl 295 stale',
  'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl 319 stale',
  'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl 605 stale',
  'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl 716 stale',
  'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl 773 stale',
  'codex-exec-json/alexeygrigorev__heru__233baa1c.jsonl 48 quiet',
  'codex-rollout/Monotoba__OpenPrintKit__c289a126.jsonl 587 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1176 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1246 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1330 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1511 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1587 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1687 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1852 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1854 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1855 stale',
  'codex-rollout/Quelklef__shell-ws__534c34e5.jsonl 1866 stale',
  'codex-rollout/jdx__mise__7bd5d057.jsonl 983 stale',
  'codex-rollout/jdx__mise__7bd5d057.jsonl 1068 stale',
  'codex-rollout/jdx__mise__7bd5d057.jsonl 1952 stale',
  'gemini-chat/entireio__cli__8b4f3f55.json 342 stale',
  // Formatters, run by the hook of a commit or by a script.
  '../corpus-next/other-agents/pi/pi-mono__before-compaction.jsonl 82 stale',
  '../corpus-next/other-agents/pi/pi-mono__before-compaction.jsonl 94 stale',
  '../corpus-next/other-agents/pi/pi-mono__before-compaction.jsonl 230 stale',
  '../corpus-next/other-agents/pi/pi-mono__before-compaction.jsonl 250 stale',
  '../corpus-next/other-agents/pi/pi-mono__before-compaction.jsonl 446 stale',
  '../corpus-next/other-agents/pi/pi-mono__before-compaction.jsonl 709 stale',
  '../corpus-next/other-agents/pi/pi-mono__before-compaction.jsonl 778 stale',
  '../corpus-next/other-agents/pi/ivoba__dotfiles__9078454b.jsonl 28 stale'
]

/** Looks of real logs at whole files after edits, by line, that show what was told. Checked by hand. */
export const exactLooks: readonly string[] = [
  'claude-stream-json/marquex__trackgentic__2a00ec2d.jsonl 75',
  'claude-transcript/dagster-io__erk__76f9e465.jsonl 169',
  'claude-transcript/dagster-io__erk__a98d6941.jsonl 489',
  'claude-transcript/dagster-io__erk__a98d6941.jsonl 1002',
  'claude-transcript/dagster-io__erk__a98d6941.jsonl 1158',
  'claude-transcript/entireio__cli__27fe42cd.jsonl 492',
  'claude-transcript/entireio__cli__36ec89aa.jsonl 244',
  'claude-transcript/entireio__cli__b8fdde18.jsonl 60',
  'claude-transcript/entireio__cli__fc44860a.jsonl 286',
  'claude-transcript/entireio__cli__fc44860a.jsonl 474',
  'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl 272',
  'claude-transcript/slopus__happy__df2a8a03.jsonl 104',
  // After an edit by nothing, which takes the line end with it.
  'claude-transcript/dagster-io__erk__a98d6941.jsonl 1059',
  'claude-transcript/dagster-io__erk__a98d6941.jsonl 1070',
  // After an edit whose `structuredPatch` has other white space than the file.
  'claude-transcript/entireio__cli__27fe42cd.jsonl 85',
  'claude-transcript/entireio__cli__36ec89aa.jsonl 72',
  'claude-transcript/entireio__cli__b8fdde18.jsonl 27',
  // After a read that only says that the file is unchanged.
  'claude-stream-json/marquex__trackgentic__2a00ec2d.jsonl 54'
]

/** Files of real logs at their end: the log, the end of the path, lines that are known, and whether all are. */
export const knownEnds: readonly (readonly [log: string, path: string, lines: number, isFull: boolean])[] = [
  // The last lines that `head` showed are blank, and not the end of the file.
  ['codex-rollout/Python-AI-Solutions__agentic-neurodata-conversion__46ac2855.jsonl', '\\AGENTS.md', 272, false],
  // Results without notes: their text alone has the lines, with numbers.
  ['claude-stream-json/BloopAI__vibe-kanban__75bfb7fb.jsonl', '/project.rs', 209, true],
  ['claude-stream-json/BloopAI__vibe-kanban__75bfb7fb.jsonl', '/TaskKanbanBoard.tsx', 100, true]
]

/** Real logs of other agents with events about files, beside the corpus. */
export const otherLogs: readonly string[] = [
  '../corpus-next/other-agents/opencode/tsutoringo__shui__3ea5cea8.json',
  '../corpus-next/other-agents/pi/pi-mono__before-compaction.jsonl',
  '../corpus-next/other-agents/pi/ivoba__dotfiles__9078454b.jsonl',
  '../corpus-next/other-agents/pi/prime-radiant__pi-session.slice.jsonl',
  '../corpus-next/other-agents/openclaw/jazzyalex__large.jsonl',
  '../corpus-next/other-agents/iflow/session-5de701fc.jsonl',
  '../corpus-next/other-agents/openhands/trajs-basic.json'
]
