import { pathKey, placePath } from '../paths/log-path.ts'
import { lastOf, type SessionCard } from './session-card.ts'

/** The name of each session's project: its folder as the latest session of it writes it; empty: not known. */
export function projectNames(cards: readonly SessionCard[]): (card: Pick<SessionCard, 'project'>) => string {
  const keys = new Map<string, string>()
  const latest = new Map<string, { readonly project: string; readonly last: number }>()
  for (const card of cards) {
    const { project } = card
    if (project === null) continue
    let key = keys.get(project)
    if (key === undefined) keys.set(project, (key = pathKey(placePath(project, null))))
    const known = latest.get(key)
    const last = lastOf(card)
    if (known === undefined || last > known.last || (last === known.last && project < known.project))
      latest.set(key, { project, last })
  }
  return ({ project }) => (project === null ? '' : (latest.get(keys.get(project) ?? '')?.project ?? project))
}
