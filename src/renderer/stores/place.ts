import type { FindQuery } from './log-find.ts'
import { inspectorTabs, type InspectorTab } from './inspecting.ts'
import { mainViews, type MainView } from './layout-store.ts'
import { issueSeverities } from '#core/formats/issue.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import { printQuery } from '#core/query/print-query.ts'
import { maxQueryLength, type Query } from '#core/query/query.ts'
import { allOf, termOf, textQuery } from '#core/query/query-choices.ts'

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
  /** The text of the query for rows, or for sessions in the library. */
  readonly filter: string
  /** The file that is looked at, and a line of it, from 1; null for none. */
  readonly file: { readonly path: string; readonly line: number | null } | null
  /** The paths of the logs that are compared, of which one is shown; null for none. */
  readonly compared: { readonly a: string; readonly b: string } | null
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
    filter: '',
    file: null,
    compared: null
  }
}

/** A place as the fragment of an address, `path=/logs/run.jsonl&seq=120`, without defaults. */
export function placeText(place: Place): string {
  const { path, seq, row, following, view, tab, issues, find, filter, file, compared } = place
  if (path === null)
    return filter === '' ? libraryText : `${libraryText}&${readable(new URLSearchParams({ where: filter }))}`
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
  if (filter !== '') fields.set('where', filter)
  if (file !== null) fields.set('file', file.path)
  if (file?.line != null) fields.set('line', String(file.line))
  if (compared !== null) {
    fields.set('base', compared.a)
    fields.set('with', compared.b)
  }
  return readable(fields)
}

/** These characters are readable, and valid in a fragment. */
function readable(fields: URLSearchParams): string {
  return fields.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')
}

/** Parses a text of `placeText`, or one written by hand. Null without a log; invalid parts are ignored. */
export function parsePlace(text: string): Place | null {
  const fields = new URLSearchParams(text)
  // One too many, so that a query that is cut has an error.
  const asked = fields.get('where')?.slice(0, maxQueryLength + 1)
  if (text === libraryText || text.startsWith(`${libraryText}&`)) return { ...placeAt(null), filter: asked ?? '' }
  const path = fields.get('path') ?? ''
  if (path === '' || path.length > maxPathCharacters) return null
  const seq = wholeNumber(fields.get('seq'), -1)
  const usual = placeAt(path, seq)
  const find = {
    text: (fields.get('find') ?? '').slice(0, maxNameCharacters),
    regex: fields.get('regex') === 'on',
    caseSensitive: fields.get('case') === 'on'
  }
  return {
    path,
    seq,
    row: wholeNumber(fields.get('row'), 0),
    following: fields.get('follow') === 'end',
    view: mainViews.find((view) => view === fields.get('view')) ?? usual.view,
    tab: inspectorTabs.find((tab) => tab === fields.get('tab')) ?? usual.tab,
    issues: fields.get('issues') === 'open',
    find,
    filter: asked ?? printQuery(formerFilter(fields, find)),
    file: fileIn(fields),
    compared: comparedIn(fields, path)
  }
}

function fileIn(fields: URLSearchParams): Place['file'] {
  const path = fields.get('file') ?? ''
  if (path === '' || path.length > maxPathCharacters) return null
  return { path, line: wholeNumber(fields.get('line'), 1) }
}

function comparedIn(fields: URLSearchParams, path: string): Place['compared'] {
  const [a = '', b = ''] = [fields.get('base') ?? '', fields.get('with') ?? '']
  const areValid = [a, b].every((each) => each !== '' && each.length <= maxPathCharacters)
  return areValid && a !== b && (a === path || b === path) ? { a, b } : null
}

/** The filter of an address that was written before there were queries: `kinds=tool&without.tools=Bash`. */
function formerFilter(fields: URLSearchParams, find: FindQuery): Query | null {
  const isOn = (field: string): boolean => fields.get(field) === 'on'
  return allOf([
    ...formerNames(fields, ''),
    ...formerNames(fields, leftOut).map((of): Query => ({ op: 'not', of })),
    ...terms('issue', knownIn(fields, 'severities', issueSeverities)),
    ...terms('status', isOn('onlyFailed') ? ['error'] : []),
    ...(isOn('onlyHits') && find.text !== '' ? [textQuery(find)] : [])
  ])
}

function formerNames(fields: URLSearchParams, before: string): readonly Query[] {
  return [
    ...terms('kind', knownIn(fields, `${before}kinds`, rowKinds)),
    ...terms('tool', namesIn(fields, `${before}tools`)),
    // The main agent has no id.
    ...terms(
      'track',
      namesIn(fields, `${before}tracks`).map((id) => (id === '' ? 'main' : id))
    )
  ]
}

function terms(key: string, names: readonly string[]): readonly Query[] {
  return names.length === 0 ? [] : [termOf(key, names)]
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
