import { useEffect, useState } from 'react'
import { useLibrary } from '../../stores/use-library.ts'
import { formatBytes, formatCount, formatDuration, formatPlural } from '../../ui/format.ts'

/** The size of the library and the time of its last scan. */
export function LibraryStatusItems() {
  const items = useItems()
  return items.map((text) => (
    <span key={text} className="status-item" aria-hidden="true">
      {text}
    </span>
  ))
}

/** The same as a sentence, without numbers that change all the time. */
export function useLibrarySentence(): string {
  const { sessions, bytes } = useLibrary(({ status }) => status) ?? { sessions: 0, bytes: 0 }
  return `${formatPlural(sessions, 'session')}, ${formatBytes(bytes)}`
}

/** "Up to date", "Reading", "Paused". */
export function LibraryPhase() {
  const status = useLibrary((state) => state.status)
  if (status === null) return null
  const { phase, isPaused } = status
  const text = phase === 'idle' ? 'Up to date' : phase === 'looking' ? 'Scanning' : isPaused ? 'Paused' : 'Reading'
  return (
    <span className="status-item" aria-hidden="true">
      {text}
    </span>
  )
}

function useItems(): string[] {
  const status = useLibrary((state) => state.status)
  const projects = useLibrary(({ overview }) => overview?.facets.projectsTotal ?? 0)
  const search = useLibrary(({ search: now }) => now?.found ?? null)
  const now = useNow()
  if (status === null) return ['Scanning for sessions…']
  if (search !== null) {
    return [
      formatPlural(search.hits, 'match', 'matches'),
      formatPlural(search.sessionsWithHits, 'session'),
      `${formatBytes(search.bytesSearched)} searched`
    ]
  }
  const { phase, done, all, sessions, bytes, lookedAt } = status
  const ago = lookedAt === null ? null : Math.max(0, now - lookedAt)
  return [
    phase === 'cards' ? `${formatCount(done)} of ${formatPlural(all, 'session')}` : formatPlural(sessions, 'session'),
    formatPlural(projects, 'project'),
    formatBytes(bytes),
    ...(ago === null ? [] : [`scanned ${agoText(ago)}`])
  ]
}

function agoText(ms: number): string {
  const seconds = Math.floor(ms / 5000) * 5
  if (seconds < 5) return 'just now'
  return seconds < 60 ? `${seconds} s ago` : `${formatDuration(ms).replace(/ \d+ s$/, '')} ago`
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000)
    return () => clearInterval(timer)
  }, [])
  return now
}
