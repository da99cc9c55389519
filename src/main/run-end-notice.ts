import { BrowserWindow, Notification } from 'electron'
import { type RunEnd, runEndWords } from '#backend/desktop/run-end.ts'
import { showWindow } from './window.ts'

/** Until they are clicked or closed: one that nobody holds would not be heard any more. */
const said = new Set<Notification>()

/** Says that a run is over to a person who looks elsewhere; a click brings the window, and calls `show`. */
export function sayRunEnd(end: RunEnd, show: () => void): void {
  if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return
  const notification = new Notification(runEndWords(end))
  said.add(notification)
  notification.on('close', () => said.delete(notification))
  notification.on('click', () => {
    said.delete(notification)
    showWindow()
    show()
  })
  notification.show()
}
