import * as z from 'zod'
import { parsedJson } from '#core/parsed-json.ts'
import { maxQueryLength } from '#core/query/query.ts'
import { PriceTable } from '#core/requests/prices.ts'
import type { QuerySubject } from '#core/query/query-keys.ts'
import { type CommandId, commandIds } from './commands.ts'

/** A query with a name. */
export const SavedView = z.object({
  name: z.string().trim().min(1).max(80).describe('The name. Two names that differ only in case are the same'),
  query: z.string().trim().min(1).max(maxQueryLength).describe('A query, see query.md'),
  of: z
    .enum(['rows', 'sessions'])
    .optional()
    .describe('What it shows: rows of a log, or sessions of the library. Absent: rows')
})
export type SavedView = z.infer<typeof SavedView>

export const maxViews = 500

/** `settings.json`, which people may edit. */
export const Settings = z.object({
  views: z.array(SavedView).max(maxViews).default([]).describe('Saved views of the filter, in the order shown'),
  keys: z
    .record(z.string().max(60), z.array(z.string().min(1).max(20)).max(4))
    .default({})
    .describe('Keys by command. They replace its own keys; an empty list leaves it without a key'),
  prices: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('A price file, see costs.md. Its path is relative to the folder of this file; ~ is the home folder')
})
export type Settings = z.infer<typeof Settings>

/** What was used before, the latest first. */
export const History = z.object({ queries: z.array(z.string().max(maxQueryLength)), commands: z.array(z.string()) })
export type History = z.infer<typeof History>

export const SettingsState = z.object({
  /** The path of `settings.json`. Null: this host keeps no settings. */
  file: z.string().nullable(),
  settings: Settings,
  history: History,
  /** Why the file is not used, and not written, a sentence for the user; null: it is. */
  problem: z.string().nullable(),
  /** What costs are estimated with; a null `table`: none are. `problem`: why a named file is not used, a sentence. */
  prices: z.object({ table: PriceTable.nullable(), problem: z.string().nullable() })
})
export type SettingsState = z.infer<typeof SettingsState>

export const noSettings: SettingsState = {
  file: null,
  settings: { views: [], keys: {} },
  history: { queries: [], commands: [] },
  problem: null,
  prices: { table: null, problem: null }
}

export const settingsMethods = {
  /** Reads the files again. */
  'settings.get': { params: z.object({}), result: SettingsState },
  /** First removes views, then adds some; one with a known name takes its place. `unavailable`: not saved. */
  'settings.changeViews': {
    params: z.object({
      remove: z.array(SavedView.pick({ name: true, of: true })).max(maxViews),
      add: z.array(SavedView).max(maxViews)
    }),
    result: SettingsState
  },
  /** Puts a query or a command at the top of the history. */
  'settings.remember': {
    params: z.object({
      query: z.string().min(1).max(maxQueryLength).optional(),
      command: z.enum(commandIds).optional()
    }),
    result: z.object({})
  }
}

export const settingsNotices = {
  /** A page changed the settings or the history; also sent to that page. */
  'settings.changed': SettingsState
}

type ViewName = Pick<SavedView, 'name' | 'of'>

/** Whether two views of rows, or two of sessions, have the same name. */
export function isSameView(one: ViewName, other: ViewName): boolean {
  return isViewOf(subjectOf(other))(one) && one.name.trim().toLowerCase() === other.name.trim().toLowerCase()
}

/** Whether a view shows rows, or sessions. */
export function isViewOf(subject: QuerySubject): (view: ViewName) => boolean {
  return (view) => subjectOf(view) === subject
}

function subjectOf({ of = 'rows' }: ViewName): QuerySubject {
  return of
}

/** The text of an exported file of views, which is a settings file too. */
export function viewsText(views: readonly SavedView[]): string {
  return `${JSON.stringify({ views }, null, 2)}\n`
}

/** The views of such a text. Null: none, or one that is not valid. */
export function viewsIn(text: string): readonly SavedView[] | null {
  const { views = [] } = parsedJson(Settings.pick({ views: true }), text) ?? {}
  return views.length === 0 ? null : views
}

/** The JSON Schema of `settings.json`, for editors. */
export function settingsJsonSchema(): unknown {
  const schema = z.toJSONSchema(Settings, { io: 'input' })
  const { keys } = schema.properties as Record<string, object>
  const ids: readonly CommandId[] = commandIds
  return {
    ...schema,
    title: 'Playhead settings',
    properties: { ...schema.properties, keys: { ...keys, propertyNames: { enum: ids } } }
  }
}
