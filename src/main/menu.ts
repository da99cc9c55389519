import { Menu } from 'electron'

/** The platform's own menus and one item of ours. The page has its keys for everything else. */
export function setMenu(openFile: () => void): void {
  const isMac = process.platform === 'darwin'
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ role: 'appMenu' as const }] : []),
      {
        label: '&File',
        submenu: [
          { label: '&Open…', accelerator: 'CmdOrCtrl+O', click: openFile },
          { type: 'separator' },
          { role: isMac ? 'close' : 'quit' }
        ]
      },
      { role: 'editMenu' },
      {
        label: '&View',
        submenu: [
          { role: 'reload' },
          { role: 'toggleDevTools' },
          { type: 'separator' },
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { type: 'separator' },
          { role: 'togglefullscreen' }
        ]
      },
      { role: 'windowMenu' }
    ])
  )
}
