// Owns the tabs of the settings and their order.
import type { SettingsTab } from '../store/app-state'

export const SETTINGS_TABS: ReadonlyArray<{ readonly value: SettingsTab; readonly label: string }> = [
  { value: 'providers', label: 'Providers' },
  { value: 'models', label: 'Models' },
  { value: 'context', label: 'Context' },
  { value: 'permissions', label: 'Permissions' },
  { value: 'memory', label: 'Memory' },
  { value: 'experiments', label: 'Experiments' },
  { value: 'appearance', label: 'Appearance' },
  { value: 'data', label: 'Data' }
]
