import { useEffect } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { givenIn } from '../../stores/given-files.ts'

/** Opens a file or a path that is pasted outside a field. */
export function usePastedFiles(): void {
  const { openFiles, openTyped } = useApp('openFiles', 'openTyped')
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      if (isField || clipboardData === null) return
      const text = clipboardData.getData('text/plain').trim()
      if (clipboardData.files.length > 0) void openFiles(givenIn(clipboardData))
      else if (text !== '' && !text.includes('\n')) void openTyped(text)
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [openFiles, openTyped])
}
