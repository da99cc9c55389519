import { useLogParts } from '../../stores/log-store.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { IconButton } from '../../ui/button.tsx'

/** Shows a file of a call in the view of files, as it is after the call. `row`: of the result. */
export function FileLink({ path, row }: { path: string; row: number }) {
  const { fileViewing, playhead } = useLogParts()
  const setView = useLayout((layout) => layout.setView)
  return (
    <IconButton
      small
      icon="file"
      label="File at this event"
      onClick={() => {
        fileViewing.show(path, { row })
        playhead.select(row)
        setView('files')
      }}
    />
  )
}
