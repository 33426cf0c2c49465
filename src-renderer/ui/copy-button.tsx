// Owns copying: an icon button that says for two seconds whether the clipboard took the text.
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './icon-button'

export interface CopyButtonProps {
  /** Asked only when pressed: a long text is not built before. */
  readonly text: () => string
  readonly label?: string
  readonly small?: boolean
  readonly testId?: string
  readonly className?: string
}

type CopyOutcome = 'none' | 'copied' | 'failed'
const OUTCOME_SHOWN_MS = 2_000

export function CopyButton({ text, label = 'Copy', small = true, testId, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<CopyOutcome>('none')
  useEffect(() => {
    if (outcome === 'none') return
    const timer = setTimeout(() => setOutcome('none'), OUTCOME_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => setOutcome((await copyText(text())) ? 'copied' : 'failed')
  const said = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Could not copy' : label
  return (
    <IconButton
      small={small}
      label={said}
      icon={outcome === 'copied' ? <Check size={14} className="text-ok" /> : <Copy size={14} />}
      data-testid={testId}
      {...(className === undefined ? {} : { className })}
      onClick={copy}
    />
  )
}

/** Puts a text into the clipboard; false when the system refused it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    if (error instanceof DOMException) return false
    throw error
  }
}
