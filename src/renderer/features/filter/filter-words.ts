import type { LogStatus } from '#contract/methods.ts'
import { type IssueSeverity, issueSeverities } from '#core/formats/issue.ts'
import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import { type FilterChoice, type NamedChoice, noFilter } from '../../stores/row-filter.ts'
import { formatCount } from '../../ui/format.ts'
import { toolLabels } from '../../ui/row-label.ts'

/** Kinds of rows in groups: texts by role, actions, and session events. */
export const kindGroups: readonly { readonly title: string; readonly kinds: readonly RowKind[] }[] = [
  { title: 'Text', kinds: ['prompt', 'assistant', 'reasoning', 'result-text', 'status'] },
  { title: 'Tools', kinds: ['tool', 'tool-result', 'tool-error', 'todo'] },
  { title: 'Session', kinds: ['session', 'turn', 'error'] },
  { title: 'Other lines', kinds: ['record', 'unparsed'] }
]

export const kindNames: Record<RowKind, string> = {
  record: 'Record without event',
  session: 'Session start',
  prompt: 'Prompt',
  assistant: 'Assistant',
  reasoning: 'Thinking',
  status: 'Status',
  'result-text': 'Answer',
  tool: 'Call',
  'tool-result': 'Result',
  'tool-error': 'Failed result',
  turn: 'Turn end',
  error: 'Error',
  todo: 'Todo list',
  unparsed: 'Unparsed text'
}

export const severityWords: Record<IssueSeverity, string> = {
  malformed: 'Malformed',
  violation: 'Violation',
  notice: 'Notice'
}

/** The name of a track in the filter. */
export function trackName({ trackId, label }: LogStatus['tracks'][number]): string {
  return label || (trackId ?? 'main')
}

/** A part of a filter: its name, and the filter without it. */
export interface FilterPart {
  readonly group: string
  readonly words: string
  readonly without: FilterChoice
}

/** The number of groups with a choice. */
export function groupsInForce({ without, severities, onlyHits, onlyFailed, ...asked }: FilterChoice): number {
  const sizes = [asked, without].flatMap(({ kinds, tools, tracks }) => [kinds.size, tools.size, tracks.size])
  return [...sizes, severities.size, Number(onlyHits), Number(onlyFailed)].filter((chosen) => chosen > 0).length
}

/** Names of a group that are shown; the others are counted. */
const maxNames = 3

/** The parts of a filter in display order. `find`: the search text. */
export function filterParts(filter: FilterChoice, tracks: LogStatus['tracks'], find: string): FilterPart[] {
  const { severities, onlyHits, onlyFailed } = filter
  const parts: FilterPart[] = []
  const add = (group: string, names: readonly string[], without: Partial<FilterChoice>) => {
    if (names.length > 0) parts.push({ group, words: listed(names), without: { ...filter, ...without } })
  }
  for (const { group, names, none } of named(filter, tracks)) add(group, names, none)
  for (const { group, names, none } of named(filter.without, tracks)) {
    add(`Not ${group.toLowerCase()}`, names, { without: { ...filter.without, ...none } })
  }
  if (severities.size === issueSeverities.length) add('Issues', ['any'], { severities: noFilter.severities })
  else {
    const chosen = issueSeverities.filter((severity) => severities.has(severity))
    add(
      'Issues',
      chosen.map((severity) => severityWords[severity]),
      { severities: noFilter.severities }
    )
  }
  if (onlyFailed) add('Calls', ['failed'], { onlyFailed: false })
  if (onlyHits) add('Matches', [find === '' ? 'no active search' : find], { onlyHits: false })
  return parts
}

/** The names in each group of a choice, and the filter without the group. */
function named({ kinds, tools, tracks }: NamedChoice, allTracks: LogStatus['tracks']) {
  const kindsNamed = rowKinds.filter((kind) => kinds.has(kind)).map((kind) => kindNames[kind])
  const tracksNamed = allTracks.filter(({ trackId }) => tracks.has(trackId)).map(trackName)
  return [
    { group: 'Event type', names: kindsNamed, none: { kinds: noFilter.kinds } },
    { group: 'Tool', names: toolLabels([...tools]), none: { tools: noFilter.tools } },
    { group: 'Track', names: tracksNamed, none: { tracks: noFilter.tracks } }
  ]
}

function listed(names: readonly string[]): string {
  const more = names.length - maxNames
  const listed = more === 1 ? names : names.slice(0, maxNames)
  return listed.join(', ') + (more > 1 ? ` and ${formatCount(more)} more` : '')
}
