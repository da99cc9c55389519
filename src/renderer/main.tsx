import './styles/tokens.css'
import './styles/fonts.css'
import './styles/base.css'
import './ui/controls.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { keepConnected } from './host/connect.ts'
import { pageTransport, pathOfFile } from './host/page-host.ts'
import { AppStoreContext, createAppStore } from './stores/app-store.ts'

const host = keepConnected(pageTransport(), (connection) => app.getState().setConnection(connection))
const app = createAppStore(host, { pathOfFile, storage: localStorage })

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <AppStoreContext value={app}>
      <App />
    </AppStoreContext>
  </StrictMode>
)
