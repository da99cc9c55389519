import { useEffect } from 'react'
import { useApp } from '../../stores/app-store.ts'

/** A file or a path pasted outside a field is opened; a field keeps its paste. */
export function usePastedFiles(): void {
  const openFiles = useApp((app) => app.openFiles)
  const openLog = useApp((app) => app.openLog)
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      if (isField || clipboardData === null) return
      const files = [...clipboardData.files]
      const path = clipboardData.getData('text/plain').trim()
      if (files.length > 0) void openFiles(files)
      else if (path !== '' && !path.includes('\n')) void openLog(path)
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [openFiles, openLog])
}
