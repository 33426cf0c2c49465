/// <reference types="vite/client" />
import type { Bridge } from '@common/contract/bridge'

declare global {
  interface Window {
    /** Put there by the preload script; absent when the page runs outside the app. */
    readonly tidemark?: Bridge
  }
}
