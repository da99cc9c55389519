import { IconButton } from '../../ui/button.tsx'

/** The inspector takes what room it can get, and how it is told to. */
export interface Widening {
  readonly wide: boolean
  readonly onWiden: (wide: boolean) => void
}

/** Nothing where there is no more room. */
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
