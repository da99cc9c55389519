import { useEffect } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { givenIn } from '../../stores/given-files.ts'

/** A file, or what may be typed for a log, is opened where it is pasted outside a field; a field keeps its paste. */
export function usePastedFiles(): void {
  const openFiles = useApp((app) => app.openFiles)
  const openTyped = useApp((app) => app.openTyped)
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
