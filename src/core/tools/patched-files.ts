import type { FileEdit } from './file-edits.ts'

const heads: Readonly<Record<string, FileEdit['kind']>> = { Add: 'created', Update: 'updated', Delete: 'deleted' }

/** The files of a patch of the `*** Begin Patch` form, in its order, each with its own hunks. */
export function patchedFiles(patch: string): readonly FileEdit[] {
  const files: FileEdit[] = []
  let head: { path: string; kind: FileEdit['kind']; movedTo: string | null } | null = null
  let lines: string[] = []
  const end = () => {
    if (head !== null) files.push({ ...head, edits: editsOf(head.kind, lines) })
    lines = []
  }
  for (const line of patch.split(/\r?\n/)) {
    const opened = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line)
    if (opened !== null) {
      end()
      head = { path: opened[2] ?? '', kind: heads[opened[1] ?? ''] ?? 'updated', movedTo: null }
      continue
    }
    const moved = /^\*\*\* Move to: (.+?)\s*$/.exec(line)
    if (moved !== null && head !== null) head = { ...head, movedTo: moved[1] ?? null }
    else if (/^\*\*\* End Patch\s*$/.test(line)) break
    else if (head !== null && !line.startsWith('*** ')) lines.push(line)
  }
  end()
  return files
}

function editsOf(kind: FileEdit['kind'], lines: readonly string[]): FileEdit['edits'] {
  if (lines.every((line) => line === '')) return []
  if (kind === 'created') {
    const text = lines.map((line) => (line.startsWith('+') ? line.slice(1) : line)).join('\n')
    return [{ kind: 'whole', text: { text, at: null } }]
  }
  const hunks = lines[0]?.startsWith('@@') === true ? lines : ['@@', ...lines]
  return [{ kind: 'patch', patch: { text: hunks.join('\n'), at: null } }]
}
