// Owns the help text of the command line.

export const USAGE = `Tidemark: a coding agent in your terminal, on the same files as the desktop app.

  tidemark run         --project DIR | --workspace ID   [--model PROVIDER:MODEL] [--agent exec|plan|explore|NAME]
                       [--approve ask|edits|auto] [--experiment NAME]... [--no-experiment NAME]... [--threshold 0.7]
                       [--memory on|off|read-only] [--attach FILE]... --prompt TEXT | --prompt-file FILE|-   [--json]
  tidemark history     list|search|read --workspace ID [--query T] [--window-id W] [--item-id I] [--cursor C] [--limit N]
                       [--offset-chars N] [--limit-chars N] [--as agent|person] [--json]
  tidemark windows     --workspace ID [--json]
  tidemark workspaces  [--json]
  tidemark export      --workspace ID --format markdown|jsonl [--out FILE] [--json]
  tidemark import      --format tidemark|pi FILE --project DIR [--json]
  tidemark replay-verify --workspace ID [--json]
  tidemark doctor      [--workspace ID] [--repair] [--json]
  tidemark settings    get [KEY] | set KEY VALUE [--json]

Exit codes: 0 done, 1 the turn failed, 2 wrong use, 3 the context budget blocked it, 4 damaged data found, 130 interrupted.
`
