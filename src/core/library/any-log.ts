const logName = /\.(?:jsonl|ndjson|json|jsonl\.zst|db)$/i
const skipped = new Set(['node_modules', '.git'])

/** Whether a file outside the agents' folders may be a log, by its name. */
export function mayBeAnyLog(path: string): boolean {
  return logName.test(path)
}

/** Folders skipped in a search: they have many files and no logs. */
export function isSkippedFolder(name: string): boolean {
  return skipped.has(name)
}

/** Levels searched. Agents' folders are five levels below a home. */
export const anyDepth = 12
