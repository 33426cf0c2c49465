// Owns `app://tidemark/…`, the only origin of the page: it serves the built renderer from disk with
// the security headers. A privileged scheme instead of `file:` keeps the page from reading files.
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { protocol } from 'electron'
import { APP_SCHEME, contentSecurityPolicy, rendererFileOf } from './security-rules'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm'
}

/** Tells Chromium about the scheme. Must run before the app is ready. */
export function registerAppScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges }])
}

async function respond(url: string, folder: string): Promise<Response> {
  const file = rendererFileOf(url, folder)
  if (file === null) return new Response('Not found', { status: 404 })
  try {
    return new Response(await readFile(file), {
      headers: {
        'content-type': CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': contentSecurityPolicy(),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache'
      }
    })
  } catch (cause) {
    return new Response(`Not found: ${String(cause)}`, { status: 404 })
  }
}

/** Serves the renderer from `folder`. Call when the app is ready, before the first window. */
export function serveRenderer(folder: string): void {
  protocol.handle(APP_SCHEME, (request) => respond(request.url, folder))
}
