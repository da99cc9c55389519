import type { FindQuery } from './log-find.ts'
import { inspectorTabs, type InspectorTab } from './inspecting.ts'
import { mainViews, type MainView } from './layout-store.ts'
import { type FilterChoice, type NamedChoice, noFilter } from './row-filter.ts'
import { issueSeverities } from '#core/formats/issue.ts'
import { rowKinds } from '#core/index/row-kind.ts'

/** Where a person is, as stored: restored by a reload, and in another window with the same address. */
export interface Place {
  /** The shown log; null: the library. */
  readonly path: string | null
  /** The event at the playhead; null if the person has not moved it. */
  readonly seq: number | null
  /** The selected row if it is a record after that event; else null. */
  readonly row: number | null
  /** Whether the end is followed. */
  readonly following: boolean
  readonly view: MainView
  readonly tab: InspectorTab
  /** Whether the issues are open. */
  readonly issues: boolean
  readonly find: FindQuery
  readonly filter: FilterChoice
}

const libraryText = 'library'
/** The prefix of excluded members. */
const leftOut = 'without.'
const maxPathCharacters = 4096
/** Per group of the filter. More are not chosen by a person, and an address may come from anyone. */
const maxNames = 200
const maxNameCharacters = 1000

/** The library, the start of a log, or one of its events, which is then shown. */
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

/** A place as the fragment of an address, `path=/logs/run.jsonl&seq=120`, without defaults. */
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
  writeFilter(fields, filter)
  // These characters are readable, and valid in a fragment.
  return fields.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')
}

/** Parses a text of `placeText`, or one written by hand. Null without a log; invalid parts are ignored. */
export function parsePlace(text: string): Place | null {
  if (text === libraryText) return placeAt(null)
  const fields = new URLSearchParams(text)
  const path = fields.get('path') ?? ''
  if (path === '' || path.length > maxPathCharacters) return null
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
      text: (fields.get('find') ?? '').slice(0, maxNameCharacters),
      regex: fields.get('regex') === 'on',
      caseSensitive: fields.get('case') === 'on'
    },
    filter: readFilter(fields)
  }
}

function writeFilter(
  fields: URLSearchParams,
  { without, severities, onlyHits, onlyFailed, ...asked }: FilterChoice
): void {
  writeNames(fields, '', asked)
  writeNames(fields, leftOut, without)
  for (const severity of severities) fields.append('severities', severity)
  if (onlyHits) fields.set('onlyHits', 'on')
  if (onlyFailed) fields.set('onlyFailed', 'on')
}

function writeNames(fields: URLSearchParams, before: string, { kinds, tools, tracks }: NamedChoice): void {
  for (const kind of kinds) fields.append(`${before}kinds`, kind)
  for (const tool of tools) fields.append(`${before}tools`, tool)
  // The main agent has no id.
  for (const track of tracks) fields.append(`${before}tracks`, track ?? '')
}

function readFilter(fields: URLSearchParams): FilterChoice {
  return {
    ...readNames(fields, ''),
    without: readNames(fields, leftOut),
    severities: new Set(knownIn(fields, 'severities', issueSeverities)),
    onlyHits: fields.get('onlyHits') === 'on',
    onlyFailed: fields.get('onlyFailed') === 'on'
  }
}

function readNames(fields: URLSearchParams, before: string): NamedChoice {
  return {
    kinds: new Set(knownIn(fields, `${before}kinds`, rowKinds)),
    tools: new Set(namesIn(fields, `${before}tools`)),
    tracks: new Set(namesIn(fields, `${before}tracks`).map((id) => (id === '' ? null : id)))
  }
}

function knownIn<T extends string>(fields: URLSearchParams, field: string, known: readonly T[]): readonly T[] {
  const given = namesIn(fields, field)
  return known.filter((each) => given.includes(each))
}

function namesIn(fields: URLSearchParams, field: string): readonly string[] {
  return fields
    .getAll(field)
    .filter(({ length }) => length <= maxNameCharacters)
    .slice(0, maxNames)
}

function wholeNumber(text: string | null, least: number): number | null {
  const number = /^-?\d{1,15}$/.test(text ?? '') ? Number(text) : NaN
  return number >= least ? number : null
}
