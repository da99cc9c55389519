import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'

/** A modal dialog. The first field, or the element with `data-first`, gets the focus; a click outside closes it. */
export function Dialog({
  title,
  className,
  onClose,
  children
}: {
  title: string
  className: string
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Before the next key event: text typed right after the shortcut belongs to the dialog's field.
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    const first = element?.querySelector<HTMLElement>('[data-first]') ?? element?.querySelector('input')
    first?.focus()
    return () => {
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={titleId}
      // The page's shortcuts are off while a dialog is open.
      onKeyDown={(event) => event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className="dialog-body vstack">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <span className="grow" />
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
