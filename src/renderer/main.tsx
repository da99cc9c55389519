import '#contract/without-eval.ts'
import { keepConnected } from './host/connect.ts'
import { pageHost } from './host/page-host.ts'
import { pageRoot } from './show-app.tsx'
import { createAppStore } from './stores/app-store.ts'

const { open, files, place } = pageHost()
const { host, reconnect } = keepConnected(open, (...values) => app.getState().setConnection(...values))
const app = createAppStore(host, { files, storage: localStorage, tabStorage: sessionStorage, place, reconnect })
pageRoot().app(app)
