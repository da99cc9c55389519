import './styles/tokens.css'
import './styles/fonts.css'
import './styles/base.css'
import './ui/controls.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import type { AppStore } from './stores/app-state.ts'
import { AppStoreContext } from './stores/app-store.ts'

/** The content of the element `#root`. */
export interface PageRoot {
  app(app: AppStore): void
  /** Shows a message instead of the app. */
  message(message: ReactNode): void
}

export function pageRoot(): PageRoot {
  const element = document.getElementById('root')
  if (element === null) throw new Error('the page has no #root')
  const root = createRoot(element)
  return {
    app(app) {
      root.render(
        <StrictMode>
          <AppStoreContext value={app}>
            <App />
          </AppStoreContext>
        </StrictMode>
      )
    },
    message: (message) => root.render(message)
  }
}
