import type { FindQuery } from './log-find.ts'
import { inspectorTabs, type InspectorTab } from './log-store.ts'
import { mainViews, type MainView } from './layout-store.ts'
import { type FilterChoice, filterNames, noFilter } from './row-filter.ts'

/** Where a person is, as far as it is kept: a reload, and another window with the same address, come back to it. */
export interface Place {
  /** Of the log that is shown; null: the library. */
  readonly path: string | null
  /** The event at the playhead; null: the person has not moved it. */
  readonly seq: number | null
  /** The selected row where it is a record behind that event; else null. */
  readonly row: number | null
  /** The end is followed as the log grows. */
  readonly following: boolean
  readonly view: MainView
  readonly tab: InspectorTab
  /** The list of issues is open. */
  readonly issues: boolean
  readonly find: FindQuery
  readonly filter: FilterChoice
}

const libraryText = 'library'
const mostPathCharacters = 4096
/** Of a group of the filter. Nobody chooses more, and an address may be anybody's. */
const mostNames = 200
const mostNameCharacters = 1000

/** The library, a log that nothing was done in yet, or an event of a log. Who went to an event sees it. */
export function placeAt(path: string | null, seq: number | null = null): Place {
  return {
    path,
    seq,
    row: null,
    following: false,
    view: 'timeline',
    tab: seq === null ? 'summary' : 'event',
    issues: false,
    find: { text: '', regex: false, caseSensitive: false },
    filter: noFilter
  }
}

/** For the fragment of an address: `path=/logs/run.jsonl&seq=120`, and what is not as usual. */
export function placeText({ path, seq, row, following, view, tab, issues, find, filter }: Place): string {
  if (path === null) return libraryText
  const usual = placeAt(path, seq)
  const fields = new URLSearchParams({ path })
  if (seq !== null) fields.set('seq', String(seq))
  if (row !== null) fields.set('row', String(row))
  if (following) fields.set('follow', 'end')
  if (view !== usual.view) fields.set('view', view)
  if (tab !== usual.tab) fields.set('tab', tab)
  if (issues) fields.set('issues', 'open')
  if (find.text !== '') {
    fields.set('find', find.text)
    if (find.regex) fields.set('regex', 'on')
    if (find.caseSensitive) fields.set('case', 'on')
  }
  writeFilter(fields, '', groupsOf(filter))
  // A person reads it: in a fragment these stand for themselves.
  return fields.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')
}

/** What `placeText` wrote, or somebody by hand; null where it names no place. What makes no sense in it is as usual. */
export function parsePlace(text: string): Place | null {
  if (text === libraryText) return placeAt(null)
  const fields = new URLSearchParams(text)
  const path = fields.get('path') ?? ''
  if (path === '' || path.length > mostPathCharacters) return null
  const seq = wholeNumber(fields.get('seq'), -1)
  const usual = placeAt(path, seq)
  return {
    path,
    seq,
    row: wholeNumber(fields.get('row'), 0),
    following: fields.get('follow') === 'end',
    view: mainViews.find((view) => view === fields.get('view')) ?? usual.view,
    tab: inspectorTabs.find((tab) => tab === fields.get('tab')) ?? usual.tab,
    issues: fields.get('issues') === 'open',
    find: {
      text: (fields.get('find') ?? '').slice(0, mostNameCharacters),
      regex: fields.get('regex') === 'on',
      caseSensitive: fields.get('case') === 'on'
    },
    // Of each group the names that it may have.
    filter: readFilter(fields, '', groupsOf(noFilter)) as unknown as FilterChoice
  }
}

/** Groups of a filter, by name. What is left out (`without`) is such groups again, whose names begin with that. */
interface Groups {
  readonly [name: string]: ReadonlySet<string | null> | boolean | Groups
}

function writeFilter(fields: URLSearchParams, before: string, groups: Groups): void {
  for (const [name, chosen] of Object.entries(groups)) {
    if (chosen === true) fields.set(before + name, 'on')
    else if (typeof chosen === 'boolean') continue
    // The main agent has no id.
    else if (isSet(chosen)) for (const each of chosen) fields.append(before + name, each ?? '')
    else writeFilter(fields, `${name}.`, chosen)
  }
}

/** As `usual`, which has all groups. */
function readFilter(fields: URLSearchParams, before: string, usual: Groups): Groups {
  const groups = Object.entries(usual).map(([name, group]): [string, Groups[string]] => {
    if (typeof group === 'boolean') return [name, fields.get(before + name) === 'on']
    if (!isSet(group)) return [name, readFilter(fields, `${name}.`, group)]
    const given = fields.getAll(before + name).filter(({ length }) => length <= mostNameCharacters)
    const known = filterNames[name]
    const chosen = known === undefined ? given : given.filter((each) => known.includes(each))
    return [name, new Set(chosen.slice(0, mostNames).map((each) => (each === '' ? null : each)))]
  })
  return Object.fromEntries(groups)
}

function groupsOf(filter: FilterChoice): Groups {
  return { ...filter, without: { ...filter.without } }
}

function isSet(group: ReadonlySet<string | null> | Groups): group is ReadonlySet<string | null> {
  return group instanceof Set
}

function wholeNumber(text: string | null, least: number): number | null {
  const number = /^-?\d{1,15}$/.test(text ?? '') ? Number(text) : NaN
  return number >= least ? number : null
}
