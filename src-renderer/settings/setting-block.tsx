// Owns one setting: its name, a sentence on what it does, and its control below.
import type { ReactNode } from 'react'

export interface SettingBlockProps {
  readonly title: string
  readonly text?: ReactNode
  readonly children: ReactNode
}

export function SettingBlock({ title, text, children }: SettingBlockProps) {
  return (
    <section className="flex flex-col gap-2">
      <div>
        <h3 className="text-body font-medium">{title}</h3>
        {text !== undefined && <p className="text-small text-quiet">{text}</p>}
      </div>
      {children}
    </section>
  )
}
