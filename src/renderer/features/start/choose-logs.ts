import type { AppState } from '../../stores/app-store.ts'

/** Opens what a person chooses in the dialog of the system, where the host has one. */
export async function chooseLogs({ host, openLog }: Pick<AppState, 'host' | 'openLog'>): Promise<void> {
  const { paths } = await host.call('dialog.open', {})
  for (const path of paths) await openLog(path)
}
