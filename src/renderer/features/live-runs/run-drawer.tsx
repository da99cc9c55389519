import { useState } from 'react'
import type { LiveRun } from '#contract/live-runs.ts'
import { isOngoing } from '../../stores/live-runs-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatBytes } from '../../ui/format.ts'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { ChangesView } from './changes-view.tsx'
import { RunDetails } from './run-details.tsx'
import { StderrView } from './stderr-view.tsx'

export type RunTab = 'stderr' | 'details' | 'changes'

/** The standard error and the details of a run. */
export function RunDrawer({ run, tab, onTab }: { run: LiveRun; tab: RunTab; onTab: (tab: RunTab | null) => void }) {
  const [following, setFollowing] = useState(() => isOngoing(run))
  const tabs: readonly Tab<RunTab>[] = [
    { id: 'stderr', label: 'Standard error', count: formatBytes(run.stderrBytes) },
    { id: 'details', label: 'About this run' },
    ...(run.keepsChanges === true ? [{ id: 'changes' as const, label: 'Changed by this run' }] : [])
  ]
  return (
    <section
      className="vstack fill"
      aria-label="Details of the run"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onTab(null)
      }}
    >
      <Tabs
        label="Details of the run"
        tabs={tabs}
        selected={tab}
        onSelect={onTab}
        bar={
          <>
            <span className="grow" />
            <span className="run-drawer-tools hstack">
              {tab === 'stderr' && (
                <IconButton
                  small
                  icon="follow"
                  label="Follow standard error"
                  pressed={following}
                  onClick={() => setFollowing(!following)}
                />
              )}
              <IconButton small icon="close" label="Close" onClick={() => onTab(null)} />
            </span>
          </>
        }
      >
        {tab === 'stderr' ? (
          <StderrView key={run.run} run={run} following={following} onLeftEnd={() => setFollowing(false)} />
        ) : tab === 'changes' ? (
          <ChangesView run={run} />
        ) : (
          <RunDetails run={run} />
        )}
      </Tabs>
    </section>
  )
}
