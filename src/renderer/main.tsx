import '#contract/without-eval.ts'
import { keepConnected } from './host/connect.ts'
import { pageHost } from './host/page-host.ts'
import { pageRoot } from './show-app.tsx'
import { createAppStore } from './stores/app-store.ts'

const { open, pathOfFile } = pageHost()
const host = keepConnected(open, (connection, why) => app.getState().setConnection(connection, why))
const app = createAppStore(host, { pathOfFile, storage: localStorage })
pageRoot().app(app)
