// Owns the detail of a search through files: matches under the file that they are in.
import { useMemo } from 'react'
import type { ToolOutput } from '@common/tools/tool-contracts'
import { countText } from '../../ui/format'
import { ScrollBox } from '../../ui/scroll-box'
import { PathText } from './glob-detail'
import { DetailNote } from './tool-parts'

type Match = ToolOutput<'grep'>['matches'][number]

export function GrepDetail({ output }: { readonly output: ToolOutput<'grep'> }) {
  const files = useMemo(() => byFile(output.matches), [output.matches])
  if (files.length === 0) return <DetailNote tone="quiet">No match.</DetailNote>
  return (
    <>
      <ScrollBox label="Matches" className="max-h-80 py-1">
        <div className="font-mono text-small">
          {files.map(([path, matches]) => (
            <section key={path} className="px-3 py-1">
              <p className="wrap-anywhere">
                <PathText path={path} />
              </p>
              {matches.map((match, index) => (
                <div key={index} className="flex gap-3">
                  <span className="w-10 shrink-0 text-right text-quiet tabular-nums">{match.line}</span>
                  <span dir="ltr" className="min-w-0 flex-1 whitespace-pre-wrap wrap-anywhere">
                    {match.text}
                  </span>
                </div>
              ))}
            </section>
          ))}
        </div>
      </ScrollBox>
      {output.truncated && (
        <DetailNote tone="quiet">
          The first {output.matches.length.toLocaleString('en')} of {countText(output.total, 'match', 'matches')}.
        </DetailNote>
      )}
    </>
  )
}

function byFile(matches: readonly Match[]): Array<[path: string, matches: Match[]]> {
  const files = new Map<string, Match[]>()
  for (const match of matches) files.set(match.path, [...(files.get(match.path) ?? []), match])
  return [...files]
}
