import './start.css'
import { useEffect, useState } from 'react'
import { Icon } from '../../ui/icons.tsx'

/** Covers the window while files are dragged over it. The page handles the drop. */
export function DropOverlay() {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const enter = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') === true) setOver(true)
    }
    // A move between elements has a related target; leaving the window has none.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const end = () => setOver(false)
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', end)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', end)
    }
  }, [])
  if (!over) return null
  return (
    <div className="drop-overlay" aria-hidden="true">
      <p className="hstack medium">
        <Icon name="upload" />
        Drop to open
      </p>
    </div>
  )
}
