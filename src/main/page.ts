import { protocol, type Session } from 'electron'
import { scheme } from '#backend/desktop/deep-link.ts'
import { readPageFile, securityHeaders } from '#backend/page-files.ts'

/** Has to run before the app is ready: makes `playhead://app` an origin of its own, as strict as https. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }
  ])
}

/** Serves the built page, and nothing else of the machine. */
export function servePage(session: Session, root: string): void {
  session.protocol.handle(scheme, async (request) => {
    const url = new URL(request.url)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const file = isRead && url.host === 'app' ? await readPageFile(root, url.pathname) : null
    if (!file) return new Response('Not found.\n', { status: 404, headers: securityHeaders })
    return new Response(file.bytes, { headers: { ...securityHeaders, 'content-type': file.mimeType } })
  })
}
