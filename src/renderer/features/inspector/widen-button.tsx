import { IconButton } from '../../ui/button.tsx'

/** Whether the inspector is widened, and the callback to change it. */
export interface Widening {
  readonly wide: boolean
  readonly onWiden: (wide: boolean) => void
}

/** Nothing if the inspector cannot grow. */
export function WidenButton({ widening }: { widening: Widening | undefined }) {
  if (widening === undefined) return null
  const { wide, onWiden } = widening
  return (
    <IconButton
      icon={wide ? 'narrow' : 'wide'}
      label="Wide inspector"
      keys="w"
      pressed={wide}
      onClick={() => onWiden(!wide)}
    />
  )
}
