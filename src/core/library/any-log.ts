const logName = /\.(?:jsonl|ndjson|json|jsonl\.zst)$/i
const skipped = new Set(['node_modules', '.git'])

/** By its name alone: may a file be a log, where it is not said whose folder it lies in? */
export function mayBeAnyLog(path: string): boolean {
  return logName.test(path)
}

/** Folders full of files that are no logs, where a person gives the folder of a project. */
export function isSkippedFolder(name: string): boolean {
  return skipped.has(name)
}

/** How deep such a folder is looked into. Those of agents are five deep, below a home. */
export const anyDepth = 12
