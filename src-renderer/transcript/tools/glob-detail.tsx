// Owns the detail of a file listing: paths, the folder quieter than the name.
import type { ToolOutput } from '@common/tools/tool-contracts'
import { countText } from '../../ui/format'
import { ScrollBox } from '../../ui/scroll-box'
import { DetailNote } from './tool-parts'

export function GlobDetail({ output }: { readonly output: ToolOutput<'glob'> }) {
  if (output.paths.length === 0) return <DetailNote tone="quiet">No file matches.</DetailNote>
  return (
    <>
      <ScrollBox label="Files" className="max-h-80 px-3 py-2">
        <ul className="font-mono text-small">
          {output.paths.map((path, index) => (
            <li key={index} className="wrap-anywhere">
              <PathText path={path} />
            </li>
          ))}
        </ul>
      </ScrollBox>
      {output.truncated && (
        <DetailNote tone="quiet">
          The first {output.paths.length.toLocaleString('en')} of {countText(output.total, 'file')}.
        </DetailNote>
      )}
    </>
  )
}

/** A path whose folders are quieter than its last name. */
export function PathText({ path }: { readonly path: string }) {
  const cut = path.lastIndexOf('/') + 1
  return (
    <>
      <span className="text-quiet">{path.slice(0, cut)}</span>
      {path.slice(cut)}
    </>
  )
}
