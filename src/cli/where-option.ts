import type { Where } from './where.ts'

/** The option of commands that take a query beside their FILE. */
export const whereOptions = { where: { type: 'string' } } as const

/** For `--help`. */
export const whereDetails = (what: string): string =>
  `--where QUERY  only ${what} that match a query, such as tool:shell (docs/query.md)`

/** What `--where` asks for; null without it. Throws a `UsageError` that shows the place of an error. */
export async function whereOf({ where }: { readonly where?: string | undefined }): Promise<Where | null> {
  if (where === undefined) return null
  // A third of a command's code, and only a query needs it.
  const { Where } = await import('./where.ts')
  return new Where(where)
}
