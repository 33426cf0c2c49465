// Owns the shell of an app that has no window: nothing is picked, shown or opened, and there is no trash.
import type { ShellPort } from '../ipc/app-services'

export const NO_SHELL: ShellPort = {
  pickFolder: async () => null,
  pickSaveFile: async () => null,
  openExternal: async () => false,
  revealFile: () => undefined,
  moveToTrash: () => Promise.reject(new Error('there is no trash without a window'))
}
