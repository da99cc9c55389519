import '#contract/without-eval.ts'
import { keepConnected } from './host/connect.ts'
import { pageTransport, pathOfFile } from './host/page-host.ts'
import { pageRoot } from './show-app.tsx'
import { createAppStore } from './stores/app-store.ts'

const host = keepConnected(pageTransport(), (connection) => app.getState().setConnection(connection))
const app = createAppStore(host, { pathOfFile, storage: localStorage })
pageRoot().app(app)
