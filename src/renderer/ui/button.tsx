import { type MouseEvent, useEffect, useState } from 'react'
import { Icon, type IconName } from './icons.tsx'
import { useTooltip } from './shown-keys.ts'

/** For `onMouseDown`: a click does not move the focus, which determines what keys do. */
export function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}

/** A button with only an icon. `label` is its name; the tooltip adds its key. */
export function IconButton({
  icon,
  label,
  keys,
  small = false,
  disabled = false,
  pressed,
  onClick
}: {
  icon: IconName
  label: string
  /** As a `KeyboardEvent.key`, or the name of a command. */
  keys?: string
  small?: boolean
  disabled?: boolean
  /** Only for toggles. */
  pressed?: boolean
  onClick: () => void
}) {
  const tooltip = useTooltip()
  return (
    <button
      type="button"
      className={small ? 'btn square small' : 'btn square'}
      aria-label={label}
      aria-pressed={pressed}
      title={keys === undefined ? label : tooltip(label, keys)}
      disabled={disabled}
      onMouseDown={keepFocus}
      onClick={onClick}
    >
      <Icon name={icon} size={small ? 12 : 16} />
    </button>
  )
}

const copyStates = {
  idle: { icon: 'copy', say: '' },
  copied: { icon: 'check', say: 'Copied' },
  failed: { icon: 'error', say: 'Copying failed. Select the text and copy it with the keyboard.' }
} as const

/** Copies the result of `text`, which may be async, and shows for two seconds whether that succeeded. */
export function CopyButton({
  what,
  text,
  large = false
}: {
  what: string
  text: () => string | Promise<string>
  large?: boolean
}) {
  const [state, setState] = useState<keyof typeof copyStates>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text())
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      <IconButton
        small={!large}
        icon={copyStates[state].icon}
        label={copyStates[state].say || `Copy ${what}`}
        onClick={() => void copy()}
      />
      <span aria-live="polite" className="unseen">
        {copyStates[state].say}
      </span>
    </>
  )
}
