import { folderPart } from '#core/paths/path-names.ts'
import type { Host } from '#contract/methods.ts'
import type { IssueSeverity } from '#core/formats/issue.ts'
import { oneLine } from '#core/index/one-line.ts'
import type { ListedIssue } from '../../stores/issue-pages.ts'
import { formatCount } from '../../ui/format.ts'

/** A clipboard limit; `playhead check` prints all issues. */
const maxCopied = 20_000
const pageSize = 1000

/** Issues as text, one per line as `playhead check` prints them: `file:line: code path message`. */
export async function issuesText(
  { host, log, path }: { host: Host; log: string; path: string },
  shown: ReadonlySet<IssueSeverity>
): Promise<string> {
  const lines: string[] = []
  for (let from = 0; ;) {
    const { issues, total, codes } = await host.call('log.issues', { log, from, count: pageSize })
    for (const issue of issues) if (shown.has(issue.severity)) lines.push(issueText(path, issue))
    from += issues.length
    if (lines.length >= maxCopied) {
      const all = codes.reduce((sum, each) => sum + (shown.has(each.severity) ? each.count : 0), 0)
      const more = all - maxCopied
      if (more > 0) lines.splice(maxCopied, Infinity, `… ${formatCount(more)} more. playhead check prints all issues.`)
      break
    }
    if (issues.length === 0 || from >= total) break
  }
  return lines.map((line) => `${line}\n`).join('')
}

function issueText(path: string, { file, line, code, path: at, message }: ListedIssue): string {
  return `${file === null ? path : `${folderPart(path)}${file}`}:${line}: ${code} ${oneLine(at ?? '-')} ${oneLine(message)}`
}

/** The place in the line and the message, separately: a parser's message begins with the column. */
export function placeAndMessage({ path, message }: Pick<ListedIssue, 'path' | 'message'>): {
  place: string
  message: string
} {
  const column = path === null ? /^column (\d+): ([^]*)$/.exec(message) : null
  if (column !== null) return { place: `col ${formatCount(Number(column[1]))}`, message: column[2] ?? '' }
  return { place: path ?? '', message }
}
